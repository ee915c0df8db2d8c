"""Games and log entries as stored bytes, and back.

Both are sealed alike: one byte of schema version, the eight bytes of the write that stored them
(so that a write sent twice knows its own work), then msgpack. A state carries the id of its
game, so that a value that turns up under the wrong key, or in answer to another question, is
noticed.

The schema evolves by adding fields with defaults, at the end; `tests/store/old` holds bytes that
must decode for ever. The version changes only when that is impossible.
"""

import secrets
from typing import Final, NewType

import msgspec

from engine.game import Entry, Game
from service.store.protocol import UnreadableGame

WriteId = NewType("WriteId", bytes)
"""Eight random bytes that name one write, however often it is sent."""

SCHEMA: Final = 1
WRITE_ID_BYTES: Final = 8
_HEAD: Final = 1 + WRITE_ID_BYTES

_encoder = msgspec.msgpack.Encoder()
_states = msgspec.msgpack.Decoder(tuple[str, Game])
_entries = msgspec.msgpack.Decoder(Entry)


def new_write_id() -> WriteId:
    """A fresh write id. It need only differ from those of other writes to the same game."""
    return WriteId(secrets.token_bytes(WRITE_ID_BYTES))


def seal_state(write: WriteId, game_id: str, game: Game) -> bytes:
    """The bytes to store for a game."""
    return _seal(write, (game_id, game))


def open_state(game_id: str, stored: bytes) -> Game:
    """The game in stored bytes. Raises UnreadableGame where they hold no game of this id."""
    try:
        owner, game = _states.decode(_body(stored))
    except msgspec.DecodeError as error:
        raise UnreadableGame(f"the state of game {game_id} does not decode: {error}") from error
    if owner != game_id:
        raise UnreadableGame(f"the state of game {game_id} belongs to another game")
    return game


def seal_entry(write: WriteId, entry: Entry) -> bytes:
    """The bytes to store for a log entry."""
    return _seal(write, entry)


def open_entry(stored: bytes) -> Entry:
    """The log entry in stored bytes. Raises UnreadableGame where they hold none."""
    try:
        return _entries.decode(_body(stored))
    except msgspec.DecodeError as error:
        raise UnreadableGame(f"a log entry does not decode: {error}") from error


def _seal(write: WriteId, body: object) -> bytes:
    if len(write) != WRITE_ID_BYTES:
        raise ValueError(f"a write id has {WRITE_ID_BYTES} bytes, not {len(write)}")
    return bytes((SCHEMA,)) + write + _encoder.encode(body)


def _body(stored: bytes) -> memoryview:
    if len(stored) <= _HEAD:
        raise UnreadableGame("a stored value is too short to be one of ours")
    if stored[0] != SCHEMA:
        raise UnreadableGame(f"a stored value has schema {stored[0]}; this release reads {SCHEMA}")
    return memoryview(stored)[_HEAD:]
