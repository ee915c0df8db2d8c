"""Games and log entries as stored bytes, and back.

A stored value begins with one byte of schema version and six bytes that name the write which
stored it, so that a write sent twice knows its own work. A state goes on with a CRC-32 and msgpack,
deflated; it carries the id of its game, so that a value that turns up under the wrong key, or in
answer to another question, is noticed. An entry goes on with its moment (milliseconds since 1970,
six bytes, big-endian) and one flat array of msgpack: four times the tag of its step, plus its seat;
the fields of the step; the card drawn, if any. Bytes count: a log is most of the memory that a game
takes. An entry has no sum of its own: the hash chain tells.

Within a schema the structs grow by fields with defaults, at the end; `tests/store/old` holds bytes
that must decode for ever. A new schema is for what is impossible so. Schema 1 had eight bytes for
the write, and msgpack alone behind them.
"""

import secrets
import zlib
from collections.abc import Iterator
from typing import Final, NewType

import msgspec

from engine.actions import Discard, DrawDiscard, DrawStock, LayOff, Meld
from engine.cards import CODES, SEATS
from engine.game import Entry, Game
from service.store.protocol import UnreadableGame

WriteId = NewType("WriteId", bytes)
"""Six random bytes that name one write, however often it is sent."""

SCHEMA: Final = 2
WRITE_ID_BYTES: Final = 6
_HEAD: Final = 1 + WRITE_ID_BYTES
_MOMENT_BYTES: Final = 6
_HEAD_1: Final = 1 + 8

# What most states hold: pointing there halves them. Part of the schema, to the byte.
_DICTIONARY: Final = (
    b"\x9e\xaasingle_lay\xa8all_pass\xaemeld_or_layoff\xa8must_use\xc2\x19\x92\x02\xc0\xa4draw\x04"
    b"\xa4high\x0f\xa4left\xc3\xa3run\xa3set\xa4play\xa7private\xa6melded\xa7in_hand\xa3out"
    b"\xa7blocked\x9b\x9b\xa7persian\x80\xa8assigned\x00\xa6public\x94\xa5north\xa4east\xa5south"
    b"\xa4west\xc4 "
)
_RAW: Final = -15  # deflate without a head and a checksum of its own
_FASTEST: Final = 1
_SUM_BYTES: Final = 4
_MOST: Final = 1 << 20
"""Bytes of a state. The longest that can be played take some ten thousand; nothing inflates to more
than that, whatever is in the store."""

LAST_MOMENT: Final = 253_402_300_799_999
"""The last millisecond of the year 9999, where calendars end."""


_DRAW_STOCK: Final = msgspec.to_builtins(DrawStock())[0]

_encoder = msgspec.msgpack.Encoder()
_states = msgspec.msgpack.Decoder(tuple[str, Game])
_bodies = msgspec.msgpack.Decoder(list[object])
_entries_1 = msgspec.msgpack.Decoder(Entry)


def new_write_id() -> WriteId:
    """A fresh write id. It need only differ from those of other writes to the same ply."""
    return WriteId(secrets.token_bytes(WRITE_ID_BYTES))


def seal_state(write: WriteId, game_id: str, game: Game) -> bytes:
    """The bytes to store for a game."""
    return _head(write) + _deflated(_encoder.encode((game_id, game)))


def open_state(game_id: str, stored: bytes) -> Game:
    """The game in stored bytes. Raises UnreadableGame where they hold no game of this id."""
    try:
        body = stored[_HEAD_1:] if _schema(stored) == 1 else _inflated(stored[_HEAD:])
        owner, game = _states.decode(body)
    except (msgspec.DecodeError, zlib.error, RecursionError) as error:
        raise UnreadableGame(f"the state of game {game_id} does not decode: {error}") from error
    if owner != game_id:
        raise UnreadableGame(f"the state of game {game_id} belongs to another game")
    return game


def seal_entry(write: WriteId, entry: Entry) -> bytes:
    """The bytes to store for a log entry."""
    tag, *fields = msgspec.to_builtins(entry.step)
    body = [tag * len(SEATS) + entry.seat, *fields]
    if entry.drawn is not None:
        body.append(entry.drawn)
    return _head(write) + entry.at.to_bytes(_MOMENT_BYTES, "big") + _encoder.encode(body)


def open_entry(stored: bytes) -> Entry:
    """The log entry in stored bytes. Raises UnreadableGame where they hold none."""
    try:
        if _schema(stored) == 1:
            return _entries_1.decode(stored[_HEAD_1:])
        moment, body = stored[_HEAD : _HEAD + _MOMENT_BYTES], stored[_HEAD + _MOMENT_BYTES :]
        return _opened(int.from_bytes(moment, "big"), _bodies.decode(body))
    except (msgspec.DecodeError, RecursionError) as error:
        raise UnreadableGame(f"a log entry does not decode: {error}") from error


def _opened(moment: int, body: list[object]) -> Entry:
    match body:
        case [int(code), *fields]:
            tag, seat = divmod(code, len(SEATS))
        case _:
            raise msgspec.DecodeError("no entry")
    if moment > LAST_MOMENT:
        raise msgspec.DecodeError("a moment beyond the calendar")
    # Only a draw from the stock has a card beside its fields, and it has no fields.
    drawn = fields.pop() if tag == _DRAW_STOCK and fields else None
    entry = msgspec.convert((moment, seat, (tag, *fields), drawn), Entry)
    if not all(0 <= each < len(CODES) for each in _cards_of(entry)):
        raise msgspec.DecodeError("no card of the pack")
    return entry


def _cards_of(entry: Entry) -> Iterator[int]:
    if entry.drawn is not None:
        yield entry.drawn
    match entry.step:
        case Meld(cards) | LayOff(cards, _):
            yield from cards
        case Discard(card) | DrawDiscard(card):
            yield card


def _head(write: WriteId) -> bytes:
    if len(write) != WRITE_ID_BYTES:
        raise ValueError(f"a write id has {WRITE_ID_BYTES} bytes, not {len(write)}")
    return bytes((SCHEMA,)) + write


def _schema(stored: bytes) -> int:
    if len(stored) <= _HEAD:
        raise UnreadableGame("a stored value is too short to be one of ours")
    if not 1 <= stored[0] <= SCHEMA:
        raise UnreadableGame(
            f"a stored value has schema {stored[0]}; this release reads 1 to {SCHEMA}"
        )
    return stored[0]


def _deflated(body: bytes) -> bytes:
    deflate = zlib.compressobj(_FASTEST, wbits=_RAW, zdict=_DICTIONARY)
    return _sum(body) + deflate.compress(body) + deflate.flush()


def _inflated(stored: bytes) -> bytes:
    inflate = zlib.decompressobj(wbits=_RAW, zdict=_DICTIONARY)
    body = inflate.decompress(stored[_SUM_BYTES:], _MOST)
    if not inflate.eof or inflate.unused_data or stored[:_SUM_BYTES] != _sum(body):
        raise zlib.error("what is stored is not what was stored")
    return body


def _sum(body: bytes) -> bytes:
    return zlib.crc32(body).to_bytes(_SUM_BYTES, "big")
