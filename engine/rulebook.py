"""The violations, and the rules that each of them breaks."""

from enum import StrEnum
from typing import Final


class Violation(StrEnum):
    """Every way for an action to be refused; the list is closed."""

    GAME_OVER = "game_over"
    NOT_YOUR_TURN = "not_your_turn"
    DRAW_FIRST = "draw_first"
    ALREADY_DRAWN = "already_drawn"
    STOCK_EMPTY = "stock_empty"
    PASS_NOT_ALLOWED = "pass_not_allowed"  # noqa: S105 - a move of the game, not a password
    CARD_NOT_IN_PILE = "card_not_in_pile"
    PICKUP_UNUSABLE = "pickup_unusable"
    MUST_USE_PICKUP = "must_use_pickup"
    DUPLICATE_CARD = "duplicate_card"
    CARD_NOT_IN_HAND = "card_not_in_hand"
    BAD_MELD = "bad_meld"
    NO_SUCH_MELD = "no_such_meld"
    BAD_LAY_OFF = "bad_lay_off"


RULES: Final[dict[Violation, tuple[str, ...]]] = {
    Violation.GAME_OVER: ("R-32",),
    Violation.NOT_YOUR_TURN: ("R-15", "G-04"),
    Violation.DRAW_FIRST: ("R-14", "G-27"),
    Violation.ALREADY_DRAWN: ("R-14", "G-39"),
    Violation.STOCK_EMPTY: ("R-26",),
    Violation.PASS_NOT_ALLOWED: ("R-26", "G-28"),
    Violation.CARD_NOT_IN_PILE: ("R-16",),
    Violation.PICKUP_UNUSABLE: ("R-18", "G-37"),
    Violation.MUST_USE_PICKUP: ("R-18", "G-31"),
    Violation.DUPLICATE_CARD: ("G-71",),
    Violation.CARD_NOT_IN_HAND: ("G-71",),
    Violation.BAD_MELD: ("R-11", "R-12", "R-13", "R-03"),
    Violation.NO_SUCH_MELD: ("R-21", "G-19"),
    Violation.BAD_LAY_OFF: ("R-20", "G-21"),
}
"""The rules behind each violation, the most telling first."""

MEANINGS: Final[dict[Violation, str]] = {
    Violation.GAME_OVER: "the game has ended",
    Violation.NOT_YOUR_TURN: "another seat is to act",
    Violation.DRAW_FIRST: "draw before you meld, lay off or discard",
    Violation.ALREADY_DRAWN: "you have drawn in this turn already",
    Violation.STOCK_EMPTY: "the stock is gone: take a card of the pile or pass",
    Violation.PASS_NOT_ALLOWED: "you may pass only when the stock is gone",
    Violation.CARD_NOT_IN_PILE: "that card is not in the pile",
    Violation.PICKUP_UNUSABLE: "you could not play that card at once",
    Violation.MUST_USE_PICKUP: "play the card that you took from the pile first",
    Violation.DUPLICATE_CARD: "a card is named twice",
    Violation.CARD_NOT_IN_HAND: "you do not hold that card",
    Violation.BAD_MELD: "these cards are neither a set nor a run",
    Violation.NO_SUCH_MELD: "no meld on the table has that number",
    Violation.BAD_LAY_OFF: "the meld and these cards together are no meld of its kind",
}
"""What each violation says to a player."""
