"""A cluster: games go on while their slots move, and each error of its own is told as such."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager

import pytest
from redis.crc import key_slot

from service.store import keys
from service.store.protocol import Committed, OtherKind, Stale, StoreUnavailable
from service.store.redis import RedisStore
from service.store.servers import Patience
from tests.store.clusters import Cluster, Node
from tests.store.lines import ORGANISER, entries, game_at
from tests.store.ports import unused_ports
from tests.store.servers import Server, wait_until
from tests.store.tls import ALLOWED

GAMES = [f"game{n}" for n in range(12)]


@pytest.fixture(scope="module")
def shared_cluster() -> Iterator[Cluster]:
    """A cluster whose slots may be moved, as long as nobody finds one on its way."""
    with Cluster(3) as cluster:
        yield cluster


@pytest.fixture
def cluster(shared_cluster: Cluster) -> Iterator[Cluster]:
    for client in shared_cluster.each():
        with client:
            client.flushall()
    yield shared_cluster
    for node in shared_cluster.nodes:
        node.thaw()


@asynccontextmanager
async def store_on(url: str, patience: Patience | None = None) -> AsyncIterator[RedisStore]:
    store = RedisStore(url, patience=patience)
    try:
        yield store
    finally:
        await store.close()


class Round:
    """A player who goes round all games, one ply of each after the other, until told to stop."""

    def __init__(self, store: RedisStore) -> None:
        self.plies = 0
        self.stopped = False
        self._store = store

    async def play(self) -> None:
        while not self.stopped:
            self.plies += 1
            for game_id in GAMES:
                await self._play(game_id, self.plies)

    async def _play(self, game_id: str, ply: int) -> None:
        """Play one ply, as a client does that is told to come again."""
        while True:
            try:
                outcome = await self._store.commit(
                    game_id, ply - 1, game_at(ply), entries(ply, ply)
                )
            except StoreUnavailable:
                continue
            # Stale is the first sending, which was done although its answer was trouble.
            assert outcome in (Committed(ply), Stale(ply))
            return


class Removal:
    """A slot on its way from one node to another, key by key, as the usual tools do it."""

    def __init__(self, cluster: Cluster, game_id: str, target: Node | None = None) -> None:
        self.names = keys.of_game(game_id)
        self.source = cluster.owner(self.names[0])
        others = [node for node in cluster.nodes if node is not self.source]
        self.target = target or others[0]
        self._slot = int(key_slot(self.names[0].encode()))
        self._nodes = [self.target, self.source, *others]
        self.target.command("SETSLOT", self._slot, "IMPORTING", self.source.id)
        self.source.command("SETSLOT", self._slot, "MIGRATING", self.target.id)

    def move(self, *names: str) -> None:
        with self.source.client() as client:
            client.execute_command(
                "MIGRATE", "127.0.0.1", self.target.port, "", 0, 5000, "KEYS", *names
            )

    def finish(self) -> None:
        with self.source.client() as client:
            while found := client.execute_command("CLUSTER", "GETKEYSINSLOT", self._slot, 1):
                self.move(found[0])
        for node in self._nodes:
            node.command("SETSLOT", self._slot, "NODE", self.target.id)


def move_slot(cluster: Cluster, game_id: str, target: Node | None = None) -> None:
    Removal(cluster, game_id, target).finish()


async def test_moving_slots_while_games_are_played_loses_nothing(cluster: Cluster) -> None:
    async with store_on(cluster.url) as store:
        for game_id in GAMES:
            await store.open(game_id, game_at(0), {"organiser": ORGANISER})
        round_ = Round(store)
        playing = asyncio.create_task(round_.play())
        for game_id in GAMES:
            before = cluster.owner(keys.of_game(game_id)[0])
            await asyncio.to_thread(move_slot, cluster, game_id)
            assert cluster.owner(keys.of_game(game_id)[0]) is not before
        round_.stopped = True
        await playing
        assert round_.plies > 1
        for game_id in GAMES:
            assert await store.log(game_id) == entries(1, round_.plies)
            loaded = await store.load(game_id)
            assert loaded
            assert loaded.game == game_at(round_.plies)


async def test_a_game_whose_slot_is_half_moved_is_played_on(cluster: Cluster) -> None:
    """Its keys are all on the new server, which the cluster does not list as their owner yet."""
    async with store_on(cluster.url) as store:
        await store.open("g", game_at(0), {"organiser": ORGANISER})
        await store.commit("g", 0, game_at(1), entries(1, 1))
        removal = Removal(cluster, "g")
        removal.move(*removal.names)
        # More at once than one connection serves: each must ask on the one that it sends on.
        snapshots = await asyncio.gather(*(store.load("g") for _ in range(100)))
        assert all(snapshot and snapshot.game == game_at(1) for snapshot in snapshots)
        assert await store.commit("g", 1, game_at(2), entries(2, 2)) == Committed(2)
        removal.finish()


async def test_a_game_that_is_torn_between_servers_waits_until_it_is_whole(
    cluster: Cluster,
) -> None:
    async with store_on(cluster.url) as store:
        await store.open("g", game_at(0), {"organiser": ORGANISER})
        await store.commit("g", 0, game_at(1), entries(1, 1))
        removal = Removal(cluster, "g")
        removal.move(removal.names[0])
        move = asyncio.create_task(store.commit("g", 1, game_at(2), entries(2, 2)))
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(asyncio.shield(move), 0.2)
        removal.move(*removal.names[1:])
        assert await move == Committed(2)
        assert await store.log("g") == entries(1, 2)
        removal.finish()


async def test_slots_may_move_to_a_server_that_joined_later() -> None:
    with Cluster(2) as cluster, cluster.joined() as late:
        async with store_on(cluster.url) as store:
            for game_id in GAMES:
                await store.open(game_id, game_at(0), {"organiser": ORGANISER})
                await store.commit(game_id, 0, game_at(1), entries(1, 1))
            for game_id in GAMES:
                await asyncio.to_thread(move_slot, cluster, game_id, late)
                assert await store.commit(game_id, 1, game_at(2), entries(2, 2)) == Committed(2)
            with late.client() as client:
                assert client.dbsize() == 3 * len(GAMES)


async def test_one_node_of_the_url_is_enough(cluster: Cluster) -> None:
    url = f"redis+cluster://127.0.0.1:1,127.0.0.1:{cluster.nodes[2].port}"
    async with store_on(url) as store:
        for game_id in GAMES:
            assert await store.open(game_id, game_at(0), {}) == "opened"
        assert all([await store.load(game_id) for game_id in GAMES])


async def test_a_cluster_is_told_from_a_server_that_stands_alone() -> None:
    with Server("--port", "0") as server, Cluster(1) as cluster:
        async with store_on(server.url) as alone:
            await alone.check()
        url = cluster.url.replace("redis+cluster", "redis")
        async with store_on(url) as mistaken:
            with pytest.raises(OtherKind, match=r"redis\+cluster://"):
                await mistaken.check()


async def test_a_server_that_stands_alone_is_no_cluster() -> None:
    (port,) = unused_ports(1)
    with Server("--port", str(port)):
        async with store_on(f"redis+cluster://127.0.0.1:{port}") as store:
            with pytest.raises(StoreUnavailable, match="Cluster mode is not enabled"):
                await store.check()


async def test_nodes_that_are_no_cluster_yet_are_away_until_they_are() -> None:
    with Cluster(1) as cluster, cluster.nodes[0].client() as client:
        node = cluster.nodes[0]
        async with store_on(cluster.url) as store:
            await store.ready()
            client.flushall()
            node.command("RESET", "HARD")
            for call in (store.open("g", game_at(0), {}), store.ready(), store.check()):
                with pytest.raises(StoreUnavailable):
                    await call
            node.command("ADDSLOTSRANGE", 0, 16383)
            wait_until(lambda: b"cluster_state:ok" in bytes(node.command("INFO")))  # type: ignore[arg-type]
            await store.ready()
            assert await store.open("g", game_at(0), {}) == "opened"
            client.flushall()


async def test_a_frozen_node_does_not_hold_up_the_games_of_others(cluster: Cluster) -> None:
    patience = Patience(connections=4, answer=30, pool=30, resends=0)
    async with store_on(cluster.url, patience) as store:
        for game_id in GAMES:
            await store.open(game_id, game_at(0), {"organiser": ORGANISER})
        frozen = cluster.owner(keys.of_game(GAMES[0])[0])
        others = [g for g in GAMES if cluster.owner(keys.of_game(g)[0]) is not frozen]
        frozen.freeze()
        stuck = [asyncio.create_task(store.load(GAMES[0])) for _ in range(20)]
        await asyncio.sleep(0)
        loaded = await asyncio.wait_for(asyncio.gather(*map(store.load, others)), 10)
        assert all(loaded)
        assert not any(task.done() for task in stuck)
        frozen.thaw()
        assert all(await asyncio.gather(*stuck))


async def test_a_cluster_is_ready_as_long_as_some_of_it_takes_writes(cluster: Cluster) -> None:
    async with store_on(cluster.url) as store:
        await store.ready()
        for node in cluster.nodes:
            node.freeze()
            await store.ready()
            node.thaw()
        for node in cluster.nodes:
            node.freeze()
        with pytest.raises(StoreUnavailable, match=r"within 1.0 s"):
            await store.ready()
        for node in cluster.nodes:
            node.thaw()


async def test_games_of_slots_that_nobody_keeps_are_away_and_the_others_are_not() -> None:
    with Cluster(3, 0, "--cluster-require-full-coverage", "no") as cluster:
        async with store_on(cluster.url) as store:
            for game_id in GAMES:
                await store.open(game_id, game_at(0), {"organiser": ORGANISER})
            lost = cluster.owner(keys.of_game(GAMES[0])[0])
            others = [g for g in GAMES if cluster.owner(keys.of_game(g)[0]) is not lost]
            lost.kill()
            with pytest.raises(StoreUnavailable):
                await store.load(GAMES[0])
            assert all([await store.load(game_id) for game_id in others])
            lost.start()
            wait_until(lambda: b"cluster_state:ok" in bytes(lost.command("INFO")))
            # It kept nothing, and says so: the game is gone, not away.
            assert await store.load(GAMES[0]) is None


async def test_a_user_needs_little_more_than_on_one_server(cluster: Cluster) -> None:
    allowed = (*ALLOWED, "+cluster|slots", "+asking")
    for node in cluster.nodes:
        with node.client() as client:
            client.execute_command("ACL", "SETUSER", "referee", "on", ">hush", *allowed)
    async with store_on(cluster.url.replace("://", "://referee:hush@")) as store:
        await store.ready()
        await store.open("g", game_at(0), {"organiser": ORGANISER})
        await store.commit("g", 0, game_at(1), entries(1, 1))
        removal = Removal(cluster, "g")
        removal.move(*removal.names)
        assert await store.commit("g", 1, game_at(2), entries(2, 2)) == Committed(2)
        removal.finish()
        assert (await store.buckets.take("bucket", 1, 1)).taken
