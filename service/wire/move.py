"""Moves: what is sent to play or to give up, and what comes back."""

from typing import Annotated

from msgspec import UNSET, Meta, Struct, UnsetType

from service.wire.action import Action, DrawStock
from service.wire.entry import Entry
from service.wire.view import View
from service.wire.words import Ply, SeatNumber, Team


class MoveRequest(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The actions of one move.

    A draw from the stock stands alone: with more behind it, a refusal would tell what was drawn.
    """

    actions: Annotated[tuple[Action, ...], Meta(min_length=1, max_length=32)]

    def __post_init__(self) -> None:
        """Raise ValueError where a draw from the stock has company."""
        if len(self.actions) > 1 and any(isinstance(one, DrawStock) for one in self.actions):
            raise ValueError("draw_stock must be the only action of its move")


class MoveAnswer(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The game after the entries that the request led to."""

    game: View
    log: Annotated[tuple[Entry, ...], Meta(min_length=1, max_length=32)]


class LegalActions(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What the caller's seat could send at this ply; None while it is not to act."""

    ply: Ply
    turn: SeatNumber | None
    legal_actions: Annotated[tuple[Action, ...], Meta(max_length=1000)] | None


class ForfeitRequest(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Who gives up. A seat may leave it out, the organiser may not."""

    team: Team | UnsetType = UNSET
