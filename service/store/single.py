"""One server that takes writes: at a fixed address, or where Sentinels say it is now."""

from collections.abc import Sequence
from typing import Any

from redis.asyncio import ConnectionPool, Redis, Sentinel
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff

from service.store.address import Address, Credentials
from service.store.servers import Command, Patience, Server, Turns


def options(address: Address, patience: Patience) -> dict[str, Any]:
    """Connection options of the client library, for every kind of address."""
    return {
        **address.options,
        "socket_connect_timeout": patience.connect,
        "socket_timeout": patience.answer,
        # The link itself decides about sending again: it has to know that it did.
        "retry": Retry(NoBackoff(), 0),
        # The older protocol has no messages that the server pushes unasked; with the newer one
        # the pool no longer refuses a connection that has an unread answer in it.
        "protocol": 2,
    }


class SingleServer:
    """See Server and Servers: there is one."""

    name = "the server"

    def __init__(self, client: "Redis", patience: Patience) -> None:
        self._client = client
        self._turns = Turns(patience)

    async def of(self, key: str) -> Server:
        """See Servers.of."""
        return self

    async def all(self) -> Sequence[Server]:
        """See Servers.all."""
        return (self,)

    async def ask(self, *commands: Command) -> list[object]:
        """See Server.ask."""
        async with self._turns.one():
            if len(commands) == 1:
                # The library leaves this one function without types.
                run = self._client.execute_command
                return [await run(*commands[0])]  # type: ignore[no-untyped-call]
            async with self._client.pipeline(transaction=False) as together:
                for command in commands:
                    together.execute_command(*command)
                answers = await together.execute(raise_on_error=False)
        for answer in answers:
            if isinstance(answer, Exception):
                raise answer
        return list(answers)

    async def renew(self, trouble: Exception) -> None:
        """See Servers.renew.

        A primary that became a replica keeps its connections: new ones lead to the new primary.
        """
        await self._client.connection_pool.disconnect(inuse_connections=False)

    async def distrust(self) -> None:
        """See Servers.distrust."""
        await self._client.connection_pool.disconnect()

    async def close(self) -> None:
        """See Servers.close."""
        await self._client.aclose()


class SentinelServer(SingleServer):
    """The server that the Sentinels name: every new connection asks them for it."""

    def __init__(self, client: "Redis", sentinel: Sentinel, patience: Patience) -> None:
        super().__init__(client, patience)
        self._sentinel = sentinel

    async def close(self) -> None:
        """See Servers.close."""
        await super().close()
        for one in self._sentinel.sentinels:
            await one.aclose()


def single_server(address: Address, patience: Patience) -> SingleServer:
    """The server at a fixed address."""
    pool = ConnectionPool(max_connections=patience.connections, **options(address, patience))
    return SingleServer(Redis.from_pool(pool), patience)


def sentinel_server(
    address: Address, patience: Patience, credentials: Credentials
) -> SentinelServer:
    """The server that Sentinels know."""
    chosen = options(address, patience)
    # The library has connection classes of its own for servers that Sentinels name.
    chosen.pop("connection_class", None)
    database = chosen.pop("db", 0)
    of_sentinels = {
        name: value for name, value in chosen.items() if name not in ("username", "password")
    }
    # No types in the library here either.
    sentinel = Sentinel(  # type: ignore[no-untyped-call]
        address.hosts,
        sentinel_kwargs=of_sentinels
        | {
            "ssl": address.has_tls,
            "username": credentials.sentinel_username,
            "password": credentials.sentinel_password,
        },
    )
    client = sentinel.master_for(
        address.service,
        max_connections=patience.connections,
        db=database,
        ssl=address.has_tls,
        **chosen,
    )
    return SentinelServer(client, sentinel, patience)
