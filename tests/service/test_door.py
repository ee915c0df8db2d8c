"""What the door turns away, what it adds to each answer, and what it writes down."""

import asyncio
import json
import logging
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from service.http.door import HEADER_BYTES, TARGET_BYTES, Door
from service.logs import json_lines
from tests.service.tiny import client, cut_short, served, tiny_app


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    with served(tiny_app()) as number:
        yield number


async def say(port: int, request: bytes) -> tuple[int, dict[str, str], bytes]:
    """Status, headers and body that a server answers to these very bytes."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        writer.write(request + b"\r\nHost: tiny\r\nConnection: close\r\n\r\n")
        answer = await asyncio.wait_for(reader.read(), 10)
    finally:
        writer.close()
    head, _, body = answer.partition(b"\r\n\r\n")
    first, *lines = head.decode("latin-1").split("\r\n")
    headers = dict(line.lower().split(": ", 1) for line in lines)
    return int(first.split()[1]), headers, body


def assert_problem(name: str, status: int, headers: dict[str, str], body: bytes) -> None:
    assert headers["content-type"] == "application/problem+json"
    told = json.loads(body)
    assert told["type"] == f"/problems/{name}"
    assert told["status"] == status
    assert told["instance"] == headers["x-request-id"]
    assert {"title", "detail"} < set(told)


@pytest.mark.parametrize(
    "path",
    ["//", "//plain", "/plain/", "/plain//", "/moves//m", "//moves/m", "/moves/m/", "/%70lain",
     "/plain%2F", "/moves/%2F", "/moves/%252F", "/moves/%zz", "/moves/%", "/moves/%ff",
     "/moves/%00", "/moves/%C3%A9", "/moves/..", "/moves/.", "/./plain", "/x/../plain",
     "/moves/a;b", "/moves/*", "/moves/a:b", "/moves/a+b", "/moves/a|b", "/plain;x", "/PLAIN",
     "/moves", "/moves/m/n", "/" + "a/" * 2000 + "a"],
)  # fmt: skip
async def test_a_path_of_another_spelling_is_nowhere(port: int, path: str) -> None:
    status, headers, body = await say(port, f"GET {path} HTTP/1.1".encode())
    assert status == 404
    assert_problem("not_found", 404, headers, body)


@pytest.mark.parametrize(
    "path", ["/plain", "/plain?", "/moves/m", "/moves/A.b_c~d-e", "/moves/..m"]
)
async def test_the_one_spelling_is_found(port: int, path: str) -> None:
    assert (await say(port, f"GET {path} HTTP/1.1".encode()))[0] == 200


@pytest.mark.parametrize(
    "target", [b"/moves/\xc3\xa9", b"/moves/\x00", b"/plain?\xff", b"http://tiny", b"*"]
)
async def test_no_target_breaks_the_server(port: int, target: bytes) -> None:
    status, _, _ = await say(port, b"GET " + target + b" HTTP/1.1")
    assert status in (400, 404)


async def test_a_target_is_taken_to_its_bound_and_no_further(port: int) -> None:
    longest = "/plain?" + "x" * (TARGET_BYTES - len("/plain?"))
    assert (await say(port, f"GET {longest} HTTP/1.1".encode()))[0] == 400
    status, headers, body = await say(port, f"GET {longest}x HTTP/1.1".encode())
    assert status == 414
    assert_problem("too_large", 414, headers, body)


async def test_headers_are_taken_to_their_bound_and_no_further(port: int) -> None:
    rest = len("host" + "tiny" + "connection" + "close" + "x-a")
    longest = b"GET /plain HTTP/1.1\r\nX-A: " + b"a" * (HEADER_BYTES - rest)
    assert (await say(port, longest))[0] == 200
    status, headers, body = await say(port, longest + b"a")
    assert status == 431
    assert_problem("too_large", 431, headers, body)
    many = b"GET /plain HTTP/1.1" + b"\r\nX-Many: 1" * 3000
    assert (await say(port, many))[0] == 431


@pytest.mark.parametrize("path", ["/plain", "/moves/m", "/sheet", "/pages?limit=5", "/nowhere"])
async def test_head_is_get_without_the_body(port: int, path: str) -> None:
    got = await say(port, f"GET {path} HTTP/1.1\r\nX-Request-Id: r1".encode())
    headed = await say(port, f"HEAD {path} HTTP/1.1\r\nX-Request-Id: r1".encode())
    assert headed[0] == got[0]
    assert headed[1] | {"date": ""} == got[1] | {"date": ""}
    assert int(headed[1]["content-length"]) == len(got[2]) > 0
    assert headed[2] == b""


async def test_head_has_no_body_even_where_the_server_would_let_one_through() -> None:
    async with client(tiny_app()) as http:
        for path in ("/plain", "/moves//m"):
            answer = await http.head(path)
            assert int(answer.headers["Content-Length"]) > 0
            assert answer.content == b""


@pytest.mark.parametrize("method", ["PUT", "PATCH", "TRACE", "PROPFIND", "PURGE", "LINK"])
async def test_another_method_is_told_the_right_ones(port: int, method: str) -> None:
    status, headers, body = await say(port, f"{method} /moves/m HTTP/1.1".encode())
    assert status == 405
    assert headers["allow"].upper() == "DELETE, GET, HEAD, OPTIONS, POST"
    assert_problem("method_not_allowed", 405, headers, body)


@pytest.mark.parametrize(
    ("path", "allowed"),
    [("/moves/m", "DELETE, GET, HEAD, OPTIONS, POST"), ("/length", "OPTIONS, POST"),
     ("/plain", "GET, HEAD, OPTIONS")],
)  # fmt: skip
async def test_options_tells_the_methods_of_a_path(port: int, path: str, allowed: str) -> None:
    status, headers, body = await say(port, f"OPTIONS {path} HTTP/1.1".encode())
    assert (status, headers["allow"].upper(), body) == (204, allowed, b"")


async def test_get_where_only_post_works_is_405_for_head_too(port: int) -> None:
    for method in ("GET", "HEAD"):
        status, headers, _ = await say(port, f"{method} /length HTTP/1.1".encode())
        assert (status, headers["allow"].upper()) == (405, "OPTIONS, POST")


@pytest.mark.parametrize("sent", ["a", "A-b_c.9", "x" * 64])
async def test_a_request_keeps_its_id(sent: str) -> None:
    async with client(tiny_app()) as http:
        for path in ("/plain", "/nowhere", "/no%77here", "/broken"):
            answer = await http.get(path, headers={"X-Request-Id": sent})
            assert answer.headers.get_list("X-Request-Id") == [sent]
            assert path == "/plain" or answer.json()["instance"] == sent


@pytest.mark.parametrize("sent", ["", "a b", "x" * 65, "é", "a/b", '"', "<script>", "a\tb"])
async def test_a_request_with_an_odd_id_gets_another(sent: str) -> None:
    async with client(tiny_app()) as http:
        answers = [
            await http.get("/plain", headers=[(b"X-Request-Id", sent.encode())]) for _ in range(2)
        ]
    ids = {answer.headers["X-Request-Id"] for answer in answers}
    assert len(ids) == 2
    assert sent not in ids


async def test_two_ids_are_none() -> None:
    async with client(tiny_app()) as http:
        answer = await http.get("/plain", headers=[("X-Request-Id", "a"), ("X-Request-Id", "b")])
    assert answer.headers["X-Request-Id"] not in ("a", "b")


async def test_an_error_behind_the_door_is_a_problem_without_its_text(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def failing(scope: Any, receive: Any, send: Any) -> None:
        raise RuntimeError("the hidden card is 4S")

    async with client(door_before(failing)) as http:
        answer = await http.get("/plain")
    assert answer.status_code == 500
    assert_problem("internal", 500, dict(answer.headers), answer.content)
    assert "4S" not in answer.text
    assert any(record.exc_info and "4S" in str(record.exc_info[1]) for record in caplog.records)


async def test_an_answer_that_breaks_off_is_not_begun_again(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with served(door_before(cut_short)) as port:
        status, _, body = await say(port, b"GET /plain HTTP/1.1")
    assert (status, body) == (200, b"")
    assert any(record.exc_info for record in caplog.records)


def door_before(app: Any) -> Door:
    """The door of the tiny app, with another app behind it."""
    door = tiny_app()
    door.app = app
    return door


def access_lines(caplog: pytest.LogCaptureFixture) -> list[dict[str, Any]]:
    records = [record for record in caplog.records if record.name == "service.access"]
    return [json.loads(json_lines().format(record)) for record in records]


async def test_each_request_leaves_one_line_and_nothing_secret(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.INFO, "service.access")
    secret = {"Authorization": "Bearer prs_g_bearer", "X-Request-Id": "r1"}
    async with client(tiny_app()) as http:
        await http.get("/moves/m17", headers=secret)
        await http.post("/moves/m17?key=hushquery", json={"name": "hushbody"}, headers=secret)
        await http.get("/moves/prs_g_inpath/", headers=secret)
        await http.head("/nowhere", headers=secret)
    lines = access_lines(caplog)
    assert [(line["method"], line["route"], line["status"]) for line in lines] == [
        ("GET", "/moves/{move}", 200),
        ("POST", "/moves/{move}", 400),
        ("GET", "/moves/…/", 404),
        ("HEAD", "/nowhere", 404),
    ]
    assert {line["request"] for line in lines} == {"r1"}
    assert all(0 <= line["ms"] < 60_000 for line in lines)
    assert not any(word in str(lines) for word in ("bearer", "hush", "inpath"))


async def test_a_web_socket_is_closed() -> None:
    sent: list[Any] = []

    async def send(message: Any) -> None:
        sent.append(message)

    async def receive() -> Any:
        return {"type": "websocket.connect"}

    scope: Any = {"type": "websocket", "path": "/plain", "headers": []}
    await tiny_app()(scope, receive, send)
    assert sent[0]["type"] == "websocket.close"


async def test_a_chance_to_upgrade_is_not_taken(port: int) -> None:
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}") as http:
        answer = await http.get("/plain", headers={"Upgrade": "h2c", "Connection": "Upgrade"})
    assert answer.status_code == 200
