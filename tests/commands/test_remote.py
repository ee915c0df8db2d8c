"""Users and passwords in URLs: used for what is asked, and never told."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer

import httpx
import pytest

from service.api_keys import listing, new_key, read_keys
from service.app import create_app
from service.diagnosis.remote import read_remote
from service.settings import Settings
from service.url import without_user
from tests.commands.running import refusal, run
from tests.service.tiny import served

HUSH = "hush%2Fhush"
UNREADABLE = (
    "http://me:99/hush@127.0.0.1",
    "http://me:9#hush@h",
    "http://me:hush/@h",
    "http://me:hush@h/99@x",
    "me:hush@h",
)


@contextmanager
def asked() -> Iterator[tuple[int, list[str | None]]]:
    """A server that lets nobody in, and who asked it: port, and header by request."""
    seen: list[str | None] = []

    class Door(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            seen.append(self.headers["Authorization"])
            self.rfile.read(int(self.headers.get("Content-Length", 0)))
            self.send_response(401)
            self.send_header("Content-Length", "0")
            self.end_headers()

        do_POST = do_GET  # noqa: N815 - the library's name

        def log_message(self, *_: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Door) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield server.server_port, seen
        finally:
            server.shutdown()
            thread.join()


def badge() -> str:
    """The header of these credentials, as the library writes it."""
    request = httpx.Request("GET", "http://h")
    next(httpx.BasicAuth("me", "hush/hush").auth_flow(request))
    return request.headers["Authorization"]


def test_doctor_asks_with_them_and_tells_nothing_of_them(redis_url: str) -> None:
    with asked() as (port, seen):
        done = run(
            "doctor", "--redis-url", redis_url, "--url", f"http://me:{HUSH}@127.0.0.1:{port}"
        )
    assert done.exit_code == 1
    assert seen == [badge()]
    assert f"no referee answers at http://127.0.0.1:{port}: it answers 401" in done.stdout
    assert "hush" not in done.output


def test_doctor_tells_nothing_of_them_where_all_is_well(redis_url: str) -> None:
    with served(create_app(Settings(redis_url=redis_url))) as port:
        done = run(
            "doctor", "--redis-url", redis_url, "--url", f"http://me:{HUSH}@127.0.0.1:{port}"
        )
    assert f"ok       service       http://127.0.0.1:{port}\n" in done.stdout
    assert "hush" not in done.output


def test_the_demo_asks_with_them_and_tells_nothing_of_them() -> None:
    with asked() as (port, seen):
        told = refusal("demo", "--url", f"http://me:{HUSH}@127.0.0.1:{port}")
    assert seen == [badge()]
    assert "401" in told
    assert "hush" not in told
    told = refusal("demo", "--url", f"http://me:{HUSH}@127.0.0.1:1")
    assert "no answer from the service at http://127.0.0.1:1: " in told
    assert "hush" not in told


def test_a_token_goes_before_them(redis_url: str) -> None:
    """There is but one header, and without his token nobody plays."""
    key = new_key()
    known = read_keys(listing("show", ["games"], key))
    with served(create_app(Settings(redis_url=redis_url, api_keys=known))) as port:
        url = f"http://me:{HUSH}@127.0.0.1:{port}"
        done = run("demo", "--url", url, "--key", key, "--seed", "8")
    assert (done.exit_code, done.stderr) == (0, "")
    assert f" at http://127.0.0.1:{port}, seed 8\n" in done.stdout
    assert "hush" not in done.stdout


@pytest.mark.parametrize("url", UNREADABLE)
def test_nothing_is_told_of_them_where_the_url_cannot_be_read(redis_url: str, url: str) -> None:
    done = run("doctor", "--redis-url", redis_url, "--url", url)
    told = refusal("demo", "--url", url)
    assert done.exit_code == 1
    for said in (done.output, told):
        assert "is no URL of a service" in said
        assert "%2F" in said
        assert "hush" not in said
        assert "99" not in said


@pytest.mark.parametrize("url", ["http://", "http://[::1", "nonsense", "ftp://h", "http://a..b:80"])
def test_what_is_no_url_is_said_in_a_line(redis_url: str, url: str) -> None:
    assert url in refusal("demo", "--url", url)
    assert url in run("doctor", "--redis-url", redis_url, "--url", url).stdout


def test_a_url_is_shown_without_user_and_password() -> None:
    for url, shown in (
        ("https://h:1/path?x=1", "https://h:1/path?x=1"),
        ("https://me:hush@h:1/path", "https://h:1/path"),
        ("https://me:hu@sh@h", "https://h"),
        ("me:hush@h", "h"),
    ):
        assert without_user(url) == shown
    assert read_remote("https://me@h").auth == ("me", "")
    assert read_remote("https://h").auth is None
