"""The record of a game that is over."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from service.wire.entry import Entry
from service.wire.ledger import Ledger
from service.wire.opening import Pack
from service.wire.ruleset import GameRuleset
from service.wire.view import Draw, Result
from service.wire.words import (
    Chance,
    ClientSeed,
    Digest,
    GameId,
    PlayerName,
    RulesVersion,
    SeatNumber,
    Team,
    TeamFormation,
)


class RecordSeat(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Who sat where."""

    seat: SeatNumber
    team: Team
    name: PlayerName


class Record(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A whole game, with all that is needed to play it again.

    ``dealer`` dealt first. ``packs`` are there if they were given; otherwise they follow from the
    secret and the client seeds.
    """

    format: Literal["persian-rummy-record/1"]
    rules_version: RulesVersion
    game: GameId
    ruleset: GameRuleset
    team_formation: TeamFormation
    dealer: SeatNumber
    draw: Draw | None
    seats: Annotated[tuple[RecordSeat, ...], Meta(min_length=4, max_length=4)]
    chance: Chance
    commitment: Digest | None
    secret: Digest | None
    client_seeds: Annotated[tuple[ClientSeed, ...], Meta(min_length=4, max_length=4)]
    packs: Annotated[tuple[Pack, ...], Meta(min_length=1, max_length=50)] | None
    log: Annotated[tuple[Entry, ...], Meta(max_length=100_000)]
    deals: Annotated[tuple[Ledger, ...], Meta(min_length=1, max_length=50)]
    result: Result
