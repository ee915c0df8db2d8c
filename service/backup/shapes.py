"""What the lines of a backup hold; see `lines` for how they are written."""

from collections.abc import Mapping
from datetime import datetime

from msgspec import Raw, Struct

from engine.game import Entry, Opening, Status
from service.store.archive import Lasting
from service.store.protocol import Listed


class Line(Struct, frozen=True, kw_only=True, tag_field="kind"):
    """Any line."""


class Head(Line, frozen=True, kw_only=True, tag="head"):
    """The first line: what this is, and when and by which release it was made.

    `is_all` unless only some games were asked for.
    """

    format: str
    made: datetime
    service: str
    rules_version: str
    is_all: bool


class Foot(Line, frozen=True, kw_only=True, tag="foot"):
    """The last line: how many games there are, and the SHA-256 of all lines before this one.

    `is_whole` unless a game could not be read, or may have been missed.
    """

    games: int
    is_whole: bool
    lines_sha256: str


class PrivateGame(Struct, frozen=True, kw_only=True):
    """A game so that it can be played on: with its secret, and the digests of its tokens.

    Among the tokens are the receipts of those who took a seat under an idempotency key.
    """

    opening: Opening
    log: tuple[Entry, ...]
    tokens: Mapping[str, bytes]
    left_ms: int


class GameLine(Line, frozen=True, kw_only=True, tag="game"):
    """One game, as it was at one moment; `record` is null unless it is over."""

    game: str
    status: Status
    ply: int
    hash: str
    record: Raw
    private: PrivateGame


class PrivateMark(Struct, frozen=True, kw_only=True):
    """An id under which no other game may open."""

    game: str
    mark: Lasting


class MarkLine(Line, frozen=True, kw_only=True, tag="mark"):
    """One mark."""

    private: PrivateMark


class PrivateReservation(Struct, frozen=True, kw_only=True):
    """The game that an idempotency key opened, and the salt of its tokens."""

    name: str
    reservation: Lasting


class ReservationLine(Line, frozen=True, kw_only=True, tag="reservation"):
    """One reservation."""

    private: PrivateReservation


class PrivateList(Struct, frozen=True, kw_only=True):
    """A part of a list of games: the public ones, or those of a key holder."""

    name: str
    games: tuple[Listed, ...]


class ListLine(Line, frozen=True, kw_only=True, tag="list"):
    """One part of a list."""

    private: PrivateList


Body = GameLine | MarkLine | ReservationLine | ListLine
"""What stands between head and foot."""
