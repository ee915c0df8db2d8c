"""The entrance of every route: who calls, and whether he has called too often."""

import asyncio
import logging
from collections.abc import Mapping
from ipaddress import IPv6Address, ip_address
from typing import Any, Final, cast

from litestar.connection import ASGIConnection
from litestar.handlers import BaseRouteHandler

from service.access import limits
from service.access.auth import Caller, recognise
from service.settings import Settings
from service.store.protocol import Store, StoreUnavailable

log = logging.getLogger(__name__)

UNGUARDED: Final = "unguarded"
"""Option of a route that answers whoever asks, however often, without a look at the store."""

_COUNTED_WITHIN: Final = 3.0
"""Seconds. Counting takes less than a millisecond, but in a crowd the first connections take
theirs; a server that hangs for so long is better reported than waited for."""

_IPV6_NETWORK_BITS: Final = 64  # what a provider gives to one home
_UNKNOWN_ADDRESS: Final = "unknown"


async def entrance(
    connection: ASGIConnection[Any, Any, Any, Any], handler: BaseRouteHandler
) -> None:
    """Litestar guard of all routes. Raises `rate_limited`."""
    if handler.opt.get(UNGUARDED):
        return
    settings = cast(Settings, connection.app.state.settings)
    store = cast(Store, connection.app.state.store)
    caller = await recognise(connection, store, settings.api_keys or ())
    connection.state.caller = caller
    if settings.limits:
        client = _client(connection, caller, settings)
        connection.state.limit_headers = await _counted(store, client)


async def _counted(store: Store, client: limits.Client) -> Mapping[str, str]:
    """How the client stands with its limit; nothing where the store cannot count.

    A store that takes no writes can still be read. One that is too busy to count is no reason to
    let even more come: that is StoreUnavailable.
    """
    try:
        async with asyncio.timeout(_COUNTED_WITHIN):
            return await limits.count(store.buckets, client)
    except StoreUnavailable as error:
        log.warning("a request is not counted: %s", error)
        return {}
    except TimeoutError as error:
        raise StoreUnavailable(f"no request was counted within {_COUNTED_WITHIN} s") from error


def _client(
    connection: ASGIConnection[Any, Any, Any, Any], caller: Caller, settings: Settings
) -> limits.Client:
    """A token counts for itself only once it is known: unknown ones are no way to more requests."""
    by_name = limits.policies(settings)
    if caller.key is not None:
        return limits.Client(by_name["key"], caller.key.name)
    if caller.holder is not None:
        seat = "organiser" if caller.holder.seat is None else str(caller.holder.seat)
        return limits.Client(by_name["token"], f"{caller.holder.game_id} {seat}")
    host = connection.client.host if connection.client else _UNKNOWN_ADDRESS
    return limits.Client(by_name["address"], _network(host))


def _network(host: str) -> str:
    """An address as one client: a home has a whole IPv6 network, and could use all of it."""
    try:
        address = ip_address(host)
    except ValueError:
        return host
    if isinstance(address, IPv6Address) and address.ipv4_mapped is None:
        return str(int(address) >> (address.max_prefixlen - _IPV6_NETWORK_BITS))
    return host
