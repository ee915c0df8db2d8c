"""Opening the store that the settings name, and closing it again."""

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from service.embedded import server as embedded
from service.embedded.folder import FolderInUse
from service.embedded.watch import watched
from service.settings import Settings
from service.store.address import Credentials
from service.store.protocol import ServerRefused, Store, StoreUnavailable
from service.store.redis import Lifetimes, RedisStore
from service.store.witness import NOBODY, Witness
from service.url import without_user

log = logging.getLogger(__name__)


@asynccontextmanager
async def opened_store(settings: Settings, witness: Witness = NOBODY) -> AsyncIterator[Store]:
    """The store of ``redis_url``, or else the embedded one in the folder ``data``.

    Raises ValueError for a URL that cannot be used, ServerRefused for a server that would lose
    games, and ServerMissing, ServerFailed or FolderInUse if the embedded one cannot be had.
    A server that is away now is no error: it may come later, and until then every call of the
    store says so.
    """
    if settings.redis_url is not None:
        async with _on(settings.redis_url, settings, witness) as store:
            yield store
    else:
        async with _embedded(settings.data) as url, _on(url, settings, witness) as store:
            yield store


@asynccontextmanager
async def _embedded(folder: Path) -> AsyncIterator[str]:
    # Not in a thread: nothing else runs before and after, and a start that is interrupted there
    # would leave its server behind.
    with embedded.start(folder) as server, watched(server):
        yield server.url


@asynccontextmanager
async def opened_archive(settings: Settings) -> AsyncIterator[RedisStore]:
    """The same store as its operator may have it, who reads and writes games whole.

    Where a service runs on the folder `data`, its server serves this, too. Raises what
    `opened_store` raises, and StoreUnavailable for a server that is away.
    """
    async with _address(settings) as url:
        store = _store(url, settings)
        try:
            await store.check()
            yield store
        finally:
            await store.close()


@asynccontextmanager
async def _address(settings: Settings) -> AsyncIterator[str]:
    if settings.redis_url is not None:
        yield settings.redis_url
        return
    try:
        server = embedded.start(settings.data)
    except FolderInUse:
        url = embedded.running_url(settings.data)
        if url is None:
            raise
        yield url
        return
    with watched(server):
        yield server.url


@asynccontextmanager
async def _on(url: str, settings: Settings, witness: Witness) -> AsyncIterator[Store]:
    store = _store(url, settings, witness)
    try:
        await _refuse_unfit(store, place_of(settings))
        yield store
    finally:
        await store.close()


def _store(url: str, settings: Settings, witness: Witness = NOBODY) -> RedisStore:
    lifetimes = Lifetimes(
        waiting=settings.waiting_seconds,
        playing=settings.playing_seconds,
        finished=settings.finished_seconds,
    )
    # The embedded server has no users, and no replicas.
    return (
        RedisStore(url, lifetimes, witness=witness)
        if settings.redis_url is None
        else RedisStore(
            url, lifetimes, None, credentials_of(settings), settings.redis_replicas, witness
        )
    )


def credentials_of(settings: Settings) -> Credentials:
    """Users and passwords that do not stand in the URL."""
    return Credentials(
        username=settings.redis_username,
        password=settings.redis_password,
        sentinel_username=settings.sentinel_username,
        sentinel_password=settings.sentinel_password,
    )


async def _refuse_unfit(store: RedisStore, place: str) -> None:
    try:
        await store.check()
    except ServerRefused:
        raise
    except StoreUnavailable as error:
        log.warning(
            "the store %s is away: whatever needs it is answered 503 until it is there (%s)",
            place,
            error,
        )


def place_of(settings: Settings) -> str:
    """Where the games are kept, as a person may read it."""
    if settings.redis_url is None:
        return f"in the folder {settings.data}"
    # Never the user and the password that the URL may hold; options may tell one, too.
    return f"at {without_user(settings.redis_url).partition('?')[0]}"
