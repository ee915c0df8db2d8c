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


def token(action: Action, drawn: Card | None = None) -> str:
    """An action as one short word: `+5C` `+` `<9D` `=4D4H4S` `8S9S>1` `-KC` `pass`.

    `drawn` is the card that a draw from the stock brought, if it may be told.
    """
    match action:
        case DrawStock():
            return "+" if drawn is None else f"+{CODES[drawn]}"
        case Pass():
            return "pass"
        case DrawDiscard(card):
            return f"<{CODES[card]}"
        case Discard(card):
            return f"-{CODES[card]}"
        case Meld(cards):
            return "=" + "".join(CODES[card] for card in cards)
        case LayOff(cards, meld):
            return "".join(CODES[card] for card in cards) + f">{meld}"


def read_token(word: str) -> tuple[Action, Card | None]:
    """The action that a short word says, and the card drawn if it tells.

    Raises ValueError where the word is none.
    """
    sign, rest = word[:1], word[1:]
    if word == "pass":
        return Pass(), None
    if sign == "+":
        return DrawStock(), card(rest) if rest else None
    if sign == "<":
        return DrawDiscard(card(rest)), None
    if sign == "-":
        return Discard(card(rest)), None
    if sign == "=":
        return Meld(_listed(_apart(rest))), None
    codes, on, number = word.partition(">")
    if on and number.isascii() and number.isdigit():
        return LayOff(_listed(_apart(codes)), int(number)), None
    raise ValueError(f"no action is written {word!r}")


def _apart(codes: str) -> str:
    """Codes written without spaces, with spaces between them."""
    return " ".join(codes[at : at + 2] for at in range(0, len(codes), 2))
