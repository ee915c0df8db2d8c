"""Positions: a deal as somebody tells it, whole or as one seat sees it."""

from typing import Annotated

from msgspec import UNSET, Meta, Struct, UnsetType

from service.wire.view import MeldCard, TeamPoints
from service.wire.words import (
    Card,
    CardCount,
    DealNumber,
    HandCard,
    IdleTurns,
    MeldId,
    Passes,
    Phase,
    SeatNumber,
)

Hand = Annotated[tuple[HandCard, ...], Meta(max_length=56)] | CardCount
"""The cards of a hand, ``??`` for each that is not known; or only how many there are."""

Stock = Annotated[tuple[Card, ...], Meta(max_length=56)] | CardCount
"""The stock, the card to be drawn next first; or only how many cards it has."""


class PositionMeld(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A meld as it is told; an ace first in a complete run is low."""

    id: MeldId
    cards: Annotated[tuple[MeldCard, ...], Meta(min_length=1, max_length=56)]
    doubled: bool
    laid_this_turn: bool | UnsetType = UNSET


class Position(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A deal in the middle. ``turn`` is None once it is over; ``partial`` lets cards be missing."""

    deal: DealNumber
    dealer: SeatNumber
    turn: SeatNumber | None
    phase: Phase
    must_use: Card | None
    passes: Passes
    partial: bool | UnsetType = UNSET
    hands: Annotated[tuple[Hand, ...], Meta(min_length=4, max_length=4)]
    stock: Stock
    pile: Annotated[tuple[Card, ...], Meta(max_length=56)]
    melds: Annotated[tuple[PositionMeld, ...], Meta(max_length=56)]
    totals: TeamPoints
    barred: Card | UnsetType | None = UNSET
    idle_turns: IdleTurns | UnsetType = UNSET
