"""The link to the servers: how often to ask again, and what counts as trouble.

Everything that the client library can raise becomes StoreUnavailable here and nowhere else.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Final, TypeVar, cast

from msgspec import Struct
from redis import exceptions
from redis.asyncio.retry import Retry
from redis.backoff import ConstantBackoff

from service.store.address import Address, Credentials, read_address
from service.store.cluster import ClusterServers
from service.store.codec import WriteId
from service.store.fitness import Info, refuse_unfit
from service.store.protocol import StoreUnavailable, TooFewReplicas, UnreadableGame
from service.store.scripts import Script
from service.store.servers import Argument, Command, Patience, Server, Servers
from service.store.single import sentinel_server, single_server
from service.store.witness import NOBODY, Witness

T = TypeVar("T")


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
)
# Everything that the client library raises.
_TROUBLE: Final = (exceptions.RedisError, exceptions.RedisClusterException, OSError)

_REPLICAS_WITHIN_MS: Final = 800
"""A replica that is well has a move within a millisecond or two. Below the second in which a store
is ready or not."""


class Link:
    """The connections to the servers, and the scripts that run there."""

    def __init__(
        self,
        url: str,
        patience: Patience,
        credentials: Credentials | None = None,
        replicas: int = 0,
        witness: Witness = NOBODY,
    ) -> None:
        """Prepare the link; nothing is opened yet. Raises ValueError for a URL it cannot use.

        With `replicas`, a lasting write is answered once so many replicas have it too.
        """
        self._patience = patience
        self._retry = Retry(
            ConstantBackoff(patience.pause), patience.resends, supported_errors=_PASSING
        )
        address = read_address(url, credentials)
        self._kind = address.kind
        self._servers = _servers(address, patience, credentials or Credentials())
        self._replicas = replicas
        self._waiting: tuple[Command, ...] = (
            (("WAIT", replicas, _REPLICAS_WITHIN_MS),) if replicas else ()
        )
        self._witness = witness
        self._fit: set[str] = set()

    async def check(self) -> None:
        """Look at each server once. Raises ServerRefused, or StoreUnavailable if one is away."""

        async def look() -> None:
            for server in await self._servers.all():
                await self._look_at(server)

        await self._patiently(look)

    async def servers(self) -> Sequence[Server]:
        """Every server that keeps games, for whoever has to ask each of them."""
        return (await self._patiently(self._servers.all))[0]

    async def ask(self, server: Server, *command: Argument) -> object:
        """The answer of one server to one command. It may be sent more than once."""
        return (await self._patiently(lambda: server.ask(command)))[0][0]

    async def run(
        self, script: Script, names: Sequence[str], call: WriteId, *args: Argument
    ) -> Reply:
        """Run a script on keys that share a slot. It may be sent more than once.

        Raises StoreUnavailable; TooFewReplicas where the script ran, but a replica may not know.
        """
        with self._witness.trip(script.name):
            return await self._run(script, names, call, *args)

    async def _run(
        self, script: Script, names: Sequence[str], call: WriteId, *args: Argument
    ) -> Reply:
        told = (len(names), *names, call, *args)
        after = self._waiting if script.lasts else ()

        async def once() -> list[object]:
            server = await self._servers.of(names[0])
            await self._look_at(server)
            try:
                return await server.ask(("EVALSHA", script.sha, *told), *after)
            except exceptions.NoScriptError:
                # The server restarted, failed over or flushed its scripts. EVAL runs and
                # remembers the script in one step, so that no second flush can come between.
                return await server.ask(("EVAL", script.source, *told), *after)

        (answer, *waited), resent = await self._patiently(once)
        match answer:
            case [echo, bytes(tag), *values] if echo == call:
                reply = Reply(tag.decode(), values, resent)
            case _:
                # The answer to another question: no connection can be trusted.
                await self._servers.distrust()
                raise StoreUnavailable(f"the answer to {script.name} belongs to another call")
        if reply.tag == "torn":
            raise UnreadableGame(f"one of the keys {', '.join(names)} holds another kind of value")
        self._count_replicas(waited)
        return reply

    async def write(self, names: Sequence[str], value: str, lifetime: int) -> None:
        """Set one key for `lifetime` seconds: the first, or in a cluster whichever can be set.

        Raises StoreUnavailable where none can.
        """
        if self._kind != "cluster":
            await self._set(names[0], value, lifetime)
            return None
        attempts = [asyncio.ensure_future(self._set(name, value, lifetime)) for name in names]
        for each in attempts:
            # Those that lose are not waited for: a frozen server would hold up the rest.
            each.add_done_callback(_let_go)
        try:
            for attempt in asyncio.as_completed(attempts):
                try:
                    return await attempt
                except StoreUnavailable as error:
                    trouble = error
            raise trouble
        finally:
            for each in attempts:
                each.cancel()

    async def _set(self, key: str, value: str, lifetime: int) -> None:
        async def once() -> None:
            server = await self._servers.of(key)
            await self._look_at(server)
            answers = await server.ask(("SET", key, value, "EX", lifetime), *self._waiting)
            self._count_replicas(answers[1:])

        await self._patiently(once)

    def _count_replicas(self, waited: Sequence[object]) -> None:
        """Raise TooFewReplicas by the answer to WAIT, if any."""
        if waited and cast(int, waited[0]) < self._replicas:
            raise TooFewReplicas(
                f"{waited[0]} of {self._replicas} replicas have answered that they have it"
            )

    async def close(self) -> None:
        """Close all connections."""
        await self._servers.close()

    async def _look_at(self, server: Server) -> None:
        if server.name not in self._fit:
            (found,) = await server.ask(_INFO)
            refuse_unfit(cast(Info, found), self._kind)
            self._fit.add(server.name)

    async def _patiently(self, ask: Callable[[], Awaitable[T]]) -> tuple[T, bool]:
        """The answer to `ask`, and whether it was asked more than once."""
        failures = 0

        async def failed(error: Exception) -> None:
            nonlocal failures
            failures += 1
            # Whoever answers next may be another server than before.
            self._fit.clear()
            await self._servers.renew(error)

        try:
            async with asyncio.timeout(self._patience.whole):
                return await self._retry.call_with_retry(ask, failed), failures > 0
        except TimeoutError as error:
            raise StoreUnavailable(
                f"Timeout: no answer within {self._patience.whole:g} s"
            ) from error
        except _TROUBLE as error:
            raise StoreUnavailable(f"{type(error).__name__}: {error}") from error


_INFO: Final[Command] = ("INFO",)


def _let_go(attempt: "asyncio.Future[None]") -> None:
    """Look at how an attempt ended, so that nobody complains that nobody did."""
    if not attempt.cancelled():
        attempt.exception()


def _servers(address: Address, patience: Patience, credentials: Credentials) -> Servers:
    match address.kind:
        case "single":
            return single_server(address, patience)
        case "sentinel":
            return sentinel_server(address, patience, credentials)
        case "cluster":
            return ClusterServers(address, patience)
