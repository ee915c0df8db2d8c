"""`referee doctor`: what it finds in real deployments, and what it says to do."""

import json
import time
from pathlib import Path
from typing import Any

import pytest

from service.diagnosis.advice import advice_on
from service.diagnosis.finding import Finding
from service.diagnosis.server import findings_in, skew
from tests.service.commands import referee
from tests.store.clusters import Cluster
from tests.store.servers import Server
from tests.whole.serving import served

GOOD = {
    "redis_version": "7.2.4",
    "valkey_version": "8.1.0",
    "redis_mode": "standalone",
    "maxmemory_policy": "noeviction",
    "used_memory": 10_000_000,
    "maxmemory": 100_000_000,
    "aof_enabled": 1,
    "aof_last_write_status": "ok",
    "rdb_last_bgsave_status": "ok",
    "role": "master",
    "connected_slaves": 0,
}
WELL_RUN = (
    *("--appendonly", "yes", "--appendfsync", "always"),
    *("--maxmemory", "100mb", "--maxmemory-policy", "noeviction"),
)


def examined(*arguments: str, **variables: str) -> tuple[int, dict[str, tuple[str, str, str]]]:
    """Exit status, and verdict, found and advice by subject."""
    done = referee("doctor", "--json", *arguments, **variables)
    findings: list[dict[str, Any]] = json.loads(done.stdout)
    return done.returncode, {
        each["subject"]: (each["verdict"], each["found"], each["advice"]) for each in findings
    }


def found_in(replicas: int = 0, fsync: str | None = "always", **changes: object) -> list[Finding]:
    """What is not well in a server that is good but for these changes."""
    findings = findings_in(GOOD | changes, replicas, fsync)
    return [each for each in findings if each.verdict != "ok"]


def test_a_good_server_gives_no_cause_for_advice() -> None:
    assert found_in() == []
    assert not any(each.advice for each in findings_in(GOOD, 0, "always"))


@pytest.mark.parametrize(
    ("changes", "subject", "verdict", "advice"),
    [
        ({"valkey_version": "7.2.0"}, "version", "bad", "Upgrade"),
        ({"maxmemory_policy": "allkeys-lru"}, "policy", "bad", "noeviction"),
        ({"maxmemory": 0}, "memory", "warning", "maxmemory"),
        ({"used_memory": 80_000_000}, "memory", "warning", "raise"),
        ({"aof_enabled": 0}, "persistence", "warning", "appendonly yes"),
        ({"aof_last_write_status": "err"}, "persistence", "bad", "disk"),
        ({"rdb_last_bgsave_status": "err"}, "snapshot", "bad", "disk"),
        ({"role": "slave"}, "replicas", "bad", "primary"),
        ({"connected_slaves": 1}, "replicas", "warning", "REFEREE_REDIS_REPLICAS=1"),
        ({"replicas": 1}, "replicas", "bad", "lower REFEREE_REDIS_REPLICAS"),
        ({"fsync": "everysec"}, "persistence", "warning", "appendfsync always"),
    ],
)
def test_each_fault_of_a_server_is_found_with_advice(
    changes: dict[str, Any], subject: str, verdict: str, advice: str
) -> None:
    (finding,) = found_in(**changes)
    assert (finding.subject, finding.verdict) == (subject, verdict)
    assert advice in finding.advice


def test_replicas_that_are_waited_for_are_as_they_should_be() -> None:
    assert found_in(replicas=1, connected_slaves=1) == []


def test_clocks_a_second_apart_are_well_and_two_are_not() -> None:
    now = time.time()
    assert skew(now + 1, now).verdict == "ok"
    for apart in (-2, 2):
        assert skew(now + apart, now).verdict == "warning"
    assert "2.0 s ahead" in skew(now + 2, now).found


def test_a_well_run_server_and_its_service_pass(tmp_path: Path) -> None:
    with (
        Server(*WELL_RUN) as server,
        served(tmp_path, settings={"REFEREE_REDIS_URL": server.url}) as service,
    ):
        status, findings = examined("--url", service.url, REFEREE_REDIS_URL=server.url)
        assert (status, {verdict for verdict, _, _ in findings.values()}) == (0, {"ok"})
        assert {"server", "persistence", "scripts", "write", "clock", "rules", "readiness"} <= (
            findings.keys()
        )
        server.freeze()
        status, findings = examined("--url", service.url, "--redis-url", "redis://127.0.0.1:1")
        server.thaw()
        assert (status, findings["store"][0], findings["readiness"][0]) == (1, "bad", "bad")
        assert "REFEREE_REDIS_URL" in findings["store"][2]


def test_every_node_of_a_cluster_is_looked_at() -> None:
    with Cluster(3) as cluster:
        done = referee("doctor", "--redis-url", cluster.url)
        assert done.returncode == 0
        for node in cluster.nodes:
            assert f"127.0.0.1:{node.port}\n" in done.stdout
        assert done.stdout.count("16384 of 16384 slots kept") == 3
        cluster.nodes[1].command("DELSLOTSRANGE", 6000, 6001)
        done = referee("doctor", "--redis-url", cluster.url)
        assert done.returncode == 1
        assert "bad      cluster       state fail, 16382 of 16384 slots kept" in done.stdout


def test_a_user_who_may_not_run_scripts_is_told_what_to_allow() -> None:
    with Server(*WELL_RUN) as server, server.client() as client:
        client.acl_setuser(
            "small", enabled=True, passwords=["+hush"], keys=["rummy:*"],
            commands=["+@read", "+@write", "+info", "+time"],
        )  # fmt: skip
        status, findings = examined(
            *("--redis-url", server.url),
            REFEREE_REDIS_USERNAME="small",
            REFEREE_REDIS_PASSWORD="hush",
        )
        assert status == 1
        assert "+@scripting" in findings["scripts"][2]
        # Where CONFIG is forbidden, it is not known when the file is synced, and no fault.
        verdict, found, _ = findings["persistence"]
        assert (verdict, "does not tell" in found) == ("ok", True)


@pytest.mark.parametrize(
    ("told", "advice"),
    [
        ("NoPermissionError: this user has no permissions to run the 'info' command", "+info"),
        ("AuthenticationError: WRONGPASS invalid username-password pair", "REFEREE_REDIS_PASSWORD"),
        ("ConnectionError: [SSL: CERTIFICATE_VERIFY_FAILED]", "ssl_ca_certs"),
        ("ResponseError: NOREPLICAS Not enough good replicas to write.", "min-replicas-to-write"),
        ("0 of 1 replicas have answered that they have it", "REFEREE_REDIS_REPLICAS"),
        ("OutOfMemoryError: command not allowed", "maxmemory"),
        ("ReadOnlyError: You can't write against a read only replica.", "primary"),
        ("MasterNotFoundError: No master found for 'games'", "sentinel monitor"),
        ("ClusterDownError: no node keeps any slot", "form the cluster"),
        ("ConnectionError: Error -2 connecting to None:6379.", "cluster-preferred-endpoint-type"),
        ("ConnectionError: Error 111 connecting", "otherwise"),
    ],
)
def test_each_error_of_a_store_has_advice_of_its_own(told: str, advice: str) -> None:
    assert advice in advice_on(told, "otherwise")


def test_replicas_that_a_move_waits_for_are_waited_for() -> None:
    with Server(*WELL_RUN) as server:
        status, findings = examined("--redis-url", server.url, REFEREE_REDIS_REPLICAS="1")
    assert (status, findings["write"][0], findings["replicas"][0]) == (1, "bad", "bad")


def test_a_password_is_not_told() -> None:
    done = referee("doctor", "--redis-url", "redis://me:hush@127.0.0.1:1/0")
    assert done.returncode == 1
    assert "hush" not in done.stdout + done.stderr


def test_the_embedded_store_is_found_while_its_service_runs(tmp_path: Path) -> None:
    with served(tmp_path):
        status, findings = examined("--data", str(tmp_path))
        assert (status, findings["write"][0]) == (0, "ok")
    status, findings = examined("--data", str(tmp_path))
    assert status == 1
    assert "referee serve" in findings["store"][2]


def test_no_service_at_the_url_is_a_finding(redis_url: str) -> None:
    status, findings = examined("--redis-url", redis_url, "--url", "http://127.0.0.1:1")
    assert (status, findings["service"][0]) == (1, "bad")


def test_what_cannot_be_read_is_told_in_one_line() -> None:
    for arguments in (("--redis-url", "redis://h?x=1"), ("--redis-url", "http://h"), ("--what",)):
        done = referee("doctor", *arguments)
        assert (done.returncode, done.stdout, len(done.stderr.splitlines())) == (2, "", 1)


def test_plain_text_names_each_verdict_and_sums_up(redis_url: str) -> None:
    done = referee("doctor", "--redis-url", redis_url)
    assert done.returncode == 0
    assert done.stdout.splitlines()[-1].endswith("0 bad")
    assert "\x1b" not in done.stdout
    assert "\nok       write         one was answered\n" in done.stdout
