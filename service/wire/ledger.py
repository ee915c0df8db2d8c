"""What deals were worth, card by card."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from service.wire.view import CardList, TeamPoints
from service.wire.words import DealEnd, DealNumber, MeldId, Points, RuleId, SeatNumber, Team


class LedgerItem(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Cards of one seat, or its going out, with their points and the rule they follow."""

    team: Team
    seat: SeatNumber
    kind: Literal["melded", "doubled", "in_hand", "went_out"]
    meld: MeldId | None
    cards: CardList
    points: Points
    rule: RuleId


class Ledger(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The account of a deal that has ended. One that a team gave up has no items or scores."""

    deal: DealNumber
    dealer: SeatNumber
    ended: DealEnd
    out_seat: SeatNumber | None
    scores: TeamPoints | None
    hands: Annotated[tuple[CardList, ...], Meta(min_length=4, max_length=4)]
    items: Annotated[tuple[LedgerItem, ...], Meta(max_length=100)]


class Score(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The ledgers of a game so far."""

    deals: Annotated[tuple[Ledger, ...], Meta(max_length=50)]
    table_points: TeamPoints
    totals: TeamPoints
