"""What games may be kept on, each of them real: the store has to be the same on all."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

import pytest
import redis

from tests.store.clusters import Cluster
from tests.store.sentinels import SentinelTrio
from tests.store.servers import Server
from tests.store.tls import TlsRedis, is_installed

KINDS = ("valkey", "redis", "cluster", "sentinel")


class Deployment(Protocol):
    """One server or more."""

    url: str

    def client(self) -> redis.Redis | redis.RedisCluster:
        """A client that sees all keys."""
        ...

    def each(self) -> list[redis.Redis]:
        """A client of each server that keeps keys."""
        ...


@contextmanager
def deployed(kind: str) -> Iterator[Deployment]:
    """A deployment, for as long as it is needed."""
    if kind == "redis" and not is_installed():
        pytest.skip("Debian's redis-server is not installed")
    made: Server | Cluster | SentinelTrio
    match kind:
        case "valkey":
            made = Server()
        case "redis":
            made = TlsRedis()
        case "cluster":
            made = Cluster()
        case _:
            made = SentinelTrio()
    with made:
        yield made
