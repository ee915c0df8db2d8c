"""Cards as codes, in the order in which answers list them."""

from collections.abc import Iterable

from engine.cards import ACE, CODES, LANE, Card, Cards, Points, each, in_order
from engine.state import BySeat
from service.wire.view import TeamPoints


def code(card: Card | None) -> str | None:
    """The code of a card, if there is one."""
    return None if card is None else CODES[card]


def sorted_codes(cards: Cards) -> tuple[str, ...]:
    """A set of cards: by suit C D H S, then rank, the jokers last."""
    return ordered_codes(in_order(each(cards)))


def ordered_codes(cards: Iterable[int]) -> tuple[str, ...]:
    """Cards in the order that they have, such as the pile's."""
    return tuple(CODES[card] for card in cards)


def codes_by_seat(hands: BySeat) -> tuple[tuple[str, ...], ...]:
    """The cards of each seat."""
    return tuple(sorted_codes(hand) for hand in hands)


def as_they_lie(cards: Cards, low_ace: bool) -> list[Card]:
    """Cards of a meld as they lie: a low ace comes first in its run."""
    listed = in_order(each(cards))
    return sorted(listed, key=lambda card: not low_ace or card % LANE != ACE)


def points(by_team: Points) -> TeamPoints:
    """Points by team."""
    a, b = by_team
    return TeamPoints(A=a, B=b)
