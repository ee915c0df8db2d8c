"""A cluster: the client library knows who keeps which slot, this follows where the servers point.

The library's own way of running a command in a cluster will not do here: where a slot is on the
move it asks on one connection and sends on another, it has no bound on connections that waits, and
it cannot send a command and WAIT on one connection.
"""

import asyncio
from collections import defaultdict
from collections.abc import Sequence
from itertools import count
from typing import Final

from redis import exceptions
from redis.asyncio.cluster import ClusterNode, PipelineCommand, RedisCluster

from service.store.address import Address
from service.store.servers import Command, Patience, Server, Turns
from service.store.single import options

_AT_ONCE: Final = 3
"""Redirections that are followed at once: more of them are a cluster that is not of one mind."""

_ASKING: Final[Command] = ("ASKING",)


class ClusterServers:
    """See Servers."""

    def __init__(self, address: Address, patience: Patience) -> None:
        chosen = options(address, patience)
        chosen.pop("connection_class", None)
        self._hosts = address.hosts
        self._cluster = RedisCluster(
            startup_nodes=[ClusterNode(*host) for host in address.hosts],
            # Slots that nobody keeps are the trouble of their own games alone.
            require_full_coverage=False,
            # Bounded by Turns.
            max_connections=2 * patience.connections,
            ssl=address.has_tls,
            **chosen,
        )
        self._pause = patience.pause
        self._turns: defaultdict[str, Turns] = defaultdict(lambda: Turns(patience))
        self._known = False

    async def of(self, key: str) -> Server:
        """See Servers.of."""
        await self._know()
        try:
            node = self._cluster.get_node_from_key(key)
        except exceptions.SlotNotCoveredError as error:
            self._known = False
            raise exceptions.ClusterDownError(str(error)) from error
        assert node is not None
        return ClusterServer(self, node)

    async def all(self) -> Sequence[Server]:
        """See Servers.all."""
        await self._know()
        return [ClusterServer(self, node) for node in self._cluster.get_primaries()]

    async def renew(self, trouble: Exception) -> None:
        """See Servers.renew."""
        self._known = False

    async def distrust(self) -> None:
        """See Servers.distrust."""
        for node in self._cluster.get_nodes():
            await node.disconnect()

    async def close(self) -> None:
        """See Servers.close."""
        nodes = self._cluster.nodes_manager
        await nodes.aclose()
        await nodes.aclose("startup_nodes")

    async def _know(self) -> None:
        """Ask who keeps what, unless that is known."""
        if not self._known:
            self._remember_hosts()
            try:
                await self._cluster.nodes_manager.initialize()
            except exceptions.RedisClusterException as error:
                raise exceptions.ClusterDownError(str(error)) from error
            except LookupError as error:
                # How the library puts it that nodes know of no primary: they are no cluster yet.
                raise exceptions.ClusterDownError("no node keeps any slot") from error
            self._known = True

    def _remember_hosts(self) -> None:
        """Ask the hosts of the URL, too: by now all servers may have moved behind their names."""
        nodes = self._cluster.nodes_manager
        named = [ClusterNode(*host, **self._cluster.connection_kwargs) for host in self._hosts]
        forgotten = {node.name: node for node in named if node.name not in nodes.startup_nodes}
        nodes.set_nodes(nodes.startup_nodes, forgotten)

    async def follow(self, node: ClusterNode, commands: Sequence[Command]) -> list[object]:
        """The answers to commands, from this node or from whom it points to."""
        asking = False
        for redirections in count():
            try:
                return await self._send(node, commands, asking)
            except exceptions.MovedError as error:
                await self._move_slot(error)
                node, asking = self._named(error, node), False
            except exceptions.AskError as error:
                node, asking = self._named(error, node), True
            except exceptions.TryAgainError:
                # Some keys of the game have moved, others will in a moment.
                await asyncio.sleep(self._pause)
            if redirections > _AT_ONCE:
                await asyncio.sleep(self._pause)
        raise AssertionError("a loop that only an answer, an error or a timeout ends")

    async def _move_slot(self, error: exceptions.MovedError) -> None:
        try:
            await self._cluster.nodes_manager.move_slot(error)
        except LookupError:
            # A slot that nobody kept when we asked last.
            self._known = False

    async def _send(
        self, node: ClusterNode, commands: Sequence[Command], asking: bool
    ) -> list[object]:
        sent = (_ASKING, *commands) if asking else tuple(commands)
        async with self._turns[node.name].one():
            if len(sent) == 1:
                return [await node.execute_command(*sent[0])]
            together = [PipelineCommand(at, *command) for at, command in enumerate(sent)]
            await node.execute_pipeline(together)
        answers = [each.result for each in together]
        for answer in answers:
            if isinstance(answer, Exception):
                raise answer
        return answers[1:] if asking else answers

    def _named(self, error: exceptions.AskError, told_by: ClusterNode) -> ClusterNode:
        """The node that another points to: one that keeps no slot yet is not listed anywhere."""
        host = error.host or told_by.host
        nodes = self._cluster.nodes_manager
        node = nodes.get_node(host=host, port=error.port)
        if node is None:
            node = ClusterNode(host, error.port, "primary", **self._cluster.connection_kwargs)
            nodes.set_nodes(nodes.nodes_cache, {node.name: node})
        return node


class ClusterServer:
    """See Server: one node of a cluster."""

    def __init__(self, cluster: ClusterServers, node: ClusterNode) -> None:
        self._cluster = cluster
        self._node = node
        self.name: Final[str] = node.name

    async def ask(self, *commands: Command) -> list[object]:
        """See Server.ask."""
        return await self._cluster.follow(self._node, commands)
