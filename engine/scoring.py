"""What a deal was worth, card by card."""

from typing import Final, Literal

from msgspec import Struct

from engine.cards import ACE, LANE, SEATS, Card, Cards, Points, Seat, each
from engine.ruleset import Ruleset
from engine.state import BySeat, Ended, State, TableMeld

ItemKind = Literal["melded", "doubled", "in_hand", "went_out"]

RULE_OF: Final[dict[ItemKind, str]] = {
    "melded": "R-27",
    "doubled": "R-31",
    "in_hand": "R-28",
    "went_out": "R-29",
}
"""The rule that each kind of item follows."""

_WORTH: Final = (2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10, 15, 20)
_TEAM_BY_TEAM: Final = (Seat(0), Seat(2), Seat(1), Seat(3))


class Item(Struct, frozen=True, array_like=True):
    """One line of a ledger; `meld` is the number of the meld, None for hands and going out.

    `low_ace` says that the cards hold an ace which lies below the two, and so comes first.
    """

    seat: Seat
    kind: ItemKind
    meld: int | None
    cards: Cards
    points: int
    low_ace: bool = False


class Ledger(Struct, frozen=True, array_like=True):
    """The account of a deal that has ended; a forfeited one has neither scores nor items."""

    deal: int
    dealer: Seat
    ended: Ended
    out_seat: Seat | None
    scores: Points | None
    hands: BySeat
    items: tuple[Item, ...]


def worth(card: Card) -> int:
    """Points of a card: joker 20, ace 15, ten to king 10, others their pips (R-30, G-11)."""
    return _WORTH[card % LANE]


def worth_of(cards: Cards) -> int:
    """Points of a set of cards."""
    return sum(_WORTH[card % LANE] for card in each(cards))


def ledger(state: State) -> Ledger:
    """The account of a deal that is over."""
    assert state.ended is not None
    items = () if state.ended == "forfeit" else _items(state)
    return Ledger(
        deal=state.deal,
        dealer=state.dealer,
        ended=state.ended,
        out_seat=state.out_seat,
        scores=None if state.ended == "forfeit" else _sum(items),
        hands=state.hands,
        items=items,
    )


def table_points(state: State) -> Points:
    """What each team has on the table now."""
    return _sum(_on_table(state))


def _items(state: State) -> tuple[Item, ...]:
    return (*_on_table(state), *_for_going_out(state), *_in_hands(state))


def _on_table(state: State) -> tuple[Item, ...]:
    """Every card counts for the team that played it, four at once twice (R-27, R-31, G-52)."""
    items = []
    for meld in state.melds:
        for seat in sorted(SEATS, key=lambda seat: _first_place(meld, meld.credit[seat])):
            if cards := meld.credit[seat]:
                points = _melded_worth(meld, cards, state.ruleset)
                low_ace = _has_low_ace(meld, cards)
                items.append(Item(seat, "melded", meld.id, cards, points, low_ace))
                if meld.doubled:
                    items.append(Item(seat, "doubled", meld.id, cards, points))
    return tuple(items)


def _first_place(meld: TableMeld, cards: Cards) -> int:
    """Where in the meld the first of these cards stands; a low ace stands before all."""
    return -1 if _has_low_ace(meld, cards) else cards & -cards


def _has_low_ace(meld: TableMeld, cards: Cards) -> bool:
    return meld.low_ace and any(card % LANE == ACE for card in each(cards))


def _melded_worth(meld: TableMeld, cards: Cards, ruleset: Ruleset) -> int:
    """An ace below the two may be worth less than any other."""
    less = _WORTH[ACE] - ruleset.ace_low_value if _has_low_ace(meld, cards) else 0
    return worth_of(cards) - less


def _for_going_out(state: State) -> tuple[Item, ...]:
    """The bonus of the team that ended the deal (R-29, G-57)."""
    bonus = state.ruleset.go_out_bonus
    if state.out_seat is None or not bonus:
        return ()
    return (Item(state.out_seat, "went_out", None, Cards(0), bonus),)


def _in_hands(state: State) -> tuple[Item, ...]:
    """Cards left in both partners' hands count against their team (R-28, G-56, G-65)."""
    if state.ended == "blocked" and not state.ruleset.blocked_hand_penalty:
        return ()
    return tuple(
        Item(seat, "in_hand", None, cards, -worth_of(cards))
        for seat in _TEAM_BY_TEAM
        if (cards := state.hands[seat])
    )


def _sum(items: tuple[Item, ...]) -> Points:
    a = sum(item.points for item in items if item.seat % 2 == 0)
    return a, sum(item.points for item in items) - a
