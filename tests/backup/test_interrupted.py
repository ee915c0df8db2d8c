"""What happens to the servers while a backup is made: it says so where a game may be missing."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path

import pytest

from service.backup.collecting import Collection, Selection
from service.store.redis import RedisStore
from tests.backup.conftest import empty
from tests.commands.running import run
from tests.store.clusters import Cluster
from tests.store.lines import ORGANISER, game_at
from tests.store.servers import Server, wait_until
from tests.store.tls import ALLOWED

GAMES = [f"{n:020d}" for n in range(12)]


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    """A cluster whose slots may be moved, as long as nobody finds one on its way."""
    with Cluster(2) as cluster:
        yield cluster


@pytest.fixture
async def on_cluster(cluster: Cluster) -> AsyncIterator[RedisStore]:
    store = RedisStore(cluster.url)
    await fill(store)
    yield store
    await store.close()


async def fill(store: RedisStore) -> None:
    for game_id in GAMES:
        await store.open(game_id, game_at(0), {"organiser": ORGANISER})


async def backed_up(store: RedisStore, meanwhile: Callable[[], None]) -> tuple[set[str], list[str]]:
    """The games in a backup in the midst of which something happens, and what it says of that."""
    told: list[str] = []
    collection = Collection(store, Selection(), told.append, lambda: None)
    games = set()
    async for line in collection.lines():
        if not games:
            await asyncio.to_thread(meanwhile)
        games.add(getattr(line, "game", ""))
    assert collection.is_whole is not bool(told)
    return games - {""}, told


def nothing() -> None:
    pass


def move_slot(cluster: Cluster, slot: int) -> None:
    """Hand a slot without keys over."""
    owner = cluster.nodes[0] if owns(cluster, 0, slot) else cluster.nodes[1]
    other = next(node for node in cluster.nodes if node is not owner)
    for node in (other, owner):
        node.command("SETSLOT", slot, "NODE", other.id)
    wait_until(lambda: owns(cluster, cluster.nodes.index(other), slot))


def owns(cluster: Cluster, node: int, slot: int) -> bool:
    ranges = cluster.nodes[0].command("SLOTS")
    assert isinstance(ranges, list)
    (port,) = (found[2][1] for found in ranges if found[0] <= slot <= found[1])
    return bool(port == cluster.nodes[node].port)


def test_a_small_user_can_back_up_a_cluster_and_restore_it(cluster: Cluster, file: Path) -> None:
    allowed = (*ALLOWED, "+cluster|slots", "+asking", "+cluster|nodes")
    for node in cluster.nodes:
        with node.client() as client:
            client.execute_command("ACL", "SETUSER", "referee", "on", ">secret", *allowed)
    url = cluster.url.replace("://", "://referee:secret@")
    asyncio.run(fill_at(url))
    done = run("backup", file, "--redis-url", url)
    assert (done.exit_code, done.stderr) == (0, "")
    empty(cluster)
    done = run("restore", file, "--redis-url", url)
    assert (done.exit_code, done.stdout) == (0, "12 games: 12 restored, 0 there already\n")


async def fill_at(url: str) -> None:
    store = RedisStore(url)
    await fill(store)
    await store.close()


async def test_where_nothing_happens_no_game_is_missing(on_cluster: RedisStore) -> None:
    assert await backed_up(on_cluster, nothing) == (set(GAMES), [])


async def test_a_slot_that_was_moved_may_have_taken_games_along(
    cluster: Cluster, on_cluster: RedisStore
) -> None:
    _, (told,) = await backed_up(on_cluster, lambda: move_slot(cluster, 0))
    assert "slots were moved: games may be missing. Run it again" in told


async def test_so_may_a_slot_that_is_on_its_way(cluster: Cluster, on_cluster: RedisStore) -> None:
    source, target = cluster.nodes
    slot = 0 if owns(cluster, 0, 0) else 1
    assert owns(cluster, 0, slot)
    source.command("SETSLOT", slot, "MIGRATING", target.id)
    try:
        games, told = await backed_up(on_cluster, nothing)
    finally:
        source.command("SETSLOT", slot, "STABLE")
    assert (games, len(told)) == (set(GAMES), 1)


async def test_a_server_that_restarted_may_have_been_left_half_read() -> None:
    with Server("--appendonly", "yes", "--appendfsync", "always") as server:
        store = RedisStore(server.url)
        await fill(store)

        def restart() -> None:
            server.kill()
            server.start()

        games, (told,) = await backed_up(store, restart)
        await store.close()
    assert games == set(GAMES)
    assert "a server was restarted or replaced meanwhile" in told
