"""API keys: who may open games, where the operator asks for a key at all.

The service knows digests only. A key is listed as `NAME:SCOPES:SHA-256`, and one name may stand
several times: to rotate a key, list the new one beside the old one, restart the replicas one by one
in your own time, hand the new key out, and take the old one away with the next roll-out. What a
holder has opened goes by the name, so that it outlives the key.
"""

import hashlib
import hmac
import re
import secrets
from collections.abc import Iterable
from typing import Final, Literal, get_args

from msgspec import Struct

Scope = Literal["games", "tournaments", "metrics"]
"""What a key is good for: opening games, running tournaments, reading the metrics."""

SCOPES: Final[tuple[Scope, ...]] = get_args(Scope)
_LISTED: Final = re.compile(r"([a-z0-9-]{1,40}):([a-z+]+):([0-9a-f]{64})")
_KEY: Final = re.compile(r"prk_[0-9a-f]{48}")


class ApiKey(Struct, frozen=True):
    """A key that is known: its holder's name, what it is good for, its SHA-256."""

    name: str
    scopes: frozenset[Scope]
    digest: bytes


def new_key() -> str:
    """A fresh key, with 192 random bits."""
    return f"prk_{secrets.token_hex(24)}"


def digest(key: str) -> bytes:
    """What is kept of a key."""
    return hashlib.sha256(key.encode()).digest()


def listing(name: str, scopes: Iterable[Scope], key: str) -> str:
    """How a key is listed."""
    return f"{name}:{'+'.join(scopes)}:{digest(key).hex()}"


def read_keys(text: str) -> tuple[ApiKey, ...]:
    """The keys of a list with commas or white space between them. Raises ValueError."""
    return tuple(_read(one) for one in re.split(r"[\s,]+", text.strip()))


def _read(listed: str) -> ApiKey:
    found = _LISTED.fullmatch(listed)
    scopes = frozenset(scope for scope in SCOPES if found and scope in found[2].split("+"))
    if not found or len(scopes) != len(found[2].split("+")):
        raise ValueError("listings as `referee key` prints them, with commas between them")
    return ApiKey(found[1], scopes, bytes.fromhex(found[3]))


def key_of(token: str, known: Iterable[ApiKey]) -> ApiKey | None:
    """The key that this token is; every digest is compared, each in constant time."""
    found = None
    sent = digest(token) if _KEY.fullmatch(token) else b""
    for key in known:
        if hmac.compare_digest(sent, key.digest):
            found = key
    return found
