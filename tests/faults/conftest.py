"""What the tests of faults share: a server that keeps what it has answered, and services on it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.faults.load import UNLIMITED
from tests.store.servers import Server
from tests.whole.serving import Service, served


@pytest.fixture
def durable() -> Iterator[Server]:
    """A server to be unkind to: each write is on its disk before it is answered."""
    with Server("--appendonly", "yes", "--appendfsync", "always") as server:
        yield server


@pytest.fixture
def service(durable: Server, tmp_path: Path) -> Iterator[Service]:
    """A service that keeps its games there."""
    with served(tmp_path, settings=UNLIMITED | {"REFEREE_REDIS_URL": durable.url}) as service:
        yield service
