"""Chance that anyone can check: packs derived from 32 secret bytes that are committed to first.

The construction is fixed to the byte, so that a verifier in any language agrees: each pack has a
key of its own, the key gives a stream of 32-bit words, and the words drive a Fisher-Yates shuffle
that refuses the words that would favour a place.
"""

import hashlib
import hmac
from collections.abc import Iterator, Sequence
from typing import Final

from engine.cards import SUITS, Card, card

SECRET_SIZE: Final = 32
LONGEST_CLIENT_SEED: Final = 64
NO_SEEDS: Final = ("", "", "", "")
DRAW_FOR_TEAMS: Final = 0
"""The number of the pack that teams are drawn from; the deals have 1, 2 …"""

_IN_SUITS: Final = [card(rank + suit) for suit in SUITS for rank in "23456789TJQKA"]
_JOKERS: Final = [card(f"X{number}") for number in range(1, 5)]


def commitment(secret: bytes) -> bytes:
    """SHA-256 of the secret: public from the start, checked once the secret is told."""
    return hashlib.sha256(secret).digest()


def pack(secret: bytes, client_seeds: Sequence[str], number: int, jokers: int) -> bytes:
    """Pack `number` of a game, in order of dealing: 56 cards, or 52 without the `jokers`.

    `client_seeds` are the seats' own contributions, lower-case hex, empty where there is none;
    the draw for teams comes before they are known and takes `NO_SEEDS`.
    """
    key = _hmac(secret, "|".join(("persian-rummy/1", *client_seeds, str(number))).encode("ascii"))
    cards = _IN_SUITS + _JOKERS[:jokers]
    words = _words(key)
    for last in range(len(cards) - 1, 0, -1):
        chosen = below(last + 1, words)
        cards[last], cards[chosen] = cards[chosen], cards[last]
    return bytes(cards)


def is_pack(cards: bytes, jokers: int) -> bool:
    """Whether these are the cards of a whole pack, each once."""
    whole: set[int] = set(_IN_SUITS + _JOKERS[:jokers])
    return len(cards) == len(whole) and set(cards) == whole


def drawn_cards(secret: bytes, jokers: int) -> tuple[Card, ...]:
    """The cards that the four players draw for teams, in their order (R-05)."""
    return tuple(Card(one) for one in pack(secret, NO_SEEDS, DRAW_FOR_TEAMS, jokers)[:4])


def limit(ways: int) -> int:
    """Words from here up are refused, so that each of `ways` is as likely as the others."""
    return 2**32 // ways * ways


def below(ways: int, words: Iterator[int]) -> int:
    """One of the numbers 0 to `ways` - 1, each as likely as the others, from 32-bit words."""
    return next(word for word in words if word < limit(ways)) % ways


def _words(key: bytes) -> Iterator[int]:
    counter = 0
    while True:
        block = _hmac(key, counter.to_bytes(8, "big"))
        for at in range(0, len(block), 4):
            yield int.from_bytes(block[at : at + 4], "big")
        counter += 1


def _hmac(key: bytes, message: bytes) -> bytes:
    return hmac.digest(key, message, "sha256")
