"""The store on a Redis or Valkey server."""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Final, cast

import msgspec
from msgspec import Struct

from engine.game import Entry, Game
from service.store import codec, keys, scripts
from service.store.address import Credentials
from service.store.archive import RedisArchive
from service.store.buckets import RedisBuckets
from service.store.link import Link, Reply
from service.store.lists import RedisLists
from service.store.protocol import (
    Committed,
    Missing,
    OpenOutcome,
    Outcome,
    Snapshot,
    Stale,
    StoreUnavailable,
    UnreadableGame,
)
from service.store.servers import Patience
from service.store.witness import NOBODY, Witness

READY_WITHIN: Final = 1.0
"""Seconds: a store that needs longer for one small write is not ready."""
_READY_LIFETIME: Final = 60
_DAY: Final = 24 * 60 * 60


class Lifetimes(Struct, frozen=True):
    """Seconds that a game is kept after its last change, by its status."""

    waiting: int = 1 * _DAY
    """Nobody came: the seats of a game that is not full by tomorrow stay empty."""
    playing: int = 7 * _DAY
    """Players may take a week over a move."""
    finished: int = 30 * _DAY
    """Time enough to fetch the record."""

    def __post_init__(self) -> None:
        for name in ("waiting", "playing", "finished"):
            if getattr(self, name) < 1:
                raise ValueError(f"the lifetime of a {name} game must be 1 second or more")


class RedisStore:
    """The Store on one server, one that Sentinels watch, or a cluster: see service.store.address.

    Made without touching the server, so that a service may start before it; `check` looks at it
    and refuses an unfit one, as does whatever call comes first.
    """

    def __init__(
        self,
        url: str,
        lifetimes: Lifetimes | None = None,
        patience: Patience | None = None,
        credentials: Credentials | None = None,
        replicas: int = 0,
        witness: Witness = NOBODY,
    ) -> None:
        """Raises ValueError for a URL that cannot be used.

        With `replicas`, a write is answered once so many replicas have it.
        """
        self._lifetimes = lifetimes or Lifetimes()
        self._link = Link(url, patience or Patience(), credentials, replicas, witness)
        self._replicas = replicas
        self._witness = witness
        self.buckets = RedisBuckets(self._link)
        self.lists = RedisLists(self._link, sum(msgspec.structs.astuple(self._lifetimes)))
        self.archive = RedisArchive(self._link, self._lifetime)

    async def check(self) -> None:
        """Look at the server once. Raises ServerRefused, or StoreUnavailable if it is away."""
        await self._link.check()

    async def open(
        self, game_id: str, game: Game, tokens: Mapping[str, bytes], mark_lifetime: int = 0
    ) -> OpenOutcome:
        """See Store.open. Raises ValueError for a game that has been played already."""
        if game.ply != 0:
            raise ValueError(f"a game opens at ply 0, not {game.ply}")
        write = codec.new_write_id()
        reply = await self._link.run(
            scripts.OPEN,
            (*keys.of_game(game_id), keys.mark_of(game_id)),
            write,
            self._lifetime(game),
            mark_lifetime,
            codec.seal_state(write, game_id, game),
            *_flat(tokens),
        )
        if reply.tag == "opened":
            self._witness.opened(game)
        return cast(OpenOutcome, reply.tag)

    async def reserve(self, name: str, reservation: bytes, lifetime: int) -> bytes:
        """See Store.reserve."""
        reply = await self._link.run(
            scripts.RESERVE,
            (keys.reservation(name),),
            codec.new_write_id(),
            lifetime,
            reservation,
        )
        return cast(bytes, reply.values[0])

    async def load(self, game_id: str) -> Snapshot | None:
        """See Store.load."""
        reply = await self._link.run(scripts.LOAD, keys.of_game(game_id), codec.new_write_id())
        if reply.tag == "missing":
            return None
        state, ply, fields = cast(tuple[bytes, bytes, list[bytes]], reply.values)
        game = codec.open_state(game_id, state)
        if game.ply != int(ply):
            raise UnreadableGame(
                f"game {game_id} is at ply {game.ply}, but its log has {int(ply)} entries"
            )
        # A name that is none of ours opens nothing, and is no reason to refuse the game.
        names = (name.decode(errors="replace") for name in fields[::2])
        return Snapshot(game, dict(zip(names, fields[1::2], strict=True)))

    async def commit(
        self,
        game_id: str,
        expected_ply: int,
        game: Game,
        entries: Sequence[Entry],
        tokens: Mapping[str, bytes] | None = None,
    ) -> Outcome:
        """See Store.commit."""
        if expected_ply < 0 or not entries or game.ply != expected_ply + len(entries):
            raise ValueError(
                f"{len(entries)} entries do not lead from ply {expected_ply} to {game.ply}"
            )
        write = codec.new_write_id()
        reply = await self._link.run(
            scripts.COMMIT,
            keys.of_game(game_id),
            write,
            expected_ply,
            self._lifetime(game),
            codec.seal_state(write, game_id, game),
            len(entries),
            *(codec.seal_entry(write, entry) for entry in entries),
            *_flat(tokens or {}),
        )
        if reply.tag == "committed":
            self._witness.committed(game, entries)
            return Committed(game.ply)
        if reply.tag == "stale":
            self._witness.stale()
        return _refusal(reply)

    async def confirm(self, game_id: str) -> None:
        """See Store.confirm."""
        if self._replicas:
            await self._link.run(scripts.CONFIRM, keys.of_game(game_id), codec.new_write_id())

    async def log(self, game_id: str, after: int = 0, limit: int | None = None) -> list[Entry]:
        """See Store.log. Raises ValueError for a negative `after` or a `limit` below 1."""
        if after < 0 or (limit is not None and limit < 1):
            raise ValueError(f"no such part of a log: after {after}, limit {limit}")
        last = -1 if limit is None else after + limit - 1
        reply = await self._link.run(
            scripts.LOG, keys.of_game(game_id), codec.new_write_id(), after, last
        )
        if reply.tag == "missing":
            return []
        return [codec.open_entry(stored) for stored in cast(list[bytes], reply.values[0])]

    async def replace_token(self, game_id: str, name: str, digest: bytes) -> bool:
        """See Store.replace_token."""
        reply = await self._link.run(
            scripts.REPLACE_TOKEN, keys.of_game(game_id), codec.new_write_id(), name, digest
        )
        return reply.tag == "replaced"

    async def delete(self, game_id: str, expected_ply: int) -> Outcome:
        """See Store.delete."""
        reply = await self._link.run(
            scripts.DELETE, keys.of_game(game_id), codec.new_write_id(), expected_ply
        )
        # Gone at the second sending: the first one did it, and its answer was lost.
        if reply.tag == "deleted" or (reply.tag == "missing" and reply.resent):
            return Committed(expected_ply)
        return _refusal(reply)

    async def ready(self) -> None:
        """See Store.ready."""
        try:
            async with asyncio.timeout(READY_WITHIN):
                await self._link.write(keys.READY, "yes", _READY_LIFETIME)
        except TimeoutError as error:
            raise StoreUnavailable(f"no write was answered within {READY_WITHIN} s") from error

    async def close(self) -> None:
        """See Store.close."""
        await self._link.close()

    def _lifetime(self, game: Game) -> int:
        match game.status:
            case "waiting":
                return self._lifetimes.waiting
            case "playing":
                return self._lifetimes.playing
            case "finished":
                return self._lifetimes.finished


def _flat(tokens: Mapping[str, bytes]) -> Iterable[str | bytes]:
    return chain.from_iterable(tokens.items())


def _refusal(reply: Reply) -> Stale | Missing:
    if reply.tag == "stale":
        return Stale(int(cast(bytes, reply.values[0])))
    return Missing()
