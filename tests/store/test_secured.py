"""Servers that want a certificate, a user or a password; all of it by URL and settings."""

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager

import pytest
import trustme

from service.store.address import Credentials
from service.store.protocol import StoreUnavailable
from service.store.redis import RedisStore
from tests.store.lines import EAST, ORGANISER, entries, game_at
from tests.store.sentinels import SentinelTrio
from tests.store.tls import TlsRedis, is_installed

PASSWORD = "their-own-password"


@pytest.fixture(scope="module")
def secured() -> Iterator[TlsRedis]:
    if not is_installed():
        pytest.skip("Debian's redis-server is not installed")
    with TlsRedis() as server:
        yield server


@asynccontextmanager
async def store_on(url: str, credentials: Credentials | None = None) -> AsyncIterator[RedisStore]:
    store = RedisStore(url, credentials=credentials)
    try:
        yield store
    finally:
        await store.close()


async def refusal(url: str, credentials: Credentials | None = None) -> str:
    """Why a store is away."""
    async with store_on(url, credentials) as store:
        with pytest.raises(StoreUnavailable) as caught:
            await store.ready()
    return str(caught.value)


async def test_certificate_and_user_may_stand_in_the_url(secured: TlsRedis) -> None:
    async with store_on(secured.url) as store:
        await store.ready()


async def test_user_and_password_may_stand_beside_the_url(secured: TlsRedis) -> None:
    url = f"rediss://{secured.address}&{secured.keys}"
    async with store_on(url, Credentials("referee", "p@ss/word")) as store:
        await store.ready()
    assert "Authentication" in await refusal(url, Credentials("referee", "other"))


async def test_the_user_of_a_service_needs_no_more_than_is_said(secured: TlsRedis) -> None:
    """Every call of the store, by a user who may do only what TlsRedis allows."""
    async with store_on(secured.url) as store:
        assert await store.open("acl", game_at(0), {"organiser": ORGANISER}, 60) == "opened"
        await store.commit("acl", 0, game_at(1), entries(1, 1))
        await store.replace_token("acl", "seat:1", EAST)
        assert await store.log("acl") == entries(1, 1)
        assert await store.reserve("name", b"mine", 60) == b"mine"
        assert (await store.buckets.take("bucket", 1, 1)).taken
        assert await store.load("acl")
        await store.delete("acl", 1)


async def test_a_client_without_a_certificate_is_not_let_in(secured: TlsRedis) -> None:
    told = await refusal(f"rediss://referee:p%40ss%2Fword@{secured.address}")
    assert "Error" in told
    assert "p@ss" not in told


async def test_a_server_with_a_stranger_s_certificate_is_not_talked_to(secured: TlsRedis) -> None:
    stranger = secured.folder / "stranger.pem"
    trustme.CA().cert_pem.write_to_path(str(stranger))
    assert "CERTIFICATE_VERIFY_FAILED" in await refusal(
        secured.url.replace(str(secured.authority), str(stranger))
    )


async def test_a_certificate_for_another_host_is_none(secured: TlsRedis) -> None:
    assert "CERTIFICATE_VERIFY_FAILED" in await refusal(
        secured.url.replace("@127.0.0.1", "@localhost")
    )


async def test_a_missing_file_is_told_at_once(secured: TlsRedis) -> None:
    with pytest.raises(ValueError, match="ssl_ca_certs names"):
        RedisStore(secured.url.replace("ca.pem", "no-such.pem"))


async def test_plain_text_to_a_tls_port_is_no_connection(secured: TlsRedis) -> None:
    assert "Error" in await refusal(f"redis://127.0.0.1:{secured.port}")


async def test_sentinels_may_want_a_password_of_their_own() -> None:
    with SentinelTrio(password=PASSWORD) as trio:
        async with store_on(trio.url, Credentials(sentinel_password=PASSWORD)) as store:
            await store.ready()
        for credentials in (None, Credentials(password=PASSWORD)):
            assert PASSWORD not in await refusal(trio.url, credentials)


async def test_sentinels_that_know_no_such_server_say_so() -> None:
    with SentinelTrio() as trio:
        assert "No master found for 'others'" in await refusal(trio.url.replace("games", "others"))
        port = trio.sentinels[0].port
        assert "redis+sentinel://" in await refusal(f"redis://127.0.0.1:{port}")
