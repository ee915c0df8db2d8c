"""What the service asks of a store, and what a store answers.

StoreUnavailable           the store cannot answer now; try again later
├── ServerRefused          the server answers, but games must not be kept on it
│   ├── EvictingServer     it drops keys when its memory is full
│   ├── OldServer          it is older than the scripts need
│   └── OtherKind          it is part of a cluster, or a Sentinel, and the URL says otherwise
├── TooFewReplicas         a write is done, but fewer replicas know of it than wanted
└── UnreadableGame         what lies under the keys of a game is not a whole game of ours
"""

from collections.abc import Mapping, Sequence
from typing import Literal, Protocol

from msgspec import Struct

from engine.game import Entry, Game


class StoreUnavailable(Exception):  # noqa: N818 - a condition to wait out, not a mistake
    """The store cannot answer; the message is for the operator, never for a player."""


class ServerRefused(StoreUnavailable):
    """The server answers, but it is no place to keep games on."""


class EvictingServer(ServerRefused):
    """The server's `maxmemory-policy` lets it drop games when its memory is full."""


class OldServer(ServerRefused):
    """The server is older than Redis 7 or Valkey 8."""


class OtherKind(ServerRefused):
    """The server is a node of a cluster or a Sentinel, and was taken for one that stands alone."""


class TooFewReplicas(StoreUnavailable):
    """A write was done, but a failover could still lose it. Sent again, it waits again."""


class UnreadableGame(StoreUnavailable):
    """The keys of a game hold something else: another kind of value, version, game or ply."""


class Snapshot(Struct, frozen=True):
    """A game as it was at one moment, with the SHA-256 digests of its tokens by name.

    The names are `organiser`, `invitation` and `seat:0` to `seat:3`.
    """

    game: Game
    tokens: Mapping[str, bytes]


class Committed(Struct, frozen=True, tag="committed"):
    """The write was done, now or by an earlier sending of the same one; the ply it led to."""

    ply: int


class Stale(Struct, frozen=True, tag="stale"):
    """The game is no longer at the expected ply; the ply it is at. Nothing was written."""

    ply: int


class Missing(Struct, frozen=True, tag="missing"):
    """There is no such game (any more). Nothing was written."""


Outcome = Committed | Stale | Missing


OpenOutcome = Literal["opened", "taken", "gone"]
"""A new game is kept, its id is taken, or a game with a mark was there and is gone."""


class Level(Struct, frozen=True):
    """How full a bucket is: whether a token was taken, those left, seconds until the next."""

    taken: bool
    left: int
    wait: float


class Buckets(Protocol):
    """Token buckets by name, for rate limits."""

    async def take(self, name: str, rate: float, size: int) -> Level:
        """Take a token out of a bucket that holds `size` and gets `rate` a second back."""
        ...


class Listed(Struct, frozen=True):
    """A game in a list, with the moment of its opening: milliseconds since 1970, UTC."""

    opened: int
    game_id: str


class Lists(Protocol):
    """Lists of games by name, newest first. A list may name games that are gone."""

    async def add(self, name: str, listed: Listed) -> int:
        """Put a game into a list; how many are in it."""
        ...

    async def remove(self, name: str, gone: Sequence[Listed]) -> int:
        """Take games out of a list; how many are left."""
        ...

    async def page(self, name: str, before: Listed | None, limit: int) -> list[Listed]:
        """The games that were opened before this one, or the newest; at most `limit`."""
        ...


class Store(Protocol):
    """Games by id. Every call may raise StoreUnavailable, and a write that raised it may have
    been done or not: asking again with the same expected ply tells which.
    """

    @property
    def buckets(self) -> Buckets:
        """The buckets of the rate limits."""
        ...

    @property
    def lists(self) -> Lists:
        """The lists of games."""
        ...

    async def open(
        self, game_id: str, game: Game, tokens: Mapping[str, bytes], mark_lifetime: int = 0
    ) -> OpenOutcome:
        """Keep a new game (at ply 0), unless the id is taken.

        With a lifetime (seconds) for its mark, no other game opens under the id while the mark
        lasts, even if this one is gone.
        """
        ...

    async def reserve(self, name: str, reservation: bytes, lifetime: int) -> bytes:
        """Keep this reservation for so many seconds, or the one that stands; which one does."""
        ...

    async def load(self, game_id: str) -> Snapshot | None:
        """The game and its tokens in one round trip; None where there is none."""
        ...

    async def commit(
        self,
        game_id: str,
        expected_ply: int,
        game: Game,
        entries: Sequence[Entry],
        tokens: Mapping[str, bytes] | None = None,
    ) -> Outcome:
        """Keep `game`, reached from `expected_ply` by `entries`, if the game is still there.

        `tokens` are set by the same write. All of the game's keys start their lifetime anew.
        Raises ValueError unless `game.ply` is `expected_ply` plus the number of entries (1 or
        more).
        """
        ...

    async def confirm(self, game_id: str) -> None:
        """Return once all earlier writes to the game are as safe as the deployment wants them.

        For an answer that tells again of a write which may have raised TooFewReplicas.
        """
        ...

    async def log(self, game_id: str, after: int = 0, limit: int | None = None) -> list[Entry]:
        """The entries that follow the ply `after`, at most `limit`; entry n leads to ply n."""
        ...

    async def replace_token(self, game_id: str, name: str, digest: bytes) -> bool:
        """Set one token, leaving game, ply and lifetime alone. False: no such game."""
        ...

    async def delete(self, game_id: str, expected_ply: int) -> Outcome:
        """Forget a game and its tokens, if it is still at `expected_ply`."""
        ...

    async def ready(self) -> None:
        """Return once a write has answered; StoreUnavailable if it takes more than a second."""
        ...

    async def close(self) -> None:
        """Close every connection. The store is not used afterwards."""
        ...
