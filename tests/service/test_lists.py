"""Lists of games over HTTP: filters, pages, and what is in none of them."""

import httpx
import pytest

from tests.service.tables import NAMED, SECRET, bearer, opened, problem

OPEN = {"players": [*NAMED[:3], {"kind": "open"}]}


async def ids(http: httpx.AsyncClient, query: str = "") -> list[str]:
    answer = await http.get(f"/v1/games{query}")
    assert answer.status_code == 200, answer.text
    return [game["id"] for game in answer.json()["items"]]


async def test_the_public_games_are_listed_newest_first(http: httpx.AsyncClient) -> None:
    games = [(await opened(http)).game for _ in range(3)]
    assert sorted(await ids(http)) == sorted(games)


async def test_a_private_game_is_not_listed(http: httpx.AsyncClient) -> None:
    await opened(http, OPEN | {"visibility": "private"})
    assert await ids(http) == []


async def test_games_are_listed_by_status(http: httpx.AsyncClient) -> None:
    playing, over, waiting = await opened(http), await opened(http), await opened(http, OPEN)
    assert (await over.ask("POST", "/forfeit", "organiser", {"team": "B"})).status_code == 200
    assert await ids(http, "?status=playing") == [playing.game]
    assert await ids(http, "?status=finished") == [over.game]
    assert await ids(http, "?status=waiting") == [waiting.game]


async def test_a_game_that_is_gone_is_not_listed(http: httpx.AsyncClient) -> None:
    table = await opened(http, OPEN)
    await table.ask("DELETE", who="organiser")
    assert await ids(http) == []


async def test_pages_follow_each_other_without_gap_or_repeat(http: httpx.AsyncClient) -> None:
    games = {(await opened(http)).game for _ in range(7)}
    seen: list[str] = []
    path = "/v1/games?limit=3"
    sizes = []
    while path:
        answer = await http.get(path)
        page = answer.json()
        seen += [game["id"] for game in page["items"]]
        sizes.append(len(page["items"]))
        path = answer.links["next"]["url"] if "next" in answer.links else ""
        assert bool(path) == (page["next"] is not None)
    assert sizes[:2] == [3, 3]
    assert len(seen) == len(set(seen))
    assert set(seen) == games


async def test_the_link_keeps_the_filter(http: httpx.AsyncClient) -> None:
    for _ in range(2):
        await opened(http)
    answer = await http.get("/v1/games?limit=1&status=playing")
    assert "status=playing" in answer.links["next"]["url"]


async def test_a_list_shows_what_everybody_sees(http: httpx.AsyncClient) -> None:
    table = await opened(http, {"players": NAMED, "secret": SECRET, "organiser_sees_all": True})
    answer = await http.get("/v1/games", headers=bearer(table.organiser))
    (listed,) = answer.json()["items"]
    assert listed == await table.get()
    assert (listed["hand"], listed["hands"], listed["secret"]) == (None, None, None)
    assert answer.headers["Cache-Control"] == "private, no-cache"


@pytest.mark.parametrize(
    "query", ["status=over", "limit=0", "limit=101", "limit=1.0", "cursor=x", "cursor=", "page=2"]
)
async def test_a_query_of_another_form_is_malformed(http: httpx.AsyncClient, query: str) -> None:
    problem(await http.get(f"/v1/games?{query}"), 400, "malformed")
