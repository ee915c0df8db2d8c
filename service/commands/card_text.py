"""Cards and players as they are printed."""

from collections.abc import Iterable
from typing import Final

from rich.text import Text

from engine.cards import Seat, team_of

# Four colours, so that the suits are told apart at a glance.
_SUITS: Final = {"C": "green", "D": "yellow", "H": "red", "S": "cyan"}
TEAM_STYLES: Final = {"A": "bold blue", "B": "bold magenta"}
KINDS: Final = {
    "melded": "melded",
    "doubled": "four at once, doubled",
    "in_hand": "left in hand",
    "went_out": "went out",
}
"""What the kinds of items in a ledger are called."""

ENDS: Final = {"out": "went out", "blocked": "blocked", "forfeit": "given up"}
"""How deals end."""


def card_text(code: str) -> Text:
    """A card in the colour of its suit."""
    return Text(code, style=_SUITS.get(code[1:], "bold"))


def cards_text(codes: Iterable[str]) -> Text:
    """Cards in a row."""
    return Text(" ").join(card_text(code) for code in codes)


def player_text(name: str, seat: int, width: int = 0) -> Text:
    """A player in the colour of the team."""
    return Text(f"{name:<{width}}", style=TEAM_STYLES[team_of(Seat(seat))])
