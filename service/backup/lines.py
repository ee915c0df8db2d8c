"""The lines of a backup: NDJSON, each with a sum of its own, between a head and a foot.

`{"kind":"game", …, "private":{…}, "sha256":"…"}`. What is in the member `private` is served to
nobody: it holds the secrets of games that are still played, and what tokens are known by. The rest
tells how far a game is, and once it is over that is its record, byte for byte as
`GET /v1/games/{game}/record` serves it. That is no secret of a game that is played, but not for
everybody either: ids and records of private games, which are shown to their own tokens only, are
among it. What may be given away is written by `--records --public`.
`sha256` is of all that stands before it in its line, and notices accidents, not forgers.

The openings and entries in the private part are those of the engine, as JSON arrays: they grow by
fields with defaults, at the end, and `tests/backup/old` holds a backup that must be read for ever.
"""

import hashlib
from datetime import UTC, datetime
from importlib.metadata import version
from typing import Final

import msgspec
from msgspec import Raw

from engine.ruleset import RULES_VERSION
from service.backup.shapes import Body, Foot, GameLine, Head, PrivateGame
from service.package import PACKAGE
from service.store.archive import KeptGame
from service.wording import records

FORMAT: Final = "persian-rummy-backup/1"

_NO_RECORD: Final = Raw(b"null")
_SUM: Final = b',"sha256":"%s"}\n'
_SUM_SIZE: Final = len(_SUM % (b"0" * 64))

_encode: Final = msgspec.json.Encoder().encode
_lines: Final[msgspec.json.Decoder[Head | Body | Foot]] = msgspec.json.Decoder(Head | Body | Foot)


class Damaged(Exception):  # noqa: N818 - a verdict on a line
    """A line is not what was written once; the message says why."""


def new_head(*, is_all: bool) -> Head:
    """The head of a backup that is made now."""
    return Head(
        format=FORMAT,
        made=datetime.now(UTC),
        service=version(PACKAGE),
        rules_version=RULES_VERSION,
        is_all=is_all,
    )


def line_of(kept: KeptGame) -> GameLine:
    """The line of a game."""
    game = kept.game
    return GameLine(
        game=kept.game_id,
        status=game.status,
        ply=game.ply,
        hash=game.hash.hex(),
        record=Raw(record_in(kept)) if game.status == "finished" else _NO_RECORD,
        private=PrivateGame(
            opening=game.opening, log=kept.log, tokens=kept.tokens, left_ms=kept.left_ms
        ),
    )


def record_in(kept: KeptGame) -> bytes:
    """The record of a game that is over, as it is served."""
    return _encode(records.to_wire(kept.game_id, kept.game, kept.log))


def sealed(line: Head | Body | Foot) -> bytes:
    """The bytes of a line, with its end."""
    open_body = _encode(line)[:-1]
    return open_body + _sum(open_body)


def opened(text: bytes) -> Head | Body | Foot:
    """The line in these bytes. Raises Damaged."""
    open_body, told = text[:-_SUM_SIZE], text[-_SUM_SIZE:]
    if told != _sum(open_body):
        raise Damaged("it is not as it was written")
    try:
        return _lines.decode(open_body + b"}")
    except (msgspec.DecodeError, RecursionError) as error:
        raise Damaged(f"it is of another form: {error}") from error


def _sum(open_body: bytes) -> bytes:
    return _SUM % hashlib.sha256(open_body).hexdigest().encode()
