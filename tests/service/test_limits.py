"""Rate limits: who is counted as whom, what he is told, and how to be rid of them."""

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager

import httpx
import pytest

from service.app import create_app
from service.http.door import Door
from service.settings import Settings
from tests.service.crowd import Crowd
from tests.service.tables import NAMED, Table, bearer, opened, problem
from tests.service.tiny import client
from tests.store.servers import Server

# Nothing comes back while a test runs: a token needs a second, and the burst is used up at once.
TIGHT = Settings(
    address_rate=1, address_burst=4, token_rate=1, token_burst=3, key_rate=1, key_burst=2
)


@pytest.fixture
def own() -> Iterator[Server]:
    """A server to be unkind to."""
    with Server() as server:
        yield server


@asynccontextmanager
async def away(server: Server) -> AsyncIterator[httpx.AsyncClient]:
    """A client of an app with the usual limits, on a server that may go."""
    crowd = Crowd(server.url)
    async with client(app(crowd, Settings())) as http:
        yield http
    await crowd.close()


def app(crowd: Crowd, settings: Settings = TIGHT) -> Door:
    return create_app(settings, crowd)


def caller(app: Door, address: str) -> httpx.AsyncClient:
    transport = httpx.ASGITransport(app=app, client=(address, 1))
    return httpx.AsyncClient(transport=transport, base_url="http://tiny")


async def until_refused(http: httpx.AsyncClient, path: str, **sent: str) -> httpx.Response:
    for _ in range(20):
        answer = await http.get(path, headers=sent)
        if answer.status_code == 429:
            return answer
    pytest.fail("nobody was refused")


async def table_at(crowd: Crowd) -> Table:
    async with client(app(crowd, Settings())) as http:
        return await opened(http)


async def test_an_address_has_a_limit(crowd: Crowd) -> None:
    async with client(app(crowd)) as http:
        refused = await until_refused(http, "/v1/rulesets")
    assert problem(refused, 429, "rate_limited")["policy"] == "address"
    assert int(refused.headers["Retry-After"]) == 1
    assert refused.headers["RateLimit"] == '"address";r=0;t=4'


async def test_every_answer_tells_how_the_caller_stands(crowd: Crowd) -> None:
    async with client(app(crowd)) as http:
        first, second = [await http.get("/v1/rulesets") for _ in range(2)]
    assert first.headers["RateLimit-Policy"] == '"address";q=4;w=4'
    assert [answer.headers["RateLimit"] for answer in (first, second)] == [
        '"address";r=3;t=1',
        '"address";r=2;t=2',
    ]


async def test_a_refusal_is_counted_and_told_too(crowd: Crowd) -> None:
    async with client(app(crowd)) as http:
        answer = await http.get("/v1/games/nobody")
    assert (answer.status_code, answer.headers["RateLimit"]) == (404, '"address";r=3;t=1')


async def test_addresses_do_not_share(crowd: Crowd) -> None:
    door = app(crowd)
    async with caller(door, "203.0.113.7") as one, caller(door, "203.0.113.8") as other:
        await until_refused(one, "/v1/rulesets")
        assert (await other.get("/v1/rulesets")).status_code == 200


async def test_one_home_has_one_ipv6_network(crowd: Crowd) -> None:
    door = app(crowd)
    async with (
        caller(door, "2001:db8::1") as one,
        caller(door, "2001:db8::ffff") as same,
        caller(door, "2001:db8:0:1::1") as other,
    ):
        await until_refused(one, "/v1/rulesets")
        assert (await same.get("/v1/rulesets")).status_code == 429
        assert (await other.get("/v1/rulesets")).status_code == 200


async def test_a_token_has_a_limit_of_its_own(crowd: Crowd) -> None:
    table = await table_at(crowd)
    north, east = (bearer(table.token(seat)) for seat in (0, 1))
    async with client(app(crowd)) as http:
        refused = await until_refused(http, table.path, **north)
        assert problem(refused, 429, "rate_limited")["policy"] == "token"
        assert (await http.get(table.path, headers=east)).status_code == 200
        assert (await http.get(table.path)).status_code == 200


async def test_unknown_tokens_are_counted_for_their_address(crowd: Crowd) -> None:
    async with client(app(crowd)) as http:
        statuses = [
            (
                await http.get("/v1/rulesets", headers=bearer(f"prs_{number:020}_{number:048x}"))
            ).status_code
            for number in range(5)
        ]
    assert statuses == [401, 401, 401, 401, 429]


async def test_a_limit_counts_for_all_processes_together(crowd: Crowd) -> None:
    async with client(app(crowd)) as one, client(app(crowd)) as other:
        await until_refused(one, "/v1/rulesets")
        assert (await other.get("/v1/rulesets")).status_code == 429


async def test_a_refused_move_is_not_played(crowd: Crowd) -> None:
    table = await table_at(crowd)
    east = bearer(table.token(1))
    draw = {"actions": [{"type": "draw_stock"}]}
    async with client(app(crowd)) as http:
        await until_refused(http, table.path, **east)
        refused = await http.post(f"{table.path}/moves", json=draw, headers=east)
        problem(refused, 429, "rate_limited")
    loaded = await crowd.load(table.game)
    assert loaded
    assert loaded.game.ply == 0


@pytest.mark.parametrize("path", ["/", "/healthz", "/openapi.yaml", "/problems/stale"])
async def test_what_is_the_same_for_everybody_is_not_counted(crowd: Crowd, path: str) -> None:
    async with client(app(crowd)) as http:
        answers = [await http.get(path) for _ in range(9)]
    assert {answer.status_code for answer in answers} == {200}
    assert "RateLimit" not in answers[0].headers


async def test_one_switch_turns_them_off(crowd: Crowd) -> None:
    async with client(app(crowd, Settings(limits=False, address_rate=1, address_burst=1))) as http:
        answers = [await http.get("/v1/rulesets") for _ in range(9)]
    assert {answer.status_code for answer in answers} == {200}
    assert "RateLimit" not in answers[0].headers


async def test_a_store_that_takes_no_writes_is_read_all_the_same(own: Server) -> None:
    """Counting is a write: where it is refused, requests are let in uncounted."""
    async with away(own) as http:
        table = await opened(http)
        seat = bearer(str(table.seats[1]))
        paths = (table.path, f"{table.path}/log", f"{table.path}/legal-actions", "/v1/rules")
        with own.client() as redis:
            redis.config_set("maxmemory", 1)
        for path in (*paths, "/v1/games"):
            answer = await http.get(path, headers=seat if path.startswith(table.path) else {})
            assert answer.status_code == 200, path
            assert "RateLimit" not in answer.headers
        move = {"actions": [{"type": "draw_stock"}]}
        refused = await http.post(f"{table.path}/moves", json=move, headers=seat)
        problem(refused, 503, "unavailable")


async def test_what_needs_no_store_needs_none_to_be_counted(own: Server) -> None:
    async with away(own) as http:
        own.kill()
        assert (await http.get("/v1/rules")).status_code == 200
        problem(await http.get("/v1/games"), 503, "unavailable")


async def test_a_store_too_slow_to_count_is_no_way_to_more_requests(own: Server) -> None:
    async with away(own) as http:
        own.freeze()
        answer = problem(await http.get("/v1/rules"), 503, "unavailable")
        own.thaw()
        assert answer["detail"]


async def test_by_default_an_address_gets_500_requests_in_a_second(crowd: Crowd) -> None:
    async with client(app(crowd, Settings())) as http:
        answers = [await http.get("/v1/rulesets") for _ in range(500)]
    assert {answer.status_code for answer in answers} == {200}


async def test_opening_without_a_key_is_counted_for_the_address(crowd: Crowd) -> None:
    async with client(app(crowd)) as http:
        answer = await http.post("/v1/games", json={"players": NAMED})
    assert (answer.status_code, answer.headers["RateLimit"]) == (201, '"address";r=3;t=1')
