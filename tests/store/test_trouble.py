"""What the store does when its server is away, slow, full, read-only or not the right one."""

import asyncio
import shutil
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager

import pytest

from service.store import scripts
from service.store.fitness import refuse_unfit
from service.store.protocol import (
    Committed,
    EvictingServer,
    OldServer,
    OtherKind,
    Snapshot,
    StoreUnavailable,
)
from service.store.redis import RedisStore
from service.store.servers import Patience
from tests.store.lines import EAST, ORGANISER, entries, game_at
from tests.store.proxies import proxy_to
from tests.store.servers import Server, wait_until

GAME = "g1"
OPENED = {"organiser": ORGANISER}
HASTY = Patience(connect=0.5, answer=0.5, pool=0.5)


@pytest.fixture
def own_server() -> Iterator[Server]:
    """A server to be unkind to. It remembers what it answered, even if it is killed."""
    with Server("--appendonly", "yes", "--appendfsync", "always") as server:
        yield server


@asynccontextmanager
async def store_on(url: str, patience: Patience | None = None) -> AsyncIterator[RedisStore]:
    store = RedisStore(url, patience=patience)
    try:
        yield store
    finally:
        await store.close()


async def commit(store: RedisStore, ply: int) -> object:
    return await store.commit(GAME, ply - 1, game_at(ply), entries(ply, ply))


async def everything_fails(store: RedisStore) -> None:
    for call in (
        store.open(GAME, game_at(0), OPENED),
        store.load(GAME),
        store.log(GAME),
        commit(store, 1),
        store.replace_token(GAME, "seat:1", EAST),
        store.delete(GAME, 0),
        store.ready(),
    ):
        with pytest.raises(StoreUnavailable):
            await call


async def test_a_server_that_comes_late_is_found() -> None:
    with Server() as server:
        server.kill()
        async with store_on(server.url) as store:
            with pytest.raises(StoreUnavailable):
                await store.check()
            await everything_fails(store)
            server.start()
            await store.ready()
            assert await store.open(GAME, game_at(0), OPENED) == "opened"


async def test_a_server_that_was_killed_is_found_again(own_server: Server) -> None:
    async with store_on(own_server.url) as store:
        await store.open(GAME, game_at(0), OPENED)
        await commit(store, 1)
        own_server.kill()
        await everything_fails(store)
        own_server.start()
        assert await store.load(GAME) == Snapshot(game_at(1), OPENED)
        assert await commit(store, 2) == Committed(2)


async def test_a_server_that_restarts_between_two_calls_is_not_noticed(own_server: Server) -> None:
    async with store_on(own_server.url) as store:
        await store.open(GAME, game_at(0), OPENED)
        for ply in (1, 2, 3):
            own_server.kill()
            own_server.start()
            assert await commit(store, ply) == Committed(ply)


async def test_a_move_sent_to_a_frozen_server_is_played_once(own_server: Server) -> None:
    async with store_on(own_server.url, Patience(answer=0.1, resends=20)) as store:
        await store.open(GAME, game_at(0), OPENED)
        for ply in range(1, 4):
            own_server.freeze()
            move = asyncio.create_task(commit(store, ply))
            # Three sendings lie in the frozen server's sockets by now.
            with pytest.raises(TimeoutError):
                await asyncio.wait_for(asyncio.shield(move), 0.4)
            own_server.thaw()
            assert await move == Committed(ply)
            assert await store.log(GAME) == entries(1, ply)


async def test_a_frozen_server_is_given_up_in_bounded_time(own_server: Server) -> None:
    async with store_on(own_server.url, HASTY) as store:
        await store.open(GAME, game_at(0), OPENED)
        own_server.freeze()
        began = time.monotonic()
        with pytest.raises(StoreUnavailable, match="Timeout"):
            await commit(store, 1)
        # With the usual patience it would be four seconds and more.
        assert time.monotonic() - began < 3
        own_server.thaw()
        assert isinstance(await store.load(GAME), Snapshot)


async def test_a_frozen_server_is_not_ready_within_a_second(own_server: Server) -> None:
    async with store_on(own_server.url) as store:
        await store.ready()
        own_server.freeze()
        began = time.monotonic()
        with pytest.raises(StoreUnavailable, match=r"within 1.0 s"):
            await store.ready()
        # Two sendings, each waited for as usual, would be four seconds.
        assert time.monotonic() - began < 3
        own_server.thaw()
        await store.ready()


async def use_every_script(store: RedisStore) -> None:
    """Let the server know the scripts, so that the next sending of each does its work."""
    await store.open("other", game_at(0), OPENED)
    await store.commit("other", 0, game_at(1), entries(1, 1))
    await store.replace_token("other", "seat:1", EAST)
    await store.delete("other", 1)


async def test_a_lost_answer_neither_loses_nor_doubles_the_write(own_server: Server) -> None:
    async with proxy_to(own_server) as (proxy, url), store_on(url) as store:
        await use_every_script(store)
        proxy.lose = scripts.OPEN.sha.encode()
        assert await store.open(GAME, game_at(0), OPENED) == "opened"
        proxy.lose = scripts.COMMIT.sha.encode()
        assert await commit(store, 1) == Committed(1)
        proxy.lose = scripts.REPLACE_TOKEN.sha.encode()
        assert await store.replace_token(GAME, "seat:1", EAST)
        assert await store.log(GAME) == entries(1, 1)
        assert await store.load(GAME) == Snapshot(game_at(1), {**OPENED, "seat:1": EAST})
        proxy.lose = scripts.DELETE.sha.encode()
        assert await store.delete(GAME, 1) == Committed(1)
        assert await store.load(GAME) is None
        assert proxy.struck == 4


async def test_the_answer_to_another_call_is_never_taken(own_server: Server) -> None:
    async with proxy_to(own_server) as (proxy, url), store_on(url) as store:
        await store.open(GAME, game_at(0), OPENED)
        await store.load(GAME)
        await commit(store, 1)
        proxy.repeat = scripts.LOAD.sha.encode()
        with pytest.raises(StoreUnavailable, match="another call"):
            await store.load(GAME)
        # The connection that mixed them up is not used again.
        assert proxy.accepted == 1
        assert await store.load(GAME) == Snapshot(game_at(1), OPENED)
        assert proxy.accepted == 2


async def test_an_answer_nobody_asked_for_is_not_taken_for_the_next(
    own_server: Server,
) -> None:
    async with proxy_to(own_server) as (proxy, url), store_on(url) as store:
        await store.open(GAME, game_at(0), OPENED)
        await store.load(GAME)
        proxy.double = scripts.LOAD.sha.encode()
        for _ in range(3):
            assert await store.load(GAME) == Snapshot(game_at(0), OPENED)
        assert proxy.struck == 1


async def test_a_primary_that_became_a_replica_is_left_for_the_new_one(own_server: Server) -> None:
    with Server() as promoted:
        async with proxy_to(own_server) as (proxy, url), store_on(url) as store:
            await store.open(GAME, game_at(0), OPENED)
            async with store_on(promoted.url) as copy:
                await copy.open(GAME, game_at(0), OPENED)
            with own_server.client() as client:
                client.replicaof("127.0.0.1", 1)
            proxy.server = promoted
            assert await commit(store, 1) == Committed(1)
            assert await store.load(GAME) == Snapshot(game_at(1), OPENED)


async def test_what_another_sending_would_not_change_is_told_at_once(own_server: Server) -> None:
    async with store_on(own_server.url, Patience(pause=3600)) as store:
        await store.check()
        with own_server.client() as client:
            client.config_set("maxmemory", 1)
        async with asyncio.timeout(5):
            with pytest.raises(StoreUnavailable, match="OutOfMemory"):
                await store.open(GAME, game_at(0), OPENED)


async def test_more_calls_than_connections_wait_for_their_turn(own_server: Server) -> None:
    async with store_on(own_server.url, Patience(connections=2)) as store:
        await store.open(GAME, game_at(0), OPENED)
        got = await asyncio.gather(*(store.load(GAME) for _ in range(500)))
        assert got == [Snapshot(game_at(0), OPENED)] * 500
        with own_server.client() as client:
            assert len(client.client_list()) == 2 + 1


async def test_calls_do_not_wait_for_a_connection_for_ever(own_server: Server) -> None:
    patience = Patience(connections=1, pool=0.1, answer=30, resends=0)
    async with store_on(own_server.url, patience) as store:
        await store.open(GAME, game_at(0), OPENED)
        own_server.freeze()
        first, *others = [asyncio.create_task(store.load(GAME)) for _ in range(5)]
        for other in others:
            with pytest.raises(StoreUnavailable, match="no connection was free"):
                await asyncio.wait_for(other, 10)
        assert not first.done()
        own_server.thaw()
        assert await first == Snapshot(game_at(0), OPENED)
        assert await store.load(GAME) == Snapshot(game_at(0), OPENED)


async def test_full_memory_refuses_writes_whole_and_lets_games_be_read(own_server: Server) -> None:
    async with store_on(own_server.url) as store:
        await store.open(GAME, game_at(0), OPENED)
        await commit(store, 1)
        with own_server.client() as client:
            client.config_set("maxmemory", 1)
            for call in (
                commit(store, 2),
                store.open("g2", game_at(0), OPENED),
                store.replace_token(GAME, "seat:1", EAST),
                store.ready(),
            ):
                with pytest.raises(StoreUnavailable, match="OutOfMemory"):
                    await call
            assert await store.load(GAME) == Snapshot(game_at(1), OPENED)
            assert await store.log(GAME) == entries(1, 1)
            assert await store.load("g2") is None
            client.config_set("maxmemory", 0)
        assert await commit(store, 2) == Committed(2)


async def test_a_game_can_be_deleted_when_memory_is_full(own_server: Server) -> None:
    async with store_on(own_server.url) as store:
        await store.open(GAME, game_at(0), OPENED)
        with own_server.client() as client:
            client.config_set("maxmemory", 1)
        assert await store.delete(GAME, 0) == Committed(0)


async def test_a_replica_is_no_place_to_write(own_server: Server) -> None:
    async with store_on(own_server.url) as store:
        await store.open(GAME, game_at(0), OPENED)
        with own_server.client() as client:
            client.replicaof("127.0.0.1", 1)
            for call in (commit(store, 1), store.ready()):
                with pytest.raises(StoreUnavailable, match="ReadOnly"):
                    await call
            client.replicaof("NO", "ONE")
        assert await commit(store, 1) == Committed(1)


async def test_a_server_that_cannot_save_is_not_written_to() -> None:
    with Server("--save", "3600 1") as server, server.client() as client:
        async with store_on(server.url) as store:
            await store.open(GAME, game_at(0), OPENED)
            before = client.dbsize()
            shutil.rmtree(server.folder)
            client.bgsave()
            wait_until(lambda: client.info()["rdb_last_bgsave_status"] != "ok")
            for call in (commit(store, 1), store.ready()):
                with pytest.raises(StoreUnavailable, match="MISCONF"):
                    await call
            assert client.dbsize() == before
            assert await store.load(GAME) == Snapshot(game_at(0), OPENED)


async def test_a_wrong_password_is_told(own_server: Server) -> None:
    with own_server.client() as client:
        client.config_set("requirepass", "right")
    for url, works in (
        (own_server.url, False),
        (own_server.url + "?password=wrong", False),
        (own_server.url + "?password=right", True),
    ):
        async with store_on(url) as store:
            if works:
                await store.ready()
                continue
            with pytest.raises(StoreUnavailable, match=r"(?i)auth|password") as caught:
                await store.ready()
            assert "wrong" not in str(caught.value)


async def test_a_node_of_a_cluster_is_no_server_by_itself() -> None:
    with Server("--port", "0", "--cluster-enabled", "yes") as server:
        async with store_on(server.url) as store:
            with pytest.raises(OtherKind, match=r"redis\+cluster://"):
                await store.load(GAME)


@pytest.mark.parametrize(
    "policy", ["allkeys-lru", "allkeys-lfu", "allkeys-random", "volatile-lru", "volatile-ttl"]
)
async def test_a_server_that_evicts_is_refused(policy: str) -> None:
    with Server("--maxmemory-policy", policy) as server:
        async with store_on(server.url) as store:
            for call in (store.check(), store.open(GAME, game_at(0), OPENED), store.ready()):
                with pytest.raises(EvictingServer, match=f"{policy}.*noeviction"):
                    await call
            with server.client() as client:
                assert client.dbsize() == 0
                client.config_set("maxmemory-policy", "noeviction")
            await store.check()


async def test_a_server_that_forbids_config_will_do(own_server: Server) -> None:
    with own_server.client() as client:
        client.acl_setuser(
            "referee",
            enabled=True,
            passwords=["+secret"],
            keys=["rummy:*"],
            commands=["+@read", "+@write", "+@scripting", "+info", "+select", "-config"],
        )
    url = own_server.url.replace("unix://", "unix://referee@") + "?password=secret"
    async with store_on(url) as store:
        await store.check()
        await store.ready()
        assert await store.open(GAME, game_at(0), OPENED) == "opened"


@pytest.mark.parametrize(
    "server", [{"redis_version": "6.2.14"}, {"redis_version": "7.2.4", "valkey_version": "7.2.9"}]
)
def test_an_old_server_is_refused(server: dict[str, object]) -> None:
    with pytest.raises(OldServer, match=r"needs? \w+ \d or later"):
        refuse_unfit({**server, "maxmemory_policy": "noeviction"})


@pytest.mark.parametrize(
    "server", [{"redis_version": "7.0.0"}, {"redis_version": "7.2.4", "valkey_version": "8.0.1"}]
)
def test_the_oldest_servers_that_will_do(server: dict[str, object]) -> None:
    refuse_unfit({**server, "maxmemory_policy": "noeviction"})


@pytest.mark.parametrize(
    "url", ["http://localhost", "redis://h?decode_responses=True", "redis://h?socket_timeout=9"]
)
def test_a_url_that_cannot_be_used_is_refused_at_once(url: str) -> None:
    with pytest.raises(ValueError, match="URL"):
        RedisStore(url)
