"""More callers at once than the store has connections for: each waits a little, or is told 503."""

import asyncio
import json
import resource
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.faults.load import UNLIMITED
from tests.store.servers import Server
from tests.whole.serving import Players, Service, log_of, served

CROWD = 2000

Request = bytes
Answer = tuple[int, bytes]
"""Status and all of the text."""


@pytest.fixture
def own_server() -> Iterator[Server]:
    with Server() as server:
        yield server


def asking(players: Players) -> Request:
    return f"GET /v1/games/{players.game} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".encode()


def drawing(players: Players) -> Request:
    """The first move of a game, made by the seat whose turn it is."""
    assert players.turn is not None
    body = json.dumps({"actions": [{"type": "draw_stock"}]})
    lines = (
        f"POST /v1/games/{players.game}/moves HTTP/1.1",
        "Host: x",
        "Connection: close",
        "Content-Type: application/json",
        f"Content-Length: {len(body)}",
        f"Authorization: Bearer {players.tokens[players.turn]}",
        'If-Match: "0"',
    )
    return "\r\n".join((*lines, "", body)).encode()


def all_at_once(url: str, requests: list[Request]) -> list[Answer]:
    port = httpx.URL(url).port

    async def ask(request: Request) -> Answer:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(request)
        told = await reader.read()
        writer.close()
        return int(told.split()[1]), told

    async def crowd() -> list[Answer]:
        return await asyncio.gather(*map(ask, requests))

    return asyncio.run(crowd())


@pytest.fixture
def many_files() -> Iterator[None]:
    """Each connection is an open file, here and in the service, which inherits the limit."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, 2 * CROWD), hard))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


@pytest.fixture
def service(own_server: Server, tmp_path: Path, many_files: None) -> Iterator[Service]:
    settings = UNLIMITED | {"REFEREE_REDIS_URL": own_server.url}
    with served(tmp_path, settings=settings) as service:
        yield service


def statuses(answers: list[Answer]) -> set[int]:
    """The statuses that occur; each refusal says when to come again."""
    for status, told in answers:
        if status == 503:
            assert b"retry-after: 2" in told
            assert b"/problems/unavailable" in told
    return {status for status, _ in answers}


def test_two_thousand_at_once_are_answered_or_told_to_come_again(service: Service) -> None:
    players = Players(service.url, seed=1)
    half = CROWD // 2
    answers = all_at_once(service.url, half * [drawing(players)] + half * [asking(players)])
    assert statuses(answers) <= {200, 503}
    # As it recovers at once, and as all of them have asked for the same move, it is played.
    answers += all_at_once(service.url, [drawing(players)])
    moved = [told.partition(b"\r\n\r\n")[2] for status, told in answers[:half] if status == 200]
    assert len(set(moved)) <= 1
    assert answers[-1][0] == 200
    assert len(log_of(service.url, players.game, players.tokens[0])) == 1


def test_nobody_waits_for_ever_for_a_server_that_hangs(
    service: Service, own_server: Server
) -> None:
    players = Players(service.url, seed=1)
    own_server.freeze()
    assert statuses(all_at_once(service.url, 200 * [drawing(players)])) == {503}
    own_server.thaw()
    assert statuses(all_at_once(service.url, 20 * [drawing(players)])) == {200}
    assert len(log_of(service.url, players.game, players.tokens[0])) == 1


def test_a_server_that_takes_no_more_clients_is_one_that_is_away(
    service: Service, own_server: Server
) -> None:
    players = Players(service.url, seed=1)
    with own_server.client() as client:
        client.config_set("maxclients", 1)
        client.client_kill_filter(_type="normal", skipme=True)
        assert statuses(all_at_once(service.url, 100 * [drawing(players)])) == {503}
        client.config_set("maxclients", 1000)
    assert statuses(all_at_once(service.url, 20 * [drawing(players)])) == {200}
    assert len(log_of(service.url, players.game, players.tokens[0])) == 1
