"""Requests that may be sent again: what their idempotency key leaves behind.

No key is kept. What is kept under a digest of caller, path and key is enough to tell a repeat from
another request, and together with the key it gives the same tokens again.
"""

import hashlib
import secrets
from typing import Final, TypeVar

import msgspec
from msgspec import Struct

from engine.cards import Seat
from service.domain.refusals import OtherBody
from service.domain.tokens import GameId
from service.store.protocol import UnreadableGame

T = TypeVar("T")

LIFETIME: Final = 24 * 60 * 60
"""Seconds that a key is remembered."""

_SALT_BYTES: Final = 16


class Keyed(Struct, frozen=True):
    """A request with an idempotency key.

    `name` is what the key is remembered under, `body` the digest of the body byte for byte.
    """

    key: str
    name: str
    body: bytes


class Reservation(Struct, frozen=True, array_like=True):
    """What the first request with a key set out to open, and when (ms since 1970)."""

    body: bytes
    salt: bytes
    game_id: GameId
    at: int


class Receipt(Struct, frozen=True, array_like=True):
    """The seat that a request with a key took, the ply it led to, and when (ms since 1970)."""

    body: bytes
    salt: bytes
    seat: Seat
    ply: int
    at: int


def keyed_request(caller: str, path: str, key: str, body: bytes) -> Keyed:
    """A request as its key is remembered: for this caller and path only."""
    name = hashlib.sha256("\n".join((caller, path, key)).encode()).hexdigest()
    return Keyed(key, name, hashlib.sha256(body).digest())


def new_salt() -> bytes:
    """Fresh chance for the tokens of one request."""
    return secrets.token_bytes(_SALT_BYTES)


def refuse_other_body(kept: Reservation | Receipt, keyed: Keyed) -> None:
    """Raise OtherBody where the key came with another body before."""
    if kept.body != keyed.body:
        raise OtherBody


def field(keyed: Keyed) -> str:
    """The name of a receipt among the tokens of a game."""
    return f"receipt:{keyed.name}"


def seal(kept: Reservation | Receipt) -> bytes:
    """The bytes to keep."""
    return msgspec.msgpack.encode(kept)


def open_reservation(kept: bytes) -> Reservation:
    """The reservation in kept bytes. Raises UnreadableGame where they hold none."""
    return _opened(kept, Reservation)


def open_receipt(kept: bytes | None, now: int) -> Receipt | None:
    """The receipt in kept bytes; None where there is none, or it has lapsed."""
    if kept is None:
        return None
    receipt = _opened(kept, Receipt)
    return receipt if now - receipt.at < LIFETIME * 1000 else None


def _opened(kept: bytes, kind: type[T]) -> T:
    try:
        return msgspec.msgpack.decode(kept, type=kind)
    except (msgspec.DecodeError, RecursionError) as error:
        raise UnreadableGame(f"a {kind.__name__.lower()} does not decode: {error}") from error
