"""Ledgers: the account of a deal, card by card."""

from engine import scoring
from engine.cards import team_of
from engine.view import View
from service.wire import ledger as wire
from service.wire.view import DealSummary
from service.wording.cards import as_they_lie, codes_by_seat, ordered_codes, points


def to_wire(account: scoring.Ledger) -> wire.Ledger:
    """A whole ledger."""
    return wire.Ledger(
        deal=account.deal,
        dealer=account.dealer,
        ended=account.ended,
        out_seat=account.out_seat,
        scores=points(account.scores) if account.scores else None,
        hands=codes_by_seat(account.hands),
        items=tuple(_item(item) for item in account.items),
    )


def _item(item: scoring.Item) -> wire.LedgerItem:
    return wire.LedgerItem(
        team=team_of(item.seat),
        seat=item.seat,
        kind=item.kind,
        meld=item.meld,
        cards=ordered_codes(as_they_lie(item.cards, item.low_ace)),
        points=item.points,
        rule=scoring.RULE_OF[item.kind],
    )


def summary(account: scoring.Ledger) -> DealSummary:
    """How a deal ended, in one line of a view."""
    return DealSummary(
        deal=account.deal,
        dealer=account.dealer,
        ended=account.ended,
        out_seat=account.out_seat,
        scores=points(account.scores) if account.scores else None,
    )


def score(seen: View) -> wire.Score:
    """All ledgers of a game so far."""
    return wire.Score(
        deals=tuple(to_wire(account) for account in seen.ledgers),
        table_points=points(seen.table_points),
        totals=points(seen.totals),
    )
