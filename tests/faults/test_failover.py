"""A replica takes over: of its own accord because the primary died, or because it was asked to.

With `REFEREE_REDIS_REPLICAS=1` a move is acknowledged once the replica has it, so no acknowledged
move is lost, none is played twice, and nobody has to restart the service. Connections to the old
primary that outlive the failover do no harm. How long moves are refused is up to the servers'
own time limits: here 1.5 s in the cluster and half a second for the Sentinels.
"""

import time
from collections.abc import Callable
from pathlib import Path

from tests.faults.load import UNLIMITED, Load, load_on
from tests.store.clusters import Cluster
from tests.store.sentinels import NAME, SentinelTrio
from tests.store.servers import wait_until
from tests.whole.serving import served

CAREFUL = UNLIMITED | {"REFEREE_REDIS_REPLICAS": "1"}


def recovery(load: Load, since: float) -> str:
    load.await_moves()
    took = time.monotonic() - since
    load.end()
    return f"every player has moved again {took:.1f} s after it; {load.assert_kept()} kept"


def test_a_replica_of_a_cluster_takes_over_when_asked(
    tmp_path: Path, measured: Callable[[str], None]
) -> None:
    """An operator moves the primary of a shard: a planned failover of a cluster loses nothing."""
    with (
        Cluster(1, 1) as cluster,
        served(tmp_path, settings=UNLIMITED | {"REFEREE_REDIS_URL": cluster.url}) as service,
        load_on(service.url) as load,
    ):
        _, replica = cluster.nodes
        asked = time.monotonic()
        replica.command("FAILOVER")
        wait_until(lambda: replica.role() == "master")
        measured(f"failover of a cluster, asked for: {recovery(load, asked)}")


def test_a_replica_of_a_cluster_takes_over_from_a_dead_primary(
    tmp_path: Path, measured: Callable[[str], None]
) -> None:
    with (
        Cluster(3, 1) as cluster,
        served(tmp_path, settings=CAREFUL | {"REFEREE_REDIS_URL": cluster.url}) as service,
        load_on(service.url, players=6) as load,
    ):
        dead, replica = cluster.nodes[0], cluster.nodes[3]
        killed = time.monotonic()
        dead.kill()
        wait_until(lambda: replica.role() == "master")
        # It comes back as the replica of the other: moves wait for it.
        dead.start()
        measured(f"primary of a cluster killed: {recovery(load, killed)}")


def test_sentinels_promote_a_replica_when_the_primary_dies(
    tmp_path: Path, measured: Callable[[str], None]
) -> None:
    with (
        SentinelTrio() as trio,
        served(tmp_path, settings=CAREFUL | {"REFEREE_REDIS_URL": trio.url}) as service,
        load_on(service.url) as load,
    ):
        killed = time.monotonic()
        trio.primary.kill()
        wait_until(lambda: trio.address()[1] == trio.replica.port)
        trio.primary.follow(trio.replica)
        measured(f"primary behind Sentinels killed: {recovery(load, killed)}")


def test_sentinels_promote_a_replica_when_asked(
    tmp_path: Path, measured: Callable[[str], None]
) -> None:
    """The two swap their parts: the old primary lives on, and refuses what still comes to it."""
    with (
        SentinelTrio() as trio,
        served(tmp_path, settings=CAREFUL | {"REFEREE_REDIS_URL": trio.url}) as service,
        load_on(service.url) as load,
    ):
        asked = time.monotonic()
        with trio.sentinels[0].client() as client:
            client.execute_command("SENTINEL", "FAILOVER", NAME, "COORDINATED")
        wait_until(lambda: trio.address()[1] == trio.replica.port)
        measured(f"failover behind Sentinels, asked for: {recovery(load, asked)}")
