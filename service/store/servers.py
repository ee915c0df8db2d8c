"""The servers that games are kept on, however many there are and however they are found.

Whatever goes wrong there is raised as the client library raises it; the link makes sense of it.
"""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Final, Protocol

from msgspec import Struct

from service.store.protocol import StoreUnavailable

Argument = bytes | str | int
Command = tuple[Argument, ...]


class Patience(Struct, frozen=True):
    """How long the link waits and how often it asks; seconds and counts."""

    connect: float = 1.0
    """To open a connection. In one region a handshake takes milliseconds."""
    answer: float = 2.0
    """For one answer. A script runs in microseconds, but a server that syncs its file to a busy
    disk may take a second; one that takes longer is better reported than waited for."""
    pool: float = 2.0
    """For a free connection, when all are in use: a thousand calls at once get through."""
    connections: int = 32
    """Connections of one process to one server. The server runs one command at a time, so that
    more would only move the queue from here to there."""
    resends: int = 1
    """Times a call is sent again after a lost connection or answer. Once is enough for a
    connection that died idle or a server that failed over; every script may be sent twice."""
    pause: float = 0.05
    """Before sending again, so that a server that restarts is not hammered."""

    @property
    def whole(self) -> float:
        """Within which one call ends, well or badly, whatever happens on its way."""
        return self.pool + (self.resends + 1) * (self.connect + self.answer + self.pause)


class Server(Protocol):
    """One server that takes writes."""

    @property
    def name(self) -> str:
        """Tells it from other servers."""
        ...

    async def ask(self, *commands: Command) -> list[object]:
        """The answers to commands that are sent together on one connection, in their order.

        Raises the first error among them, once all are answered.
        """
        ...


class Servers(Protocol):
    """All of them, and the connections to them."""

    async def of(self, key: str) -> Server:
        """The server that keeps this key."""
        ...

    async def all(self) -> Sequence[Server]:
        """Every server that keeps keys."""
        ...

    async def renew(self, trouble: Exception) -> None:
        """After trouble: look again who keeps what. Raises nothing that the client can raise."""
        ...

    async def distrust(self) -> None:
        """Break all connections: what comes over them can't be told from other answers."""
        ...

    async def close(self) -> None:
        """Close all connections, for good."""
        ...


class Turns:
    """Takes no more calls to a server at a time than there are connections for.

    The client's own pools raise where this waits, or (in a cluster) know no bound to wait at.
    """

    def __init__(self, patience: Patience) -> None:
        self._patience: Final = patience
        self._free: Final = asyncio.Semaphore(patience.connections)

    @asynccontextmanager
    async def one(self) -> AsyncIterator[None]:
        """A connection is free meanwhile. Raises StoreUnavailable after the patience for it."""
        try:
            async with asyncio.timeout(self._patience.pool):
                await self._free.acquire()
        except TimeoutError as error:
            raise StoreUnavailable(
                f"no connection was free within {self._patience.pool} s"
            ) from error
        try:
            yield
        finally:
            self._free.release()
