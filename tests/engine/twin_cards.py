"""Cards and melds for the twin: two-letter codes, plain lists, no bit anywhere.

Nothing here is shared with the engine. A card is its code ("4S", "TH", "X2").
"""

from collections.abc import Collection, Iterable
from itertools import combinations

SUITS = ["C", "D", "H", "S"]
RANKS = ["2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K", "A"]
ACE_FIRST = ["A", *RANKS[:-1]]
JOKERS = ["X1", "X2", "X3", "X4"]
WORTH = {"2": 2, "3": 3, "4": 4, "5": 5, "6": 6, "7": 7, "8": 8, "9": 9}
WORTH |= {"T": 10, "J": 10, "Q": 10, "K": 10, "A": 15, "X": 20}


def whole_pack(jokers: int) -> list[str]:
    """Every card of the game, unshuffled."""
    return [rank + suit for suit in SUITS for rank in RANKS] + JOKERS[:jokers]


def is_joker(card: str) -> bool:
    return card[0] == "X"


def worth(card: str) -> int:
    """What a card counts anywhere but at the low end of a run."""
    return WORTH[card[0]]


def is_set(cards: Collection[str]) -> bool:
    """Three or four of one rank; jokers are a rank among themselves."""
    return len(set(cards)) in (3, 4) and len({card[0] for card in cards}) == 1


def rank_orders(ace_in_runs: str) -> list[list[str]]:
    """The orders in which ranks may follow each other; the ace high is tried first."""
    return [RANKS, ACE_FIRST] if ace_in_runs == "high_or_low" else [RANKS]


def run_order(cards: Collection[str], ace_in_runs: str) -> list[str] | None:
    """The order in which the cards are a run, or None where they are no run."""
    if len(set(cards)) < 3 or any(is_joker(card) for card in cards):
        return None
    if len({card[1] for card in cards}) != 1:
        return None
    for order in rank_orders(ace_in_runs):
        places = sorted(order.index(card[0]) for card in set(cards))
        if places == list(range(places[0], places[0] + len(places))):
            return order
    return None


def kind_of(cards: Collection[str], ace_in_runs: str) -> str | None:
    """ "set", "run", or None."""
    if is_set(cards):
        return "set"
    return "run" if run_order(cards, ace_in_runs) else None


def possible_melds(held: Iterable[str], ace_in_runs: str) -> list[frozenset[str]]:
    """Every set and every run that the held cards contain."""
    held = set(held)
    found: set[frozenset[str]] = set()
    for rank in {card[0] for card in held}:
        same = [card for card in held if card[0] == rank]
        found |= {frozenset(some) for size in (3, 4) for some in combinations(same, size)}
    for suit in SUITS:
        for order in rank_orders(ace_in_runs):
            for first in range(len(order)):
                for last in range(first + 2, len(order)):
                    row = [rank + suit for rank in order[first : last + 1]]
                    if row[-1] not in held or row[0] not in held:
                        continue
                    if all(card in held for card in row):
                        found.add(frozenset(row))
    return list(found)


def possible_lay_offs(
    on_table: Collection[str], held: Iterable[str], ace_in_runs: str
) -> list[frozenset[str]]:
    """Every group of held cards that leaves the meld a meld of its own kind."""
    held, on_table = set(held), set(on_table)
    if is_set(on_table):
        rank = next(iter(on_table))[0]
        same = [card for card in held if card[0] == rank]
        groups = [frozenset(g) for size in (1, 2, 3, 4) for g in combinations(same, size)]
        return [group for group in groups if is_set(on_table | group)]
    suit = next(iter(on_table))[1]
    found: set[frozenset[str]] = set()
    for order in rank_orders(ace_in_runs):
        for first in range(len(order)):
            for last in range(first, len(order)):
                row = {rank + suit for rank in order[first : last + 1]}
                added = row - on_table
                if on_table <= row and added and added <= held:
                    found.add(frozenset(added))
    return list(found)
