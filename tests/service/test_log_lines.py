"""The log of the service: one line for each request, and no token, secret or card in any."""

import json
import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from service.app import create_app
from service.logs import json_lines
from service.settings import Settings
from service.store.redis import RedisStore
from tests.service.everything import KEY, SEED, everything, secrets_of, tails
from tests.service.tables import (
    NAMED,
    SECRET,
    bearer,
    json_of,
    opened,
    opening,
    pack,
    problem,
)
from tests.service.tiny import client
from tests.store.servers import Server

Line = dict[str, Any]


class Kept(logging.Handler):
    """Every line as it would be written, whoever logs it."""

    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self.setFormatter(json_lines())
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        # What the test's own client says of its requests is no line of the service.
        if record.name.partition(".")[0] not in ("httpx", "httpcore"):
            self.lines.append(self.format(record))

    def of_requests(self) -> list[Line]:
        told = [json.loads(line) for line in self.lines]
        return [line for line in told if line["logger"] == "service.access"]


@pytest.fixture
def kept() -> Iterator[Kept]:
    """All log lines of a test, down to the chattiest."""
    kept = Kept()
    root = logging.getLogger()
    before = root.level
    root.addHandler(kept)
    root.setLevel(logging.DEBUG)
    yield kept
    root.setLevel(before)
    root.removeHandler(kept)


async def test_no_line_holds_a_token_a_secret_or_a_card(
    http: httpx.AsyncClient, kept: Kept
) -> None:
    players = [*NAMED[:3], {"kind": "open"}]
    body = {"players": players, "secret": SECRET, "visibility": "private"}
    table = await opened(http, body)
    before = secrets_of(table)
    await everything(table)
    whole = "\n".join(kept.lines)
    for hidden in [*tails(before), *tails(secrets_of(table)), SECRET, SEED, KEY]:
        assert hidden not in whole
    assert len(kept.of_requests()) > 60
    for line in kept.of_requests():
        written = {name: line[name] for name in line if name not in ("time", "request", "ms")}
        assert not any(code in str(written) for code in ("QH", "9C", "X1", "8D", "TH", "9c"))
        assert set(line) - {"problem", "violation"} == {
            "time", "level", "logger", "message", "request", "method", "route", "status", "ms"
        }  # fmt: skip
        assert ("problem" in line) == (line["status"] >= 400)


async def test_a_line_tells_where_a_request_went_and_what_came_of_it(
    http: httpx.AsyncClient, kept: Kept
) -> None:
    table = await opened(http)
    answer = await table.send(0, "draw_stock")
    problem(answer, 409, "not_your_turn")
    line = kept.of_requests()[-1]
    assert line["method"] == "POST"
    assert line["status"] == 409
    assert line["request"] == answer.headers["X-Request-Id"] == answer.json()["instance"]
    assert line["route"] == "/v1/games/{game}/moves"
    assert (line["problem"], line["violation"]) == ("not_your_turn", "not_your_turn")


async def test_a_trace_is_told_with_the_lines_of_its_own_request_alone(
    http: httpx.AsyncClient, kept: Kept
) -> None:
    trace = "4bf92f3577b34da6a3ce929d0e0e4736"
    sent = ({"traceparent": f"00-{trace}-00f067aa0ba902b7-01"}, {})
    for headers in sent:
        await http.get("/healthz", headers=headers)
    assert [line.get("trace_id") for line in kept.of_requests()] == [trace, None]


async def test_a_store_that_fails_takes_no_secret_into_the_log(kept: Kept) -> None:
    body = opening(pack(), visibility="private")
    with Server() as server:
        store = RedisStore(server.url)
        async with client(create_app(Settings(data=Path("unused")), store)) as http:
            table = await opened(http, body)
            tokens = secrets_of(table)
            with server.client() as redis:
                for key in redis.keys(f"*{table.game}*"):
                    if redis.type(key) == b"string":
                        redis.set(key, b"4S 4D 4H", keepttl=True)
            for who in (1, None, "organiser"):
                problem(await table.ask("GET", who=who), 503, "unavailable")
                problem(await table.send(1, "draw_stock", at=0), 503, "unavailable")
            server.kill()
            problem(await table.send(1, "draw_stock", at=0), 503, "unavailable")
            problem(await http.post("/v1/games", json=body), 503, "unavailable")
        await store.close()
    whole = "\n".join(kept.lines)
    assert "the store does not do its part" in whole
    for hidden in [*tails(tokens), "4S 4D 4H", *(" ".join(pack()[at : at + 3]) for at in (0, 12))]:
        assert hidden not in whole


async def test_what_cannot_be_read_is_not_written_either(
    http: httpx.AsyncClient, kept: Kept
) -> None:
    table = await opened(http)
    token = str(table.seats[1])
    body = json.dumps({"actions": [json_of("discard QH")]}).encode()[:-1]
    headers = {**bearer(token), "Content-Type": "application/json"}
    for broken in (body, body + b"\xff", b"[" * 2000, b'{"actions": "' + token.encode() + b'"}'):
        answer = await http.post(f"{table.path}/moves", content=broken, headers=headers)
        problem(answer, 400, "malformed")
    whole = "\n".join(kept.lines)
    assert token not in whole
    assert "QH" not in whole
