"""Callers that give up: their answers come later, and nobody else must get them.

Each value that is read carries its game, and each answer the id of its call, so that a mix-up could
not be served; these tests see that none happens, and that no connection is lost to the pool.
"""

import asyncio
import os
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from random import Random

from service.store.protocol import Committed, Snapshot, StoreUnavailable
from service.store.redis import RedisStore
from service.store.servers import Patience
from tests.store.lines import entries, game_at
from tests.store.proxies import proxy_to
from tests.store.sentinels import SentinelTrio
from tests.store.servers import Server

CANCELS = int(os.environ.get("TEST_CANCELS", "300"))
"""How many calls are given up in each test; 10,000 in the long form."""
FEW = Patience(connections=2)
GAMES = ("g1", "g2", "g3")
AT_ONCE = 6


@asynccontextmanager
async def store_on(url: str, replicas: int = 0) -> AsyncIterator[RedisStore]:
    """A store with games that differ in their tokens."""
    store = RedisStore(url, patience=FEW, replicas=replicas)
    try:
        for game_id in GAMES:
            await store.open(game_id, game_at(0), {"organiser": game_id.encode()})
        yield store
    finally:
        await store.close()


async def give_up_often(
    store: RedisStore, ask: Callable[[RedisStore, str], Awaitable[object]]
) -> None:
    """Ask for several games at once, give up half of the calls somewhere on their way, and see
    that every other answer is the right one.
    """
    chance = Random(1)
    for _ in range(CANCELS // (AT_ONCE // 2)):
        calls = [asyncio.ensure_future(ask(store, GAMES[at % len(GAMES)])) for at in range(AT_ONCE)]
        if chance.random() < 0.5:
            for _ in range(chance.randrange(30)):
                await asyncio.sleep(0)
        else:
            await asyncio.wait(calls, timeout=chance.random() / 500)
        for call in calls[: AT_ONCE // 2]:
            call.cancel()
        answers = await asyncio.gather(*calls, return_exceptions=True)
        for answer in answers[AT_ONCE // 2 :]:
            assert answer is True, answer
    # No connection was lost to the pool: more calls than there are of them still come through.
    assert all(await asyncio.gather(*(ask(store, game_id) for game_id in GAMES * 10)))


async def read(store: RedisStore, game_id: str) -> bool:
    snapshot = await store.load(game_id)
    return snapshot == Snapshot(game_at(0), {"organiser": game_id.encode()})


async def read_and_confirm(store: RedisStore, game_id: str) -> bool:
    """Two commands sent together, and one by itself."""
    await store.confirm(game_id)
    return await read(store, game_id)


async def test_on_every_kind_of_deployment(redis_url: str) -> None:
    async with store_on(redis_url) as store:
        await give_up_often(store, read)


async def test_on_a_slow_line() -> None:
    with Server() as server:
        async with proxy_to(server) as (proxy, url), store_on(url) as store:
            proxy.delay = 0.002
            await give_up_often(store, read)


async def test_with_commands_that_are_sent_together() -> None:
    with SentinelTrio() as trio:
        async with store_on(trio.url, replicas=1) as store:
            await give_up_often(store, read_and_confirm)
            with trio.client() as client:
                client.script_flush()
            # The script is unknown, and what was sent behind it is answered all the same.
            moved = await store.commit("g1", 0, game_at(1), entries(1, 1))
            assert moved == Committed(1)


async def test_a_move_that_was_given_up_is_played_once_or_not_at_all(redis_url: str) -> None:
    chance = Random(2)
    async with store_on(redis_url) as store:
        ply = 0
        while ply < 40:
            move = asyncio.ensure_future(
                store.commit("g1", ply, game_at(ply + 1), entries(ply + 1, ply + 1))
            )
            for _ in range(chance.randrange(12)):
                await asyncio.sleep(0)
            move.cancel()
            await asyncio.wait([move])
            log = await store.log("g1")
            assert log == entries(1, len(log))
            assert len(log) - ply in (0, 1)
            ply = len(log)
            if chance.random() < 0.5:
                await store.commit("g1", ply, game_at(ply + 1), entries(ply + 1, ply + 1))
                ply += 1


async def test_a_store_that_is_away_frees_whoever_waits() -> None:
    with Server() as server:
        async with store_on(server.url) as store:
            server.kill()
            calls = (store.load(game_id) for game_id in GAMES * 20)
            answers = await asyncio.wait_for(asyncio.gather(*calls, return_exceptions=True), 20)
            assert all(isinstance(answer, StoreUnavailable) for answer in answers)
