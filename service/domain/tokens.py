"""Tokens: who may do what at which table.

A token names its game and holds 192 random bits; only its SHA-256 digest is ever kept.
"""

import hashlib
import hmac
import re
import secrets
from collections.abc import Callable, Mapping
from typing import Final, NewType

from msgspec import Struct

from engine.cards import SEATS, Seat

GameId = NewType("GameId", str)
"""Twenty lower-case letters and digits, about 103 bits: never guessed, never built from input."""

RandomPart = Callable[[str], str]
"""Gives the part of a token that nobody can guess, by the name that the token is kept under."""

ORGANISER: Final = "organiser"
INVITATION: Final = "invitation"
_PREFIXES: Final = {ORGANISER: "pro", INVITATION: "pri"}
_ALPHABET: Final = "abcdefghijklmnopqrstuvwxyz0123456789"
_ID_LENGTH: Final = 20
_RANDOM_BYTES: Final = 24
_GAME: Final = re.compile(f"[a-z0-9]{{{_ID_LENGTH}}}")
_TOKEN: Final = re.compile(f"(prs|pro)_([a-z0-9]{{{_ID_LENGTH}}})_[0-9a-f]{{{2 * _RANDOM_BYTES}}}")


class Holder(Struct, frozen=True):
    """Whom a known token stands for: a seat of a game, or with no seat its organiser."""

    game_id: GameId
    seat: Seat | None


def seat_name(seat: Seat) -> str:
    """The name under which the digest of a seat's token is kept."""
    return f"seat:{seat}"


def new_game_id() -> GameId:
    """A fresh id."""
    return GameId("".join(secrets.choice(_ALPHABET) for _ in range(_ID_LENGTH)))


def is_game_id(text: str) -> bool:
    """Whether this has the form of an id; nothing else ever reaches the store."""
    return _GAME.fullmatch(text) is not None


def random_part(name: str) -> str:
    """The part of a fresh token that nobody can guess."""
    return secrets.token_hex(_RANDOM_BYTES)


def derived_part(key: str, salt: bytes) -> RandomPart:
    """The same part for the same idempotency key and salt: a request sent again gets its tokens.

    HMAC-SHA256 of the salt and the token's name, under the key, cut to the length of a fresh one.
    """

    def part(name: str) -> str:
        return hmac.digest(key.encode(), salt + name.encode(), "sha256").hex()[: 2 * _RANDOM_BYTES]

    return part


def new_token(name: str, game_id: GameId, part: RandomPart = random_part) -> str:
    """The token of a game that is kept under this name."""
    return f"{_PREFIXES.get(name, 'prs')}_{game_id}_{part(name)}"


def digest(token: str) -> bytes:
    """What is kept of a token."""
    return hashlib.sha256(token.encode("utf-8", "surrogateescape")).digest()


def game_of(token: str) -> GameId | None:
    """The game that a token names; None where the text is no token for playing or organising."""
    found = _TOKEN.fullmatch(token)
    return GameId(found[2]) if found else None


def holder_of(token: str, game_id: GameId, digests: Mapping[str, bytes]) -> Holder | None:
    """Whom this token stands for by the digests kept for its game; None where it is unknown."""
    name = _name_of(digest(token), digests)
    if name == ORGANISER:
        return Holder(game_id, None)
    seat = next((seat for seat in SEATS if seat_name(seat) == name), None)
    return None if seat is None else Holder(game_id, seat)


def is_invitation(token: str | None, digests: Mapping[str, bytes]) -> bool:
    """Whether this is the invitation of the game with these digests."""
    kept = digests.get(INVITATION)
    return token is not None and kept is not None and hmac.compare_digest(digest(token), kept)


def _name_of(sent: bytes, digests: Mapping[str, bytes]) -> str | None:
    """Every digest is compared, each in constant time, so that time tells nothing."""
    found = None
    for name, kept in digests.items():
        if hmac.compare_digest(sent, kept):
            found = name
    return found
