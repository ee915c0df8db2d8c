"""What a failover can lose: the moves that the replica had not got yet.

Here the replica is cut off for a while, the primary dies, and the replica is made the primary.
Without a setting all moves acknowledged meanwhile are lost: a replica follows when it can. With
`min-replicas-to-write` the server itself stops taking writes once its replica has been silent for
`min-replicas-max-lag` seconds, so that no more than that is lost. With `REFEREE_REDIS_REPLICAS` no
move is acknowledged that the replica has not, so that none is lost.
"""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import pytest

from service.store.protocol import Committed, StoreUnavailable
from service.store.redis import RedisStore
from service.store.servers import Patience
from tests.store.lines import ORGANISER, entries, game_at
from tests.store.ports import unused_ports
from tests.store.servers import Server, wait_until

GAME = "lag"
MOVES_A_SECOND = 20
MOST = 60


class Cable:
    """What lies between a primary and its replica: it can be cut, and nobody is told."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._passing: set[asyncio.Task[None]] = set()
        self.whole = asyncio.Event()
        self.whole.set()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        answers, commands = await asyncio.open_connection("127.0.0.1", self._port)
        self._passing |= {
            asyncio.create_task(self._pass_on(reader, commands)),
            asyncio.create_task(self._pass_on(answers, writer)),
        }

    async def _pass_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while some := await reader.read(1 << 16):
                await self.whole.wait()
                writer.write(some)
        finally:
            writer.close()
            await writer.wait_closed()

    async def close(self) -> None:
        for task in self._passing:
            task.cancel()
        await asyncio.gather(*self._passing, return_exceptions=True)


@asynccontextmanager
async def cable_to(port: int) -> AsyncIterator[tuple[Cable, int]]:
    """A cable to a port, and the port to plug the replica in."""
    cable = Cable(port)
    async with await asyncio.start_server(cable.serve, "127.0.0.1", 0) as listener:
        yield cable, listener.sockets[0].getsockname()[1]
        await cable.close()


@asynccontextmanager
async def store_on(server: Server, replicas: int = 0) -> AsyncIterator[RedisStore]:
    store = RedisStore(server.url, patience=Patience(resends=0), replicas=replicas)
    try:
        yield store
    finally:
        await store.close()


async def acknowledged(store: RedisStore) -> int:
    """Play move after move; how many are acknowledged before one is refused."""
    for ply in range(1, MOST + 1):
        try:
            outcome = await store.commit(GAME, ply - 1, game_at(ply), entries(ply, ply))
        except StoreUnavailable:
            return ply - 1
        assert outcome == Committed(ply)
        # The pace of play, which belongs to what is measured; nothing waits for it.
        await asyncio.sleep(1 / MOVES_A_SECOND)
    return MOST


def is_linked(replica: Server) -> bool:
    with replica.client() as client:
        return bool(client.info("replication")["master_link_status"] == "up")


async def told_and_lost(options: tuple[str, ...], replicas: int) -> tuple[int, int]:
    """How many moves were acknowledged, and how many of them are gone after the failover."""
    (port,) = unused_ports(1)
    with Server("--port", str(port), "--repl-diskless-sync-delay", "0", *options) as primary:
        async with cable_to(port) as (cable, plug):
            with Server("--replicaof", f"127.0.0.1 {plug}") as replica:
                await asyncio.to_thread(wait_until, lambda: is_linked(replica))
                async with store_on(primary, replicas) as store:
                    await store.open(GAME, game_at(0), {"organiser": ORGANISER})
                    cable.whole.clear()
                    told = await acknowledged(store)
                await asyncio.to_thread(primary.kill)
                with replica.client() as client:
                    client.replicaof("NO", "ONE")
                async with store_on(replica) as promoted:
                    kept = await promoted.load(GAME)
    return told, told - (kept.game.ply if kept else 0)


@pytest.mark.parametrize(
    ("options", "replicas"),
    [
        pytest.param((), 0, id="no setting"),
        pytest.param(
            ("--min-replicas-to-write", "1", "--min-replicas-max-lag", "1"),
            0,
            id="min-replicas-to-write 1, min-replicas-max-lag 1",
        ),
        pytest.param((), 1, id="REFEREE_REDIS_REPLICAS=1"),
    ],
)
async def test_what_a_failover_can_lose(
    options: tuple[str, ...],
    replicas: int,
    measured: Callable[[str], None],
    request: pytest.FixtureRequest,
) -> None:
    told, lost = await told_and_lost(options, replicas)
    measured(
        f"replica cut off while {MOVES_A_SECOND} moves a second are sent, then failover, "
        f"{request.node.callspec.id}: {told} acknowledged, {lost} of them lost"
    )
    if replicas:
        assert lost <= 0
    elif options:
        # The server stopped taking moves long before the player stopped sending them.
        assert told < MOST
    else:
        assert told == MOST
