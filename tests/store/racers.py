"""Writers that all want the same ply, for the race in test_race.py: one process of them."""

import asyncio
from threading import Barrier

from msgspec.structs import replace

from service.store.protocol import Committed, Outcome, Stale
from service.store.redis import RedisStore
from tests.store.lines import SECOND, long_line

GAME = "race"
ROUNDS = 200
PATIENCE = 60
"""Seconds to wait for the other process before giving up."""

# Of each round: who of these writers committed, and how many found the game moved on to which ply.
Round = tuple[list[int], dict[int, int]]


def race(url: str, writers: range, start: Barrier) -> list[Round]:
    """Let the writers race for one ply after another, each round begun by all at once."""
    return asyncio.run(_race(url, writers, start))


async def _race(url: str, writers: range, start: Barrier) -> list[Round]:
    store = RedisStore(url)
    told: list[Round] = []
    for ply in range(ROUNDS):
        start.wait(PATIENCE)
        outcomes = await asyncio.gather(*(_write(store, ply, writer) for writer in writers))
        told.append(_tell(writers, outcomes))
    await store.close()
    return told


async def _write(store: RedisStore, ply: int, writer: int) -> Outcome:
    made, game = long_line(ROUNDS)[ply]
    # The writer's number shows in the entry, so that the log tells who wrote it.
    return await store.commit(GAME, ply, game, [replace(made, at=ply * SECOND + writer)])


def _tell(writers: range, outcomes: list[Outcome]) -> Round:
    won: list[int] = []
    stale: dict[int, int] = {}
    for writer, outcome in zip(writers, outcomes, strict=True):
        match outcome:
            case Committed():
                won.append(writer)
            case Stale(ply):
                stale[ply] = stale.get(ply, 0) + 1
    return won, stale
