"""The link to the server: how long to wait, how often to ask again, and what counts as trouble.

Everything that the client library can raise becomes StoreUnavailable here and nowhere else.
"""

from collections.abc import Awaitable, Callable, Sequence
from typing import Final, TypeVar, cast

from msgspec import Struct
from redis import exceptions
from redis.asyncio import BlockingConnectionPool, Redis
from redis.asyncio.connection import parse_url
from redis.asyncio.retry import Retry
from redis.backoff import ConstantBackoff, NoBackoff

from service.store.codec import WriteId
from service.store.protocol import StoreUnavailable, UnreadableGame
from service.store.scripts import Script
from service.store.server import Info, refuse_unfit

Argument = bytes | str | int
T = TypeVar("T")


class Patience(Struct, frozen=True):
    """How long the link waits and how often it asks; seconds and counts.

    One call ends, well or badly, within (resends + 1) x (pool + connect + answer) seconds.
    """

    connect: float = 1.0
    """To open a connection. In one region a handshake takes milliseconds."""
    answer: float = 2.0
    """For one answer. A script runs in microseconds, but a server that syncs its file to a busy
    disk may take a second; one that takes longer is better reported than waited for."""
    pool: float = 1.0
    """For a free connection, when all are in use."""
    connections: int = 32
    """Connections of one process. The server runs one command at a time, so that more would
    only move the queue from here to there."""
    resends: int = 1
    """Times a call is sent again after a lost connection or answer. Once is enough for a
    connection that died idle or a server that failed over; every script may be sent twice."""
    pause: float = 0.05
    """Before sending again, so that a server that restarts is not hammered."""


class Reply(Struct, frozen=True):
    """What a script answered: its tag and the values behind it."""

    tag: str
    values: list[object]
    resent: bool
    """Whether the call was sent more than once, so that an earlier sending may have worked."""


# Trouble that another sending may get past.
_PASSING: Final = (
    exceptions.ConnectionError,
    exceptions.TimeoutError,
    exceptions.ReadOnlyError,
    exceptions.ClusterDownError,
    exceptions.TryAgainError,
)
# Everything that the client library raises.
_TROUBLE: Final = (exceptions.RedisError, exceptions.RedisClusterException, OSError)

# Connection options that a URL may carry. Others would change what answers look like, or the
# waiting that Patience decides.
_URL_OPTIONS: Final = frozenset(
    ("host", "port", "db", "path", "username", "password", "connection_class", "client_name")
)


class Link:
    """A pool of connections to one server, and the scripts that run there."""

    def __init__(self, url: str, patience: Patience) -> None:
        """Prepare the link; nothing is opened yet. Raises ValueError for a URL it cannot use."""
        self._retry = Retry(
            ConstantBackoff(patience.pause), patience.resends, supported_errors=_PASSING
        )
        self._client = Redis.from_pool(_pool(url, patience))
        self._fit = False

    async def check(self) -> None:
        """Look at the server once. Raises ServerRefused, or StoreUnavailable if it is away."""
        if not self._fit:
            info, _ = await self._patiently(self._client.info)
            refuse_unfit(cast(Info, info))
            self._fit = True

    async def run(
        self, script: Script, names: Sequence[str], call: WriteId, *args: Argument
    ) -> Reply:
        """Run a script on keys that share a slot. It may be sent more than once."""
        await self.check()

        async def once() -> object:
            try:
                return await self._client.evalsha(script.sha, len(names), *names, call, *args)
            except exceptions.NoScriptError:
                # The server restarted, failed over or flushed its scripts. EVAL runs and
                # remembers the script in one step, so that no second flush can come between.
                return await self._client.eval(script.source, len(names), *names, call, *args)

        answer, resent = await self._patiently(once)
        match answer:
            case [echo, bytes(tag), *values] if echo == call:
                reply = Reply(tag.decode(), values, resent)
            case _:
                # The answer to another question: no connection of the pool can be trusted.
                await self._client.connection_pool.disconnect()
                raise StoreUnavailable(f"the answer to {script.name} belongs to another call")
        if reply.tag == "torn":
            raise UnreadableGame(f"one of the keys {', '.join(names)} holds another kind of value")
        return reply

    async def write(self, key: str, value: str, lifetime: int) -> None:
        """Set one key for `lifetime` seconds."""
        await self.check()
        await self._patiently(lambda: self._client.set(key, value, ex=lifetime))

    async def close(self) -> None:
        """Close all connections."""
        await self._client.aclose()

    async def _patiently(self, ask: Callable[[], Awaitable[T]]) -> tuple[T, bool]:
        """The answer to `ask`, and whether it was asked more than once."""
        failures = 0

        async def failed(error: Exception) -> None:
            nonlocal failures
            failures += 1
            if isinstance(error, exceptions.ReadOnlyError):
                # A primary that became a replica keeps its connections: look for the new one.
                await self._client.connection_pool.disconnect(inuse_connections=False)

        try:
            return await self._retry.call_with_retry(ask, failed), failures > 0
        except _TROUBLE as error:
            raise _unavailable(error) from error


def _unavailable(trouble: Exception) -> StoreUnavailable:
    return StoreUnavailable(f"{type(trouble).__name__}: {trouble}")


def _pool(url: str, patience: Patience) -> BlockingConnectionPool:
    unknown = {
        name for name in parse_url(url) if name not in _URL_OPTIONS and not name.startswith("ssl_")
    }
    if unknown:
        raise ValueError(f"the URL of the store has unknown options: {', '.join(sorted(unknown))}")
    return BlockingConnectionPool.from_url(
        url,
        max_connections=patience.connections,
        timeout=patience.pool,
        socket_connect_timeout=patience.connect,
        socket_timeout=patience.answer,
        # The link itself decides about sending again: it has to know that it did.
        retry=Retry(NoBackoff(), 0),
        # The older protocol has no messages that the server pushes unasked; with the newer one
        # the pool no longer refuses a connection that has an unread answer in it.
        protocol=2,
    )
