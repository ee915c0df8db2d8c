"""What a body must be declared as, and how long it may be."""

import asyncio
import gc
import tracemalloc
from collections.abc import AsyncIterator, Iterator
from typing import Any

import httpx
import pytest

from service.http.reading import MOVE_BYTES
from tests.service.tiny import client, served, tiny_app

BODY = b'{"actions": []}'


async def post(body: bytes | AsyncIterator[bytes], *headers: tuple[str, str]) -> httpx.Response:
    async with client(tiny_app()) as http:
        return await http.post("/length", content=body, headers=list(headers))


@pytest.mark.parametrize(
    "media_type",
    ["application/json", "Application/JSON", "application/json; charset=utf-8",
     'application/json;charset="UTF-8"', " application/json ;  charset=utf-8 "],
)  # fmt: skip
async def test_json_may_be_declared_in_these_ways(media_type: str) -> None:
    answer = await post(BODY, ("Content-Type", media_type))
    assert (answer.status_code, answer.json()) == (201, len(BODY))


@pytest.mark.parametrize(
    "media_type",
    ["", "text/plain", "text/json", "application/json5", "application/jsonx", "json", "*/*",
     "application/problem+json", "application/merge-patch+json", "application/x-ndjson",
     "application/x-msgpack", "multipart/form-data", "multipart/form-data; boundary=x",
     "application/x-www-form-urlencoded", "application/json; charset=utf-16",
     "application/json; charset=latin-1", "application/json; charset=utf-8; x=1",
     "application/json; x=1", "application/json, text/plain", "application/json charset=utf-8"],
)  # fmt: skip
async def test_every_other_declaration_is_refused(media_type: str) -> None:
    answer = await post(BODY, ("Content-Type", media_type))
    assert answer.status_code == 415
    assert answer.json()["type"] == "/problems/unsupported_media_type"


async def test_no_declaration_or_two_are_refused() -> None:
    json = ("Content-Type", "application/json")
    assert (await post(BODY)).status_code == 415
    assert (await post(BODY, json, json)).status_code == 415


@pytest.mark.parametrize(
    ("coding", "status"),
    [("identity", 201), ("Identity", 201), ("gzip", 415), ("br", 415), ("deflate, gzip", 415),
     ("identity, gzip", 415), ("", 415), ("nonsense", 415)],
)  # fmt: skip
async def test_the_body_comes_as_it_is(coding: str, status: int) -> None:
    json = ("Content-Type", "application/json")
    answer = await post(BODY, json, ("Content-Encoding", coding))
    assert answer.status_code == status


async def chunks(size: int, count: int) -> AsyncIterator[bytes]:
    for _ in range(count):
        yield b" " * size


async def test_the_bound_is_exact_with_and_without_an_announced_length() -> None:
    json = ("Content-Type", "application/json")
    assert (await post(b" " * MOVE_BYTES, json)).json() == MOVE_BYTES
    assert (await post(b" " * (MOVE_BYTES + 1), json)).status_code == 413
    assert (await post(chunks(1024, 16), json)).json() == MOVE_BYTES
    assert (await post(chunks(1, MOVE_BYTES + 1), json)).status_code == 413
    assert (await post(b"", json)).json() == 0


async def test_an_endless_body_is_refused_when_the_bound_is_passed() -> None:
    """And what has come by then is all that is ever kept."""
    taken = 0

    async def receive() -> dict[str, Any]:
        nonlocal taken
        taken += 1
        return {"type": "http.request", "body": b" " * 1000, "more_body": True}

    assert await status_of(receive) == 413
    assert taken == MOVE_BYTES // 1000 + 1


async def test_an_announced_length_beyond_the_bound_is_refused_unread() -> None:
    async def receive() -> dict[str, Any]:
        raise AssertionError("read all the same")

    assert await status_of(receive, (b"content-length", b"16385")) == 413
    assert await status_of(receive, (b"content-length", b"9" * 5000)) == 413


async def test_a_body_that_is_cut_off_is_malformed() -> None:
    messages = iter(
        [
            {"type": "http.request", "body": b"{", "more_body": True},
            {"type": "http.disconnect"},
        ]
    )

    async def receive() -> dict[str, Any]:
        return next(messages)

    assert await status_of(receive) == 400


async def status_of(receive: Any, *headers: tuple[bytes, bytes]) -> int:
    """The status that a POST gets whose body comes from ``receive``."""
    sent: list[dict[str, Any]] = []

    async def send(message: Any) -> None:
        sent.append(message)

    scope: Any = {
        "type": "http",
        "method": "POST",
        "path": "/length",
        "raw_path": b"/length",
        "query_string": b"",
        "headers": [(b"content-type", b"application/json"), *headers],
    }
    await tiny_app()(scope, receive, send)
    return int(sent[0]["status"])


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    with served(tiny_app()) as number:
        yield number


async def flood(port: int, size: bytes) -> bytes:
    """The first line that a server answers to a chunk of this size which never ends."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        writer.write(
            b"POST /length HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
            b"Transfer-Encoding: chunked\r\n\r\n" + size + b"\r\n" + b" " * (MOVE_BYTES + 1)
        )
        return await asyncio.wait_for(reader.readline(), 10)
    finally:
        writer.close()


async def test_two_hundred_endless_bodies_at_once_are_refused_in_flat_memory(port: int) -> None:
    gc.collect()
    tracemalloc.start()
    try:
        lines = await asyncio.gather(*(flood(port, b"7fffffff") for _ in range(200)))
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert {line.split()[1] for line in lines} == {b"413"}
    # 200 bodies at their bound, in the client, in the server's buffers and in the service.
    assert peak < 200 * 16 * MOVE_BYTES


async def test_a_body_in_chunks_of_one_byte_is_read(port: int) -> None:
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}") as http:
        answer = await http.post(
            "/length", content=chunks(1, 300), headers={"Content-Type": "application/json"}
        )
    assert answer.json() == 300


async def test_the_next_request_of_a_connection_is_served_after_a_refusal(port: int) -> None:
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}") as http:
        refused = await http.post(
            "/length", content=b" " * 100_000, headers={"Content-Type": "application/json"}
        )
        assert refused.status_code == 413
        assert (await http.get("/plain")).status_code == 200
