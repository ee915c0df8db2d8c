"""A game as its viewer may know it."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from service.wire.action import Action
from service.wire.ruleset import GameRuleset
from service.wire.words import (
    Card,
    CardCount,
    Chance,
    DealEnd,
    DealNumber,
    Digest,
    GameId,
    MeldId,
    MeldKind,
    Passes,
    Phase,
    PlayerKind,
    PlayerName,
    Ply,
    Points,
    RulesVersion,
    SeatNumber,
    Status,
    Team,
    Visibility,
)

CardList = Annotated[tuple[Card, ...], Meta(max_length=56)]
"""Some cards, or none."""


class TeamPoints(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Points by team."""

    A: Points
    B: Points


class Viewer(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Who looks; ``seat`` is None for all but a seat."""

    kind: Literal["seat", "spectator", "organiser"]
    seat: SeatNumber | None


class DrawnCard(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The card that a player of the opening drew for teams, and the seat it led to."""

    player: Annotated[int, Meta(ge=0, le=3)]
    card: Card
    seat: SeatNumber


Draw = Annotated[tuple[DrawnCard, ...], Meta(min_length=4, max_length=4)]
"""The draw for teams, by player."""


class SeatView(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A seat, and what everybody knows of its hand."""

    seat: SeatNumber
    team: Team
    name: PlayerName | None
    kind: PlayerKind
    hand_size: CardCount
    known_cards: CardList


class MeldCard(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A card of a meld, and the seat that played it."""

    card: Card
    seat: SeatNumber


class TableMeld(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A meld on the table."""

    id: MeldId
    kind: MeldKind
    cards: Annotated[tuple[MeldCard, ...], Meta(min_length=3, max_length=13)]
    doubled: bool


class DealSummary(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How a deal ended; without scores if a team gave up."""

    deal: DealNumber
    dealer: SeatNumber
    ended: DealEnd
    out_seat: SeatNumber | None
    scores: TeamPoints | None


class Result(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How a game ended; nobody wins a drawn one."""

    winner: Team | None
    reason: Literal["score", "forfeit"]
    totals: TeamPoints


class View(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A game as its viewer may know it.

    While it waits for players there is no deal: ``deal`` is 0, ``dealer``, ``turn`` and ``phase``
    are None. ``hand`` is None for a viewer without one, ``hands`` for all but an organiser who sees
    all, ``legal_actions`` for all but the seat to act.
    """

    id: GameId
    status: Status
    ruleset: GameRuleset
    rules_version: RulesVersion
    ply: Ply
    visibility: Visibility
    viewer: Viewer
    organiser_sees_all: bool
    require_if_match: bool
    draw: Draw | None
    seats: Annotated[tuple[SeatView, ...], Meta(min_length=4, max_length=4)]
    deal: DealNumber
    dealer: SeatNumber | None
    turn: SeatNumber | None
    phase: Phase | None
    must_use: Card | None
    passes: Passes
    stock_size: CardCount
    pile: CardList
    melds: Annotated[tuple[TableMeld, ...], Meta(max_length=18)]
    table_points: TeamPoints
    totals: TeamPoints
    deals: Annotated[tuple[DealSummary, ...], Meta(max_length=50)]
    hand: CardList | None
    hands: Annotated[tuple[CardList, ...], Meta(min_length=4, max_length=4)] | None
    legal_actions: Annotated[tuple[Action, ...], Meta(max_length=1000)] | None
    clock: None
    chance: Chance
    commitment: Digest | None
    secret: Digest | None
    result: Result | None
