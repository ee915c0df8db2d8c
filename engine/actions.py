"""What a seat can do: six actions, as values.

Card lists keep repeats, because naming a card twice is a fault that the rules name
(`duplicate_card`); their order means nothing, so they are kept sorted and compare as sets.
"""

from msgspec import Struct

from engine.cards import Card, Cards, each, in_order


class DrawStock(Struct, frozen=True, array_like=True, tag=1):
    """Draw the top card of the stock (R-16)."""


class DrawDiscard(Struct, frozen=True, array_like=True, tag=2):
    """Take a card of the pile with all that lie on it (R-16, R-17); `card` is the deepest."""

    card: Card


class Meld(Struct, frozen=True, array_like=True, tag=3):
    """Put a new meld on the table (R-19)."""

    cards: tuple[Card, ...]


class LayOff(Struct, frozen=True, array_like=True, tag=4):
    """Add cards to the meld with the number `meld` (R-20)."""

    cards: tuple[Card, ...]
    meld: int


class Discard(Struct, frozen=True, array_like=True, tag=5):
    """Put a card on the pile and end the turn (R-22)."""

    card: Card


class Pass(Struct, frozen=True, array_like=True, tag=6):
    """Let the turn go by, when the stock is gone (R-26)."""


Action = DrawStock | DrawDiscard | Meld | LayOff | Discard | Pass


def meld(mask: Cards) -> Meld:
    """The action that puts this set of cards down."""
    return Meld(in_order(each(mask)))


def lay_off(mask: Cards, number: int) -> LayOff:
    """The action that adds this set of cards to a meld."""
    return LayOff(in_order(each(mask)), number)


def cards_named(action: Action) -> tuple[Card, ...]:
    """All the cards that an action names, repeats kept."""
    match action:
        case Meld(listed) | LayOff(listed, _):
            return listed
        case DrawDiscard(card) | Discard(card):
            return (card,)
        case _:
            return ()
