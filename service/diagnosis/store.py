"""The store: can it be reached, may it be used as the service does, and what its servers say."""

import time
from collections.abc import AsyncIterator
from typing import cast

from service.diagnosis.advice import REFUSED, RIGHTS, UNREACHED, advice_on, short
from service.diagnosis.finding import Finding, bad, ok, warning
from service.diagnosis.server import findings_in, skew
from service.store import keys, scripts
from service.store.codec import new_write_id
from service.store.fitness import Info, mode_of
from service.store.link import Link
from service.store.protocol import ServerRefused, StoreUnavailable
from service.store.servers import Server

_GAME = "doctor"
"""No game has an id as short as that."""


async def look_at_store(link: Link, replicas: int) -> AsyncIterator[Finding]:
    """Look at every server of the store, then do what the service does with it."""
    try:
        servers = await link.servers()
        for server in servers:
            async for finding in _look_at(link, server, replicas):
                yield finding
    except StoreUnavailable as error:
        told = short(error)
        yield bad("store", f"it cannot be used: {told}", advice_on(told, UNREACHED))
        return
    yield await _script(link)
    yield await _write(link)


async def _look_at(link: Link, server: Server, replicas: int) -> AsyncIterator[Finding]:
    info = cast(Info, await link.ask(server, "INFO"))
    yield ok("server", server.name)
    for finding in findings_in(info, replicas, await _fsync(link, server)):
        yield finding
    if mode_of(info) == "cluster":
        yield await _slots(link, server)
    before = time.time()
    seconds, microseconds = cast(tuple[int, int], await link.ask(server, "TIME"))
    # What the answer took is no skew.
    yield skew(seconds + microseconds / 1e6, (before + time.time()) / 2)


async def _slots(link: Link, server: Server) -> Finding:
    try:
        told = cast(dict[str, str], await link.ask(server, "CLUSTER INFO"))
    except StoreUnavailable as error:
        return warning("cluster", f"it does not tell: {error}", "allow +cluster|info")
    kept, state = told.get("cluster_slots_ok"), told.get("cluster_state")
    found = f"state {state}, {kept} of 16384 slots kept"
    if (state, kept) == ("ok", "16384"):
        return ok("cluster", found)
    return bad(
        "cluster",
        found,
        "bring the missing nodes back, or give their slots to others (valkey-cli --cluster fix): "
        "games of these slots are answered 503",
    )


async def _fsync(link: Link, server: Server) -> str | None:
    """When the server syncs its file; None where it does not let us ask, as managed ones do not."""
    try:
        found = await link.ask(server, "CONFIG GET", "appendfsync")
    except StoreUnavailable:
        return None
    return str(cast(dict[str, str], found).get("appendfsync"))


async def _script(link: Link) -> Finding:
    try:
        await link.run(scripts.LOAD, keys.of_game(_GAME), new_write_id())
    except ServerRefused as refusal:
        return bad("scripts", "games must not be kept there", str(refusal))
    except StoreUnavailable as error:
        return bad("scripts", short(error), advice_on(short(error), RIGHTS))
    return ok("scripts", "they run")


async def _write(link: Link) -> Finding:
    try:
        await link.write(keys.READY, "yes", 60)
    except StoreUnavailable as error:
        return bad("write", short(error), advice_on(short(error), REFUSED))
    return ok("write", "one was answered")
