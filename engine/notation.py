"""Actions written down, for tests, logs and people: `meld 4S 4D 4H`, `lay_off 8S on 1`."""

from engine.actions import Action, Discard, DrawDiscard, DrawStock, LayOff, Meld, Pass
from engine.cards import CODES, Card, card, in_order, sequence


def action(written: str) -> Action:
    """The action that a line such as `draw_discard 9D` or `lay_off 8S 9S on 1` says.

    Raises ValueError where the line is none.
    """
    verb, _, rest = written.strip().partition(" ")
    match verb:
        case "draw_stock" if not rest:
            return DrawStock()
        case "pass" if not rest:
            return Pass()
        case "draw_discard":
            return DrawDiscard(card(rest))
        case "discard":
            return Discard(card(rest))
        case "meld":
            return Meld(_listed(rest))
        case "lay_off":
            codes, on, number = rest.partition(" on ")
            if on and number.isascii() and number.isdigit():
                return LayOff(_listed(codes), int(number))
    raise ValueError(f"no action is written {written!r}")


def text(action: Action) -> str:
    """The line that `action` reads back."""
    match action:
        case DrawStock():
            return "draw_stock"
        case Pass():
            return "pass"
        case DrawDiscard(card):
            return f"draw_discard {CODES[card]}"
        case Discard(card):
            return f"discard {CODES[card]}"
        case Meld(cards):
            return "meld " + " ".join(CODES[card] for card in cards)
        case LayOff(cards, meld):
            return "lay_off " + " ".join(CODES[card] for card in cards) + f" on {meld}"


def _listed(codes: str) -> tuple[Card, ...]:
    listed = in_order([Card(one) for one in sequence(codes)])
    if not listed:
        raise ValueError("no cards are named")
    return listed
