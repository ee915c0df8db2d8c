"""A real cluster on this machine: primaries that share the slots, and replicas if wanted."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Self

import redis
from redis.backoff import NoBackoff
from redis.cluster import ClusterNode
from redis.retry import Retry

from tests.store.ports import unused_ports
from tests.store.servers import Server, wait_until

SLOTS = 16384
NODE_TIMEOUT_MS = 1500
"""How long a node may be silent before the others elect its replica."""


class Node(Server):
    """One node, on a port of its own."""

    def __init__(self, port: int, bus_port: int, *options: str) -> None:
        self.port = port
        super().__init__(
            *("--port", str(port), "--bind", "127.0.0.1"),
            *("--cluster-enabled", "yes", "--cluster-port", str(bus_port)),
            *("--cluster-node-timeout", str(NODE_TIMEOUT_MS)),
            *("--repl-diskless-sync-delay", "0"),
            # One replica may take over although few others are there to see it.
            *("--cluster-replica-validity-factor", "0"),
            *options,
        )
        self.bus_port = bus_port

    def command(self, *words: str | int) -> object:
        """The answer to CLUSTER …"""
        with self.client() as client:
            return client.execute_command("CLUSTER", *words)

    @property
    def id(self) -> str:
        answer = self.command("MYID")
        assert isinstance(answer, bytes)
        return answer.decode()

    def role(self) -> str:
        with self.client() as client:
            return str(client.info("replication")["role"])


class Cluster:
    """A cluster of so many primaries, each with so many replicas, until `close`."""

    def __init__(self, primaries: int = 3, replicas: int = 0, *options: str) -> None:
        count = primaries * (1 + replicas)
        ports = unused_ports(2 * count)
        self.nodes = [
            Node(port, bus, *options)
            for port, bus in zip(ports[:count], ports[count:], strict=True)
        ]
        self.primaries = self.nodes[:primaries]
        try:
            self._form(replicas)
        except BaseException:
            self.close()
            raise
        self.url = "redis+cluster://" + ",".join(
            f"127.0.0.1:{node.port}" for node in self.primaries
        )

    def _form(self, replicas: int) -> None:
        first, *others = self.nodes
        for epoch, node in enumerate(self.nodes, 1):
            node.command("SET-CONFIG-EPOCH", epoch)
        for at, node in enumerate(self.primaries):
            low, high = (SLOTS * n // len(self.primaries) for n in (at, at + 1))
            node.command("ADDSLOTSRANGE", low, high - 1)
        for node in others:
            node.command("MEET", "127.0.0.1", first.port, first.bus_port)
        wait_until(lambda: all(_knows(node, len(self.nodes)) for node in self.nodes))
        for at, node in enumerate(self.nodes[len(self.primaries) :]):
            primary = self.primaries[at // replicas]
            node.command("REPLICATE", primary.id)
        wait_until(lambda: all(_is_whole(node) for node in self.nodes))

    def client(self) -> redis.RedisCluster:
        """A client of all of it."""
        return redis.RedisCluster(
            startup_nodes=[ClusterNode("127.0.0.1", node.port) for node in self.nodes],
            retry=Retry(NoBackoff(), 3),
        )

    def each(self) -> list[redis.Redis]:
        """A client of each server that keeps keys."""
        return [node.client() for node in self.primaries]

    def owner(self, key: str) -> Node:
        """The primary that keeps a key now."""
        with self.client() as client:
            found = client.get_node_from_key(key)
        assert found is not None
        return next(node for node in self.nodes if node.port == found.port)

    @contextmanager
    def joined(self) -> Iterator[Node]:
        """One more node, which keeps no slot yet."""
        port, bus_port = unused_ports(2)
        with Node(port, bus_port) as node:
            first = self.nodes[0]
            self.nodes.append(node)
            node.command("SET-CONFIG-EPOCH", len(self.nodes))
            node.command("MEET", "127.0.0.1", first.port, first.bus_port)
            wait_until(lambda: all(_knows(each, len(self.nodes)) for each in self.nodes))
            wait_until(lambda: _is_whole(node))
            yield node
            self.nodes.remove(node)

    def close(self) -> None:
        for node in self.nodes:
            node.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _knows(node: Node, count: int) -> bool:
    told = node.command("NODES")
    assert isinstance(told, bytes)
    return len(told.splitlines()) == count and b"handshake" not in told


def _is_whole(node: Node) -> bool:
    state = node.command("INFO")
    assert isinstance(state, bytes)
    with node.client() as client:
        replication = client.info("replication")
    linked = replication["role"] == "master" or replication["master_link_status"] == "up"
    return b"cluster_state:ok" in state and linked
