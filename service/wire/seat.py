"""Sitting down, and the token of a seat."""

from typing import Annotated

from msgspec import UNSET, Meta, Struct, UnsetType

from service.wire.view import View
from service.wire.words import ClientSeed, PlayerName, SeatNumber, SeatToken


class SeatRequest(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Who wants to sit down, and where.

    An invitation of another form than ours is a wrong one, not a malformed request.
    """

    name: PlayerName
    seat: SeatNumber | UnsetType = UNSET
    client_seed: ClientSeed | UnsetType = UNSET
    invitation: Annotated[str, Meta(min_length=1, max_length=100)] | UnsetType = UNSET


class SeatAnswer(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The game as the new player sees it, and the token of the seat."""

    game: View
    seat: SeatNumber
    token: SeatToken


class TokenRequest(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Nothing need be said."""


class TokenAnswer(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The token that plays the seat from now on."""

    seat: SeatNumber
    token: SeatToken
