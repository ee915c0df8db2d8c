"""Cards, and sets of cards as bit masks.

A card is a number 0 to 55, `suit * 14 + rank`: thirteen ranks that can run and the joker as a
fourteenth that cannot, so the four jokers sit at the top of the four suits. A set of cards is a
56-bit mask of them. With the jokers masked out, the fourteenth bit of each suit is a fence that no
shifted run can cross.
"""

from collections.abc import Iterator
from typing import Final, Literal, NewType

Card = NewType("Card", int)
"""One of the 56 cards: `suit * 14 + rank`."""

Cards = NewType("Cards", int)
"""A set of cards: bit *n* stands for card *n*."""

Seat = NewType("Seat", int)
"""A place at the table, 0 to 3, clockwise."""

Team = Literal["A", "B"]
"""Team A sits at 0 and 2, team B at 1 and 3."""

Points = tuple[int, int]
"""What team A and team B have, in this order."""

RANKS: Final = "23456789TJQKAX"
SUITS: Final = "CDHS"
LANE: Final = 14
ACE: Final = 12
JOKER: Final = 13
PACK_SIZE: Final = 56

SEATS: Final = (Seat(0), Seat(1), Seat(2), Seat(3))
TEAMS: Final[tuple[Team, Team]] = ("A", "B")
NO_CARDS: Final = Cards(0)
JOKERS: Final = Cards(sum(1 << suit * LANE + JOKER for suit in range(4)))
ALL_CARDS: Final = Cards((1 << PACK_SIZE) - 1)


def _name(card: int) -> str:
    suit, rank = divmod(card, LANE)
    return f"X{suit + 1}" if rank == JOKER else RANKS[rank] + SUITS[suit]


CODES: Final = tuple(_name(card) for card in range(PACK_SIZE))
"""The written form of each card: `4S`, `TH`, `X2`."""

_CARD_OF: Final = {name: Card(number) for number, name in enumerate(CODES)}

ORDER: Final = tuple(
    Card(c) for c in sorted(range(PACK_SIZE), key=lambda card: (card % LANE == JOKER, card))
)
"""All cards as they are listed in answers: by suit C D H S, then rank, the jokers last."""

_PLACE: Final = {card: place for place, card in enumerate(ORDER)}


def card(written: str) -> Card:
    """The card of a code such as `4S`, `TH` or `X2`; nothing else is one (ValueError)."""
    try:
        return _CARD_OF[written]
    except KeyError:
        raise ValueError(f"no card is written {written!r}") from None


def code(card: Card) -> str:
    """The written form of a card."""
    return CODES[card]


def bit(card: Card) -> Cards:
    """The set that holds this card alone."""
    return Cards(1 << card)


def cards(written: str) -> Cards:
    """A set of cards from codes with spaces between them; a repeat is a ValueError."""
    listed = sequence(written)
    mask = mask_of(listed)
    if mask.bit_count() != len(listed):
        raise ValueError(f"a card stands twice in {written!r}")
    return mask


def sequence(written: str) -> bytes:
    """Cards in the order written, codes with spaces between them."""
    return bytes(card(one) for one in written.split())


def mask_of(listed: bytes | tuple[Card, ...] | list[Card]) -> Cards:
    """The set of the cards in a list."""
    mask = 0
    for one in listed:
        mask |= 1 << one
    return Cards(mask)


def each(mask: Cards) -> Iterator[Card]:
    """The cards of a set by number."""
    rest: int = mask
    while rest:
        low = rest & -rest
        yield Card(low.bit_length() - 1)
        rest ^= low


def in_order(listed: Iterator[Card] | tuple[Card, ...] | list[Card]) -> tuple[Card, ...]:
    """Cards sorted as in answers, repeats kept."""
    return tuple(sorted(listed, key=_PLACE.__getitem__))


def codes(mask: Cards) -> list[str]:
    """The codes of a set, sorted as in answers."""
    return [CODES[one] for one in in_order(each(mask))]


def rank_of(card: Card) -> int:
    """0 for a two up to 12 for an ace, 13 for a joker."""
    return card % LANE


def team_of(seat: Seat) -> Team:
    """The team that sits there."""
    return TEAMS[seat % 2]


def left_of(seat: Seat) -> Seat:
    """The seat that follows clockwise (R-15, G-04)."""
    return Seat((seat + 1) % 4)
