"""The overlay `cluster` as it runs, with real servers: forming it, finding it again, stopping."""

import json
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.k8s.manifests import ROOT
from tests.k8s.pods import PASSWORD, Pod, Pods
from tests.store.servers import wait_until
from tests.whole.serving import REFEREE, Players, Service, environment, served


@pytest.fixture(scope="module")
def formed() -> Iterator[Pods]:
    """Six pods that the job has made a cluster of; each test leaves them ready."""
    with Pods() as pods:
        pods.start()
        # As a job leaves them that was ended in the midst of it.
        pods.pods[0].cluster("ADDSLOTSRANGE", "0", "5460")
        pods.pods[0].cluster("MEET", pods.pods[1].address, "6379")
        wait_until(lambda: len(pods.pods[1].cluster("NODES")) == 2)
        status, told = pods.form()
        assert status == 0, told
        wait_until(pods.are_ready)
        yield pods


@pytest.fixture
def service(formed: Pods, tmp_path: Path) -> Iterator[Service]:
    """A referee with the settings of the overlay."""
    more = {"REFEREE_REDIS_PASSWORD": PASSWORD, "REFEREE_DRAIN_SECONDS": "0"}
    with served(tmp_path, settings=formed.settings | more) as service:
        yield service


def lines(pods: Pods) -> list[list[str]]:
    """What each pod knows of each: its id, whom it follows, the epoch, the slots."""
    return [
        sorted(" ".join([line[0], line[3], line[6], *line[8:]]) for line in each.cluster("NODES"))
        for each in pods.pods
    ]


def replica_of(pods: Pods, primary: Pod) -> Pod:
    (own,) = (line[0] for line in primary.cluster("NODES") if "myself" in line[2])
    (replica,) = (
        each
        for each in pods.pods
        for line in each.cluster("NODES")
        if "myself" in line[2] and line[3] == own
    )
    return replica


def test_each_of_three_primaries_has_a_replica(formed: Pods) -> None:
    primaries = [each for each in formed.pods if each.role() == "master"]
    assert len(primaries) == 3
    assert len({replica_of(formed, each).name_address for each in primaries}) == 3


def test_a_second_run_of_the_job_does_nothing(formed: Pods) -> None:
    before = lines(formed)
    status, told = formed.form()
    assert (status, told) == (0, "nothing to do: these 6 are a cluster\n")
    assert lines(formed) == before


def test_nothing_is_acknowledged_that_is_not_on_disk_and_with_a_replica(formed: Pods) -> None:
    for each in formed.pods:
        assert each.keeps_what_it_acknowledges()
        with each.client() as client:
            assert client.config_get("min-replicas-to-write") == {"min-replicas-to-write": "1"}
    assert formed.settings["REFEREE_REDIS_REPLICAS"] == "1"


def test_clients_are_told_names(formed: Pods) -> None:
    names = {each.name_address for each in formed.pods}
    with formed.pods[0].client() as client:

        def told() -> set[str]:
            return {node[0] for shard in client.cluster("SLOTS") for node in shard[2:]}

        assert told() <= names
        # A replica is listed once the news of what it has is round.
        wait_until(lambda: told() == names)


def test_the_job_waits_for_every_node_and_says_who_is_missing(formed: Pods) -> None:
    job = formed.script("form.sh", NODES=f"{formed.nodes} 127.0.0.1:1", WITHIN="2")
    told, _ = job.communicate()
    assert (job.returncode, told) == (1, "127.0.0.1:1 does not answer\n")


def test_a_run_ends_that_waits_in_vain_and_the_next_makes_it_good() -> None:
    with Pods() as pods:
        pods.start()
        first = pods.pods[0]
        with first.client() as client:
            # Nothing listens there: the others cannot reach it.
            client.config_set("cluster-announce-bus-port", 1)
            status, told = pods.form(within=3)
            assert status == 1
            assert "no cluster was made" in told
            # It had come so far.
            assert ["cluster_slots_assigned:5461"] in first.cluster("INFO")
            client.config_set("cluster-announce-bus-port", 0)
        status, told = pods.form()
        assert status == 0, told
        wait_until(pods.are_ready)
        _unfollow(pods, next(each for each in pods.pods if each.role() == "slave"))
        status, told = pods.form()
        assert (status, told.count("follows")) == (0, 1), told
        wait_until(pods.are_ready)
        test_each_of_three_primaries_has_a_replica(pods)


def _unfollow(pods: Pods, replica: Pod) -> None:
    """As a run leaves one that ended before it: known to all, without slots, following nobody."""
    own = replica.cluster("MYID")[0][0]
    with replica.client() as client:
        client.execute_command("CLUSTER RESET", "SOFT")
    for each in pods.pods:
        replica.cluster("MEET", each.address, "6379")

    def is_known() -> bool:
        return all(
            [line[0] for line in each.cluster("NODES") if "slave" not in line[2]].count(own) == 1
            and ["cluster_known_nodes:6"] in each.cluster("INFO")
            and ["cluster_slots_assigned:16384"] in each.cluster("INFO")
            for each in pods.pods
        )

    wait_until(is_known)


def test_no_cluster_is_made_over_games() -> None:
    with Pods() as pods:
        pods.start()
        assert not any(pods.is_ready(each) for each in pods.pods)
        holder = pods.pods[3]
        holder.cluster("ADDSLOTSRANGE", "0", "16383")
        wait_until(lambda: ["cluster_state:ok"] in holder.cluster("INFO"))
        with holder.client() as client:
            client.config_set("min-replicas-to-write", 0)
            client.set("rummy:{game}:state", "dear", ex=100)
            status, told = pods.form()
            assert status == 1
            assert "nothing is changed" in told
            assert client.get("rummy:{game}:state") == "dear"


def rights() -> list[str]:
    """What README.md says that the user of a cluster needs, for all there is to do."""
    text = (ROOT / "README.md").read_text("utf-8")
    _, _, text = text.partition("The user needs no more than")
    return re.findall(r"~rummy:\*|\+[a-z@|]+", text.partition("; a user of the Sentinels")[0])


@pytest.fixture
def user(formed: Pods) -> Iterator[dict[str, str]]:
    """The settings of somebody who may do that and no more."""
    for each in formed.pods:
        with each.client() as client:
            client.execute_command("ACL", "SETUSER", "referee", "on", ">hush", *rights())
    yield formed.settings | {"REFEREE_REDIS_USERNAME": "referee", "REFEREE_REDIS_PASSWORD": "hush"}
    for each in formed.pods:
        with each.client() as client:
            client.acl_deluser("referee")


def test_the_rights_that_are_listed_are_enough_to_play_back_up_and_look(
    user: dict[str, str], tmp_path: Path
) -> None:
    with served(tmp_path, settings=user) as service:
        players = Players(service.url, seed=7)
        assert players.play(service.url, 5)
    kept = tmp_path / "games.ndjson"
    for words in (["backup", str(kept)], ["restore", str(kept)], ["doctor", "--json"]):
        done = subprocess.run(
            [*REFEREE, *words], env=environment(**user), capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr
    found = [each["found"] for each in json.loads(done.stdout) if each["subject"] == "cluster"]
    assert found == ["state ok, 16384 of 16384 slots kept"] * 3
    assert players.game in kept.read_text()


def test_a_replica_is_ready_once_it_has_what_its_primary_has(formed: Pods) -> None:
    replica = next(each for each in formed.pods if each.role() == "slave")
    with replica.client() as client:
        client.config_set("primaryauth", "not it")
        client.execute_command("CLIENT", "KILL", "TYPE", "primary")
        wait_until(lambda: client.info("replication")["master_link_status"] == "down")
        assert not formed.is_ready(replica)
        client.config_set("primaryauth", PASSWORD)
    wait_until(formed.are_ready)


def test_a_primary_that_is_told_to_stop_hands_over_first(formed: Pods) -> None:
    primary = next(each for each in formed.pods if each.role() == "master")
    replica = replica_of(formed, primary)
    primary.stop()
    # By now, and not when its silence has been noticed.
    assert replica.role() == "master"
    assert not formed.is_ready(primary)
    formed.restart(primary)
    wait_until(formed.are_ready)
    assert primary.role() == "slave"


def test_games_go_on_when_all_pods_come_back_with_other_addresses(
    formed: Pods, service: Service
) -> None:
    players = Players(service.url, seed=5)
    assert players.play(service.url, 10)
    for each in formed.pods:
        each.kill()
    with formed.finding():
        formed.start()
        wait_until(formed.are_ready, within=40)
    wait_until(lambda: httpx.get(f"{service.url}/readyz").status_code == 200)
    assert players.view(service.url)["ply"] == len(players.log)
    assert players.play(service.url, 10)
