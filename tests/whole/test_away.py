"""A store that is no use yet: the service lives, is not ready, says so, and recovers alone."""

import re
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import httpx
import pytest
import redis

from tests.service.commands import lines, running
from tests.store.servers import Server, wait_until
from tests.whole.serving import NAMES

Cure = Callable[[], object]
Trouble = tuple[str, Cure | None]
"""The URL of the store, and what makes it right; None where nothing can."""

OPENING = {"players": [{"name": name} for name in NAMES]}


@contextmanager
def not_there_yet() -> Iterator[Trouble]:
    with Server() as server:
        server.kill()
        yield server.url, server.start


@contextmanager
def loading() -> Iterator[Trouble]:
    """It waits after each key that it loads, and looks up from it before the next one."""
    with Server("--rdbcompression", "no") as server, server.client() as client:
        for number in range(3000):
            client.set(f"key:{number}", "x" * 1024, ex=3600)
        client.save()
        server.kill()
        looking_up = ["--loading-process-events-interval-bytes", "1024"]
        server.begin("--key-load-delay", "20000", *looking_up)
        wait_until(lambda: is_loading(client))
        yield server.url, lambda: client.config_set("key-load-delay", 0)


def is_loading(client: redis.Redis) -> bool:
    try:
        return bool(client.info("persistence")["loading"])
    except redis.ConnectionError:
        return False


@contextmanager
def unable_to_save() -> Iterator[Trouble]:
    with Server("--save", "3600 1") as server, server.client() as client:

        def save(outcome: str) -> None:
            client.bgsave()
            wait_until(lambda: client.info()["rdb_last_bgsave_status"] == outcome)

        blocked = server.folder / "dump.rdb"
        blocked.mkdir()
        save("err")

        def cure() -> None:
            blocked.rmdir()
            save("ok")

        yield server.url, cure


@contextmanager
def a_replica() -> Iterator[Trouble]:
    with Server() as server, server.client() as client:
        client.replicaof("127.0.0.1", 1)
        yield server.url, lambda: client.replicaof("NO", "ONE")


@contextmanager
def of_another_password() -> Iterator[Trouble]:
    with Server() as server, server.client() as client:
        client.config_set("requirepass", "other")
        yield f"{server.url}?password=hush", lambda: client.config_set("requirepass", "hush")


@contextmanager
def of_no_known_name() -> Iterator[Trouble]:
    yield "redis://:hush@no-such-host.invalid:6379", None


@pytest.mark.parametrize(
    "trouble",
    [
        not_there_yet,
        loading,
        unable_to_save,
        a_replica,
        of_another_password,
        of_no_known_name,
    ],
)
def test_it_lives_is_not_ready_and_recovers_alone(
    trouble: Callable[[], "contextmanager[Trouble]"],
) -> None:
    with (
        trouble() as (url, cure),
        running("serve", "--port", "0", REFEREE_REDIS_URL=url) as service,
    ):
        found = re.search(r"listens at (http://\S+)", lines(service, "Ctrl-C"))
        assert found
        with httpx.Client(base_url=found[1], verify=False, timeout=60) as http:
            assert http.get("/healthz").status_code == 200
            for answer in (http.get("/readyz"), http.post("/v1/games", json=OPENING)):
                assert answer.status_code == 503
                assert answer.headers["Content-Type"] == "application/problem+json"
                assert answer.json()["type"] == "/problems/unavailable"
                assert int(answer.headers["Retry-After"]) > 0
            if cure:
                cure()
                wait_until(lambda: http.get("/readyz").status_code == 200)
                assert http.post("/v1/games", json=OPENING).status_code == 201
        service.send_signal(signal.SIGINT)
        told, errors = service.communicate(timeout=60)
    assert service.returncode == 0
    assert "hush" not in told + errors
