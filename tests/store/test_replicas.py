"""With replicas to wait for, nothing is acknowledged that only one server has.

Least of all what was sent twice: the second sending finds all done, writes nothing, and a server
that is asked to wait for nothing waits for nobody.
"""

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager

import pytest

from service.store import scripts
from service.store.protocol import Committed, TooFewReplicas
from service.store.redis import RedisStore
from tests.store.lines import ORGANISER, entries, game_at
from tests.store.ports import unused_ports
from tests.store.proxies import Proxy, proxy_to
from tests.store.servers import Server, wait_until

GAME = "kept"
OPENED = {"organiser": ORGANISER}


@pytest.fixture
def primary() -> Iterator[Server]:
    (port,) = unused_ports(1)
    with Server("--port", str(port), "--repl-diskless-sync-delay", "0") as primary:
        primary.port = port  # type: ignore[attr-defined]
        yield primary


@pytest.fixture
def replica(primary: Server) -> Iterator[Server]:
    port = primary.port  # type: ignore[attr-defined]
    with Server("--replicaof", f"127.0.0.1 {port}") as replica:
        wait_until(lambda: _is_linked(replica))
        yield replica


def _is_linked(replica: Server) -> bool:
    with replica.client() as client:
        return bool(client.info("replication")["master_link_status"] == "up")


@asynccontextmanager
async def careful(primary: Server) -> AsyncIterator[tuple[RedisStore, Proxy]]:
    """A store that waits for a replica, behind a proxy that can lose answers."""
    async with proxy_to(primary) as (proxy, url):
        store = RedisStore(url, replicas=1)
        await _use_every_script(store)
        yield store, proxy
        await store.close()


async def _use_every_script(store: RedisStore) -> None:
    """Let the server know the scripts, so that the next sending of each does its work."""
    await store.reserve("other", b"one", 60)
    await store.open("other", game_at(0), OPENED)
    await store.commit("other", 0, game_at(1), entries(1, 1))


async def test_a_move_that_was_sent_twice_still_waits(primary: Server, replica: Server) -> None:
    async with careful(primary) as (store, proxy):
        await store.open(GAME, game_at(0), OPENED)
        replica.freeze()
        proxy.lose = scripts.COMMIT.sha.encode()
        with pytest.raises(TooFewReplicas):
            await store.commit(GAME, 0, game_at(1), entries(1, 1))
        assert proxy.struck == 1
        with pytest.raises(TooFewReplicas):
            await store.confirm(GAME)
        replica.thaw()
        await store.confirm(GAME)
        assert await store.log(GAME) == entries(1, 1)


async def test_an_opening_that_was_sent_twice_still_waits(primary: Server, replica: Server) -> None:
    async with careful(primary) as (store, proxy):
        replica.freeze()
        proxy.lose = scripts.OPEN.sha.encode()
        with pytest.raises(TooFewReplicas):
            await store.open(GAME, game_at(0), OPENED)
        assert proxy.struck == 1
        replica.thaw()
        await store.confirm(GAME)


async def test_a_reservation_that_stands_already_still_waits(
    primary: Server, replica: Server
) -> None:
    async with careful(primary) as (store, _), careful(primary) as (other, _):
        replica.freeze()
        for each in (store, other):
            # The other has written nothing that it could wait for.
            with pytest.raises(TooFewReplicas):
                await each.reserve("name", b"first", 60)
        replica.thaw()
        assert await other.reserve("name", b"second", 60) == b"first"


async def test_a_store_without_its_replicas_is_not_ready(primary: Server, replica: Server) -> None:
    async with careful(primary) as (store, _):
        await store.ready()
        replica.freeze()
        with pytest.raises(TooFewReplicas):
            await store.ready()
        replica.thaw()
        await store.ready()


async def test_what_is_confirmed_is_left_as_it_is(primary: Server, replica: Server) -> None:
    async with careful(primary) as (store, _):
        await store.open(GAME, game_at(0), OPENED)
        with primary.client() as client:
            for lasting in (False, True):
                names = sorted(client.keys(f"*{{{GAME}}}*"))
                if lasting:
                    for name in names:
                        client.persist(name)
                before = [(client.dump(name), client.pexpiretime(name)) for name in names]
                await store.confirm(GAME)
                assert sorted(client.keys(f"*{{{GAME}}}*")) == names
                assert [(client.dump(n), client.pexpiretime(n)) for n in names] == before
        assert await store.commit(GAME, 0, game_at(1), entries(1, 1)) == Committed(1)
