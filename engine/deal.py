"""Dealing: from a pack in order to the first turn; and the draw for teams before it."""

from typing import Final

from engine.cards import ACE, JOKER, LANE, SEATS, Card, Seat, left_of, mask_of
from engine.ruleset import Ruleset
from engine.state import BySeat, State

_SEAT_OF_DRAW: Final = (Seat(0), Seat(2), Seat(1), Seat(3))
"""By card, lowest first: the two lowest are partners, the lowest deals (R-05, R-06, G-03)."""


def deal(ruleset: Ruleset, pack: bytes, number: int, dealer: Seat) -> State:
    """The first turn of a deal: one card at a time from the dealer's left, the up-card, the stock.

    `pack` lists the cards in the order in which they leave it (R-07 to R-09, G-05).
    """
    dealt = 4 * ruleset.hand_size
    first = left_of(dealer)
    return State(
        ruleset=ruleset,
        deal=number,
        dealer=dealer,
        turn=first,
        hands=_hands(pack[:dealt], first),
        pile=pack[dealt : dealt + 1],
        stock=pack[dealt + 1 :],
    )


def _hands(dealt: bytes, first: Seat) -> BySeat:
    a, b, c, d = (mask_of(dealt[(seat - first) % 4 :: 4]) for seat in SEATS)
    return a, b, c, d


def seats_drawn(drawn: tuple[Card, ...]) -> tuple[Seat, ...]:
    """Each player's seat by the card drawn: aces low, jokers high, suits part equals (G-01)."""
    by_card = sorted(range(4), key=lambda player: _draw_order(drawn[player]))
    seat_of = {player: _SEAT_OF_DRAW[place] for place, player in enumerate(by_card)}
    return tuple(seat_of[player] for player in range(4))


def _draw_order(card: Card) -> tuple[int, int]:
    suit, rank = divmod(card, LANE)
    if rank == JOKER:
        return JOKER + 1, suit
    return 0 if rank == ACE else rank + 1, suit
