"""All that is kept, read and written whole: for backups, and for nothing that a request can reach.

It is no part of the Store that routes know.
"""

import time
from collections.abc import AsyncIterator, Callable, Mapping
from typing import Final, Literal, cast

from msgspec import Struct

from engine.game import Entry, Game
from service.store import codec, keys, scripts
from service.store.link import Link
from service.store.protocol import UnreadableGame

_SCANNED: Final = 500
"""Keys that a server looks at in one go, about 0.1 ms: players are served between two of them."""

FOR_EVER: Final = -1
"""What the server tells of a key that somebody has made last for ever, by hand."""

LEAST_LIFETIME_MS: Final = 60 * 60 * 1000
"""A game that had a minute left would be gone before its players heard that it is back."""

_DAY_MS: Final = 24 * 60 * 60 * 1000
"""For what an idempotency key has left behind: it is remembered for a day."""


Restored = Literal["restored", "kept", "gone"]
"""A game is back, something is kept under its id already, or it was there and is gone: its mark
stands.
"""


class KeptGame(Struct, frozen=True):
    """All that is kept of a game, as it was at one moment; milliseconds that it had left then, or
    FOR_EVER.
    """

    game_id: str
    game: Game
    log: tuple[Entry, ...]
    tokens: Mapping[str, bytes]
    left_ms: int


class Lasting(Struct, frozen=True):
    """What an idempotency key has left behind, and until when: milliseconds since 1970, or
    FOR_EVER.
    """

    value: bytes
    until: int


class Standing(Struct, frozen=True):
    """A server, which of its lives this is, and the slots that it keeps in a cluster."""

    name: str
    run: str
    slots: tuple[str, ...]

    @property
    def is_settled(self) -> bool:
        """Whether no slot is on its way to it or from it."""
        return not any(slot.startswith("[") for slot in self.slots)


class RedisArchive:
    """Everything under our keys; `lifetime` tells the seconds that a game is kept, by its status.

    Every call may raise StoreUnavailable.
    """

    def __init__(self, link: Link, lifetime: Callable[[Game], int]) -> None:
        self._link = link
        self._lifetime = lifetime

    async def names(self, kind: keys.Kind) -> AsyncIterator[list[str]]:
        """The ids or names that there is a key of this kind for, some at a time.

        None is left out that is there all the time, as long as `standing` stays the same; one may
        come twice.
        """
        for server in await self._link.servers():
            cursor = 0
            while True:
                told = await self._link.ask(
                    server, "SCAN", cursor, "MATCH", keys.pattern(kind), "COUNT", _SCANNED
                )
                cursor, found = cast(tuple[int, list[bytes]], told)
                yield [name for key in found if (name := keys.name_in(key))]
                if int(cursor) == 0:
                    break

    async def standing(self) -> list[Standing]:
        """The servers as they stand now.

        A server that has restarted since, or was replaced, goes through its keys in another order;
        and a slot may have moved to where nobody looks again.
        """
        servers = await self._link.servers()
        found = []
        for server in servers:
            told = cast(Mapping[str, object], await self._link.ask(server, "INFO", "server"))
            nodes = await self._link.ask(server, "CLUSTER", "NODES") if len(servers) > 1 else b""
            found.append(Standing(server.name, str(told["run_id"]), _own_slots(nodes)))
        return found

    async def read(self, game_id: str, most_left_ms: int | None = None) -> KeptGame | None:
        """A game; None where there is none, or it has more left. Raises UnreadableGame."""
        most = "" if most_left_ms is None else most_left_ms
        reply = await self._link.run(
            scripts.WHOLE, keys.of_game(game_id), codec.new_write_id(), most
        )
        if reply.tag != "whole":
            return None
        state, entries, fields, left = cast(
            tuple[bytes, list[bytes], list[bytes], int], reply.values
        )
        game = codec.open_state(game_id, state)
        if game.ply != len(entries):
            raise UnreadableGame(
                f"game {game_id} is at ply {game.ply}, but its log has {len(entries)} entries"
            )
        # A name that is none of ours opens nothing, and is no reason to leave the game behind.
        names = (name.decode(errors="replace") for name in fields[::2])
        return KeptGame(
            game_id=game_id,
            game=game,
            log=tuple(codec.open_entry(stored) for stored in entries),
            tokens=dict(zip(names, fields[1::2], strict=True)),
            left_ms=left,
        )

    async def restore(self, kept: KeptGame, *, anew: bool) -> Restored:
        """Keep a game, unless its id is taken: then what is there stays as it is; or it is gone.

        It has as much left as it had, but an hour at least; or its lifetime begins `anew`, as it
        does for one that was kept for ever: nothing that we write is.
        """
        if (await self._there(kept.game_id)) == (False, True):
            return "gone"
        write = codec.new_write_id()
        begins = anew or kept.left_ms == FOR_EVER
        left = self._lifetime(kept.game) * 1000 if begins else max(kept.left_ms, LEAST_LIFETIME_MS)
        reply = await self._link.run(
            scripts.RESTORE,
            keys.of_game(kept.game_id),
            write,
            left,
            codec.seal_state(write, kept.game_id, kept.game),
            len(kept.log),
            *(codec.seal_entry(write, entry) for entry in kept.log),
            *(part for token in kept.tokens.items() for part in token),
        )
        return cast(Restored, reply.tag)

    async def mark(self, game_id: str) -> Lasting | None:
        """The mark of an id, if it has one."""
        return await self._peek(keys.mark_of(game_id))

    async def reservation(self, name: str) -> Lasting | None:
        """What a key has reserved, if it is remembered still."""
        return await self._peek(keys.reservation(name))

    async def put_mark(self, game_id: str, mark: Lasting, *, alone: bool) -> None:
        """Keep a mark, unless it has lapsed, or there is one; `alone`, even where no game is."""
        if alone or (await self._there(game_id))[0]:
            await self._put(keys.mark_of(game_id), mark)

    async def put_reservation(self, name: str, reservation: Lasting) -> None:
        """Keep a reservation, unless it has lapsed, or another stands."""
        await self._put(keys.reservation(name), reservation)

    async def _there(self, game_id: str) -> tuple[bool, bool]:
        """Whether anything is kept of a game, and whether its id has a mark."""
        names = (*keys.of_game(game_id), keys.mark_of(game_id))
        reply = await self._link.run(scripts.THERE, names, codec.new_write_id())
        has_game, has_mark = map(bool, reply.values)
        return has_game, has_mark

    async def _peek(self, key: str) -> Lasting | None:
        reply = await self._link.run(scripts.PEEK, (key,), codec.new_write_id())
        if reply.tag == "missing":
            return None
        value, until = cast(tuple[bytes, int], reply.values)
        return Lasting(value, until)

    async def _put(self, key: str, lasting: Lasting) -> None:
        until = _now_ms() + _DAY_MS if lasting.until == FOR_EVER else lasting.until
        # A server takes no moment before its first.
        await self._link.run(
            scripts.PUT, (key,), codec.new_write_id(), lasting.value, max(until, 1)
        )


def _now_ms() -> int:
    return time.time_ns() // 1_000_000


def _own_slots(nodes: object) -> tuple[str, ...]:
    """The slots in a node's line about itself; those that begin with `[` are on the move."""
    told = cast(bytes, nodes).decode()
    own = next((line for line in told.splitlines() if "myself" in line.split(" ")[2]), "")
    return tuple(own.split(" ")[8:])
