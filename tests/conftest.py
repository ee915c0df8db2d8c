"""Fixtures that all tests share: a real server for each worker, empty for each test."""

import os
import signal
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import ExitStack
from functools import cache
from typing import Final

import pytest

from service.store.redis import RedisStore
from tests.store.deployments import KINDS, Deployment, deployed
from tests.store.servers import keys_without_lifetime

STORES: Final = tuple(os.environ.get("TEST_STORES", ",".join(KINDS)).split(","))
"""What the tests of store and service keep their games on, one after the other."""

_MEASURED: Final = "measured"


def pytest_configure() -> None:
    """Let the processes that tests start be stopped by Ctrl-C, as those of a terminal can be.

    A run in the background is told to ignore it, and whatever it starts would inherit that.
    """
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run the tests of store and service on each kind of deployment, all others on one server."""
    if "kept_on" in metafunc.fixturenames:
        alike = metafunc.definition.get_closest_marker("one_store")
        is_of_stores = metafunc.definition.path.parent.name in ("store", "service")
        kinds = STORES if is_of_stores and not alike else ("valkey",)
        metafunc.parametrize("kept_on", kinds)


@pytest.fixture(scope="session")
def shared_servers() -> Iterator[Callable[[str], Deployment]]:
    """The deployments of this worker by kind, each started when a test first wants it.

    Tests take `server` or `redis_url` instead, which empty it.
    """
    with ExitStack() as running:

        @cache
        def shared(kind: str) -> Deployment:
            return running.enter_context(deployed(kind))

        yield shared


@pytest.fixture
def server(kept_on: str, shared_servers: Callable[[str], Deployment]) -> Iterator[Deployment]:
    """An empty deployment. The test fails if it leaves a key that would be kept for ever."""
    server = shared_servers(kept_on)
    with ExitStack() as connected:
        clients = [connected.enter_context(client) for client in server.each()]
        for client in clients:
            client.flushall()
        yield server
        kept = [key for client in clients for key in keys_without_lifetime(client)]
        for client in clients:
            client.flushall()
    assert not kept, f"keys without a lifetime: {kept}"


@pytest.fixture
def redis_url(server: Deployment) -> str:
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
