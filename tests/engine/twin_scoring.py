"""The twin's arithmetic: what a deal is worth, who deals next, when the game is over."""

from dataclasses import dataclass

from tests.engine.twin_cards import JOKERS, SUITS, worth
from tests.engine.twin_state import Rules, TwinState

MOST_DEALS = 50


@dataclass(frozen=True)
class Item:
    """One line of a ledger."""

    seat: int
    kind: str
    meld: int | None
    cards: frozenset[str]
    points: int


def team(seat: int) -> str:
    return "A" if seat in (0, 2) else "B"


def table_items(twin: TwinState) -> list[Item]:
    """What lies on the table: a line for each seat and meld, and one for each doubled four."""
    items = []
    for meld_id, meld in twin.melds.items():
        points = {card: worth(card) for card in meld.played}
        for card in meld.played:
            if meld.low_ace and card[0] == "A":
                points[card] = twin.rules["ace_low_value"]
        for seat in sorted(set(meld.played.values())):
            mine = frozenset(card for card, by in meld.played.items() if by == seat)
            total = sum(points[card] for card in mine)
            items.append(Item(seat, "melded", meld_id, mine, total))
        if meld.doubled:
            layer = next(iter(meld.played.values()))
            every = frozenset(meld.played)
            items.append(Item(layer, "doubled", meld_id, every, sum(points.values())))
    return items


def ledger(twin: TwinState) -> list[Item]:
    """Every line of a deal that ended."""
    items = table_items(twin)
    if twin.ended == "out":
        assert twin.out_seat is not None
        items.append(Item(twin.out_seat, "went_out", None, frozenset(), twin.rules["go_out_bonus"]))
    if twin.ended == "out" or twin.rules["blocked_hand_penalty"]:
        for seat, hand in enumerate(twin.hands):
            if hand:
                left = -sum(worth(card) for card in hand)
                items.append(Item(seat, "in_hand", None, frozenset(hand), left))
    return items


def sums(items: list[Item]) -> dict[str, int]:
    """The items added up for each team."""
    return {
        side: sum(item.points for item in items if team(item.seat) == side) for side in ("A", "B")
    }


def next_dealer(rules: Rules, dealer: int, out_seat: int | None) -> int:
    """Who deals after this deal, if there is another."""
    if rules["dealer_rotation"] == "fixed":
        return dealer
    if rules["dealer_rotation"] == "winner" and out_seat is not None:
        return out_seat
    return (dealer + 1) % 4


def game_is_over(rules: Rules, deals_played: int, totals: dict[str, int]) -> bool:
    """Is the game decided (or drawn) after this deal?"""
    if deals_played >= MOST_DEALS:
        return True
    if "deals" in rules["game_end"]:
        reached = deals_played >= rules["game_end"]["deals"]
    else:
        reached = max(totals.values()) >= rules["game_end"]["target"]
    return reached and (totals["A"] != totals["B"] or rules["tie_break"] == "draw")


def winner(totals: dict[str, int]) -> str | None:
    if totals["A"] == totals["B"]:
        return None
    return "A" if totals["A"] > totals["B"] else "B"


def draw_order(cards: list[str]) -> list[int]:
    """The players from the lowest card drawn to the highest: ace low, jokers high."""
    low_to_high = [rank + suit for rank in "A23456789TJQK" for suit in SUITS] + JOKERS
    return sorted(range(len(cards)), key=lambda player: low_to_high.index(cards[player]))
