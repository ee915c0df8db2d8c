"""A game whose time is up: what its players are told, and that it goes as a whole or not at all."""

from collections.abc import AsyncIterator

import httpx
import pytest

from service.store import keys
from service.store.redis import Lifetimes
from tests.service.crowd import Crowd
from tests.service.tables import NAMED, Table, opened, problem
from tests.store.servers import Server, wait_until

SECOND_MS = 1000
PLAYING, FINISHED = 200, 300
LAST_SECONDS = 3


@pytest.fixture
async def crowd(redis_url: str) -> AsyncIterator[Crowd]:
    crowd = Crowd(redis_url, Lifetimes(waiting=100, playing=PLAYING, finished=FINISHED))
    yield crowd
    await crowd.close()


def expire(server: Server, table: Table, milliseconds: int) -> None:
    """Let a game have no more than that left."""
    with server.client() as client:
        for key in keys.of_game(table.game):
            client.pexpire(key, milliseconds)


def ends(server: Server, table: Table) -> set[int]:
    with server.client() as client:
        return {client.pexpiretime(key) for key in keys.of_game(table.game)}


def left(server: Server, table: Table) -> float:
    with server.client() as client:
        return client.pttl(keys.of_game(table.game)[0]) / SECOND_MS


async def test_after_each_move_all_keys_last_as_long_as_each_other(
    http: httpx.AsyncClient, server: Server
) -> None:
    table = await opened(http)
    await table.play(1, "draw_stock")
    for who, action in ((1, "discard 5C"), (2, "draw_stock"), (2, "discard QD")):
        expire(server, table, 50 * SECOND_MS)
        await table.play(who, action)
        assert len(ends(server, table)) == 1
        assert PLAYING - 20 < left(server, table) <= PLAYING


async def test_a_game_that_is_moved_in_its_last_seconds_stays_whole(
    http: httpx.AsyncClient, server: Server
) -> None:
    table = await opened(http)
    await table.play(1, "draw_stock")
    expire(server, table, LAST_SECONDS * SECOND_MS)
    await table.play(1, "discard 5C")
    assert left(server, table) > LAST_SECONDS
    assert len((await table.get("/log"))["items"]) == 2
    for who in (0, 1, 2, 3, "organiser"):
        assert (await table.get("", who))["ply"] == 2


async def test_looking_does_not_make_a_game_last(http: httpx.AsyncClient, server: Server) -> None:
    table = await opened(http)
    await table.play(1, "draw_stock")
    expire(server, table, 50 * SECOND_MS)
    before = ends(server, table)
    await table.get("", 1)
    await table.get("/log")
    problem(await table.send(1, "meld 2H 3H"), 422, "illegal_move")
    assert ends(server, table) == before


async def test_a_game_that_is_over_is_kept_as_long_as_is_set_and_then_goes(
    http: httpx.AsyncClient, server: Server
) -> None:
    table = await opened(http)
    await table.play(1, "draw_stock")
    assert (await table.ask("POST", "/forfeit", 1, {})).status_code == 200
    assert PLAYING < left(server, table) <= FINISHED
    assert len(ends(server, table)) == 1
    await table.get("/record")
    expire(server, table, 1)
    with server.client() as client:
        wait_until(lambda: not client.exists(*keys.of_game(table.game)))
    await is_unknown(table)


@pytest.mark.parametrize("seats", [NAMED, [*NAMED[:3], {"kind": "open"}]])
async def test_once_it_is_gone_it_is_as_if_it_had_never_been(
    http: httpx.AsyncClient, server: Server, seats: list[dict[str, str]]
) -> None:
    table = await opened(http, {"players": seats})
    expire(server, table, 1)
    with server.client() as client:
        wait_until(lambda: not client.exists(*keys.of_game(table.game)))
    await is_unknown(table)
    answer = await http.get("/v1/games")
    assert answer.json()["items"] == []


async def is_unknown(table: Table) -> None:
    """Without a token there is no such game; with one of its own, no such token."""
    for tail in ("", "/log", "/score", "/record"):
        problem(await table.ask("GET", tail), 404, "not_found")
        problem(await table.ask("GET", tail, 0), 401, "unauthorized")
        problem(await table.ask("GET", tail, "organiser"), 401, "unauthorized")
    problem(await table.send(1, "draw_stock", at=0), 401, "unauthorized")
    problem(await table.sit("late"), 404, "not_found")
    problem(await table.ask("POST", "/forfeit", "organiser", {}), 401, "unauthorized")
    problem(await table.ask("DELETE", who="organiser"), 401, "unauthorized")
