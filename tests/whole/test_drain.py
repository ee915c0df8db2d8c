"""Being told to stop: not ready, then no new connections, then gone; no move lost or doubled."""

import json
import os
import re
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from tests.faults.load import UNLIMITED, load_on
from tests.service.commands import lines, running
from tests.store.servers import Server, wait_until
from tests.whole.serving import Players, Service, served

ENDS_WITHIN = 10.0
"""Seconds, with the settings that nobody changed: some orchestrators wait no longer."""


@contextmanager
def serving(folder: Path, **settings: str) -> Iterator[tuple["subprocess.Popen[str]", str]]:
    """A service that keeps its games in a folder, and its URL; it is stopped, and its store too."""
    with running("serve", "--port", "0", "--data", str(folder), **settings) as process:
        found = re.search(r"listens at (http://\S+)\n", lines(process, "Ctrl-C"))
        assert found
        try:
            yield process, found[1]
        finally:
            if process.poll() is None:
                process.send_signal(signal.SIGINT)
                process.communicate(timeout=60)


def connected(url: str, sent: bytes) -> socket.socket:
    """A connection on which this has been sent."""
    connection = socket.create_connection(("127.0.0.1", httpx.URL(url).port or 0), timeout=60)
    connection.sendall(sent)
    return connection


def received_up_to(connection: socket.socket, end: bytes) -> None:
    """Take what comes, up to these bytes."""
    told = b""
    while not told.endswith(end):
        more = connection.recv(1 << 16)
        assert more, told
        told += more


def received(connection: socket.socket) -> bytes:
    """All that comes until the other side closes the connection."""
    with connection:
        return b"".join(iter(lambda: connection.recv(1 << 16), b""))


def readiness(url: str) -> httpx.Response:
    return httpx.get(f"{url}/readyz", verify=False)


def messages(errors: str) -> list[str]:
    """What the service says about itself, without its requests."""
    told = [json.loads(line) for line in errors.splitlines()]
    return [line["message"] for line in told if "request" not in line]


@pytest.mark.parametrize("second", [signal.SIGTERM, signal.SIGINT])
def test_it_is_not_ready_first_and_serves_on_until_the_time_is_over(
    tmp_path: Path, second: int
) -> None:
    with serving(tmp_path, REFEREE_DRAIN_SECONDS="300") as (process, url):
        players = Players(url, seed=1)
        process.send_signal(signal.SIGTERM)
        wait_until(lambda: readiness(url).status_code == 503)
        told = readiness(url)
        assert told.json()["type"] == "/problems/unavailable"
        assert "stopping" in told.json()["detail"]
        assert int(told.headers["Retry-After"]) > 0
        assert httpx.get(f"{url}/healthz").status_code == 200
        # New connections, and a move on each.
        assert players.play(url, 2)
        with httpx.Client() as http:
            # Whoever has kept a connection is sent away with an answer, not without one.
            assert http.get(f"{url}/v1/rulesets").headers["Connection"] == "close"
        # Another signal ends the wait.
        process.send_signal(second)
        _, errors = process.communicate(timeout=60)
    assert process.returncode == 0
    assert messages(errors) == [
        "stopping: not ready; requests are taken for 300 s more",
        "stopping: no new connections; requests in flight may take 4 s",
        "stopping: no request is left",
        "stopped: the store is closed",
    ]


def test_nobody_waits_at_a_terminal(tmp_path: Path) -> None:
    settings = {"REFEREE_DRAIN_SECONDS": "300", "REFEREE_SHUTDOWN_SECONDS": "300"}
    with serving(tmp_path, **settings) as (process, url), connected(url, HALF_A_BODY) as half:
        # The service asks for the rest, so it has begun with this request.
        received_up_to(half, CONTINUE)
        process.send_signal(signal.SIGINT)
        wait_until(lambda: refuses(url))
        # And who does not want to wait for a request in flight says so again.
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
    assert process.returncode == 0
    assert messages(errors)[-1] == "stopped: the store is closed"


def refuses(url: str) -> bool:
    try:
        connected(url, b"").close()
    except ConnectionRefusedError:
        return True
    return False


def test_signals_without_end_are_no_failure(tmp_path: Path) -> None:
    """Down to the last moment of the process, when Python has its own ideas of signals."""
    with serving(tmp_path) as (process, _):
        while process.poll() is None:
            process.send_signal(signal.SIGTERM)
        assert process.returncode == 0


HALF_A_HEAD = b"POST /v1/games HTTP/1.1\r\nHost: x\r\nContent-Ty"
HALF_A_BODY = (
    b"POST /v1/games HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
    b"Expect: 100-continue\r\nContent-Length: 1000\r\n\r\n{"
)
CONTINUE = b"HTTP/1.1 100 Continue\r\n\r\n"
CONTRACT = b"GET /openapi.yaml HTTP/1.1\r\nHost: x\r\n\r\n"
GAME = b"GET /v1/games/aaaaaaaaaaaaaaaaaaaa HTTP/1.1\r\nHost: x\r\n\r\n"


def test_it_is_gone_within_ten_seconds_whoever_hangs_on_to_it(
    tmp_path: Path, measured: Callable[[str], None]
) -> None:
    """With all of them at once, and the settings that nobody changed."""
    unchanged = {"REFEREE_DRAIN_SECONDS": "", "REFEREE_SHUTDOWN_SECONDS": ""}
    with serving(tmp_path, **unchanged) as (process, url):
        idle = connected(url, b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
        received_up_to(idle, b'{"status":"ok"}')
        half_a_head = connected(url, HALF_A_HEAD)
        half_a_body = connected(url, HALF_A_BODY)
        received_up_to(half_a_body, CONTINUE)
        # More than all the buffers on the way hold, and nobody reads it.
        slow = connected(url, CONTRACT * 100)
        store = int((tmp_path / "server.pid").read_text())
        place = Path((tmp_path / "server.socket").read_text())
        os.kill(store, signal.SIGSTOP)
        asking = connected(url, GAME)
        asked = time.monotonic()
        process.send_signal(signal.SIGTERM)
        assert b"503" in received(asking)
        assert process.wait(60) == 0
        took = time.monotonic() - asked
        assert took < ENDS_WITHIN
        measured(f"told to stop with clients that hang on, and a frozen store: {took:.1f} s")
        assert received(idle) == received(half_a_head) == b""
        cut = received(half_a_body)
        assert b" 503 " in cut
        assert b"Retry-After: 2" in cut.title()
        assert b"/problems/unavailable" in cut
        slow.close()
    # Nothing is left behind, and the games may be kept by another.
    assert not Path(f"/proc/{store}").exists()
    assert not place.parent.exists()
    with serving(tmp_path) as (process, url):
        assert readiness(url).status_code == 200


def test_no_move_is_lost_or_doubled_while_one_service_takes_the_place_of_another(
    server: Server, tmp_path: Path
) -> None:
    """Without a drain, too: a connection closes before a request was read, or after its answer."""

    def settings(drain: int) -> dict[str, str]:
        drained = {"REFEREE_DRAIN_SECONDS": str(drain)}
        return UNLIMITED | drained | {"REFEREE_REDIS_URL": server.url}

    def replace(old: Service, new: Service) -> None:
        old.process.terminate()
        wait_until(lambda: refuses(old.url))
        load.url = new.url
        load.await_moves()
        old.stop()

    with (
        served(tmp_path, settings=settings(drain=0)) as first,
        served(tmp_path, settings=settings(drain=1)) as second,
        served(tmp_path, settings=settings(drain=0)) as third,
    ):
        with load_on(first.url) as load:
            replace(first, second)
            replace(second, third)
        assert load.assert_kept() > 0
    # No answer was a 5xx.
    assert load.refusals <= {"ConnectError", "ReadError", "RemoteProtocolError", "WriteError"}
