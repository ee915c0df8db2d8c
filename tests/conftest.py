"""Fixtures that all tests share: a real server for each worker, empty for each test."""

import signal
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Final

import pytest

from service.store.redis import RedisStore
from tests.store.servers import Server, keys_without_lifetime

_MEASURED: Final = "measured"


def pytest_configure() -> None:
    """Let the processes that tests start be stopped by Ctrl-C, as those of a terminal can be.

    A run in the background is told to ignore it, and whatever it starts would inherit that.
    """
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def shared_server() -> Iterator[Server]:
    """A server of this worker. Tests take `server` or `redis_url` instead, which empty it."""
    with Server() as server:
        yield server


@pytest.fixture
def server(shared_server: Server) -> Iterator[Server]:
    """An empty server. The test fails if it leaves a key that would be kept for ever."""
    with shared_server.client() as client:
        client.flushall()
        yield shared_server
        kept = keys_without_lifetime(client)
        client.flushall()
    assert not kept, f"keys without a lifetime: {kept}"


@pytest.fixture
def redis_url(server: Server) -> str:
    """The address of an empty server, as REFEREE_REDIS_URL would have it."""
    return server.url


@pytest.fixture
async def store(redis_url: str) -> AsyncIterator[RedisStore]:
    """A store on an empty server."""
    store = RedisStore(redis_url)
    yield store
    await store.close()


@pytest.fixture
def measured(record_property: Callable[[str, object], None]) -> Callable[[str], None]:
    """Say something that was measured: it is printed at the end of the run."""
    return lambda line: record_property(_MEASURED, line)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print what the tests have measured, whichever worker they ran in."""
    lines = [
        str(line)
        for report in terminalreporter.getreports("passed")
        for name, line in report.user_properties
        if name == _MEASURED
    ]
    if lines:
        terminalreporter.section("measured")
        terminalreporter.write("\n".join(sorted(lines)) + "\n")
