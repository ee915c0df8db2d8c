"""API keys: where the operator lists some, only their holders open games."""

from collections.abc import AsyncIterator

import httpx
import pytest

from service.api_keys import digest, key_of, listing, new_key, read_keys
from service.app import create_app
from service.settings import Settings
from tests.service.commands import referee
from tests.service.crowd import Crowd
from tests.service.tables import NAMED, bearer, problem
from tests.service.tiny import client

OLD, NEW, SCHOOL, WATCHER = (f"prk_{number:048x}" for number in range(4))
KNOWN = read_keys(
    ", ".join(
        (
            listing("club", ["games", "metrics"], OLD),
            listing("club", ["games"], NEW),
            listing("school", ["games"], SCHOOL),
            listing("watcher", ["metrics"], WATCHER),
        )
    )
)
BODY = {"players": NAMED}


@pytest.fixture
async def keyed(crowd: Crowd) -> AsyncIterator[httpx.AsyncClient]:
    """A client of an app that knows these keys, and lets each have three games open."""
    async with client(create_app(Settings(api_keys=KNOWN, most_open_games=3), crowd)) as http:
        yield http


async def test_without_keys_anybody_may_open_games(http: httpx.AsyncClient) -> None:
    assert (await http.post("/v1/games", json=BODY)).status_code == 201


async def test_without_keys_a_key_is_an_unknown_token(http: httpx.AsyncClient) -> None:
    problem(await http.post("/v1/games", json=BODY, headers=bearer(OLD)), 401, "unauthorized")


async def test_with_keys_a_key_is_needed(keyed: httpx.AsyncClient) -> None:
    answer = await keyed.post("/v1/games", json=BODY)
    problem(answer, 401, "unauthorized")
    assert answer.headers["WWW-Authenticate"] == "Bearer"


@pytest.mark.parametrize("key", [OLD, NEW, SCHOOL])
async def test_a_holder_opens_games(keyed: httpx.AsyncClient, key: str) -> None:
    assert (await keyed.post("/v1/games", json=BODY, headers=bearer(key))).status_code == 201


async def test_the_scope_counts(keyed: httpx.AsyncClient) -> None:
    problem(await keyed.post("/v1/games", json=BODY, headers=bearer(WATCHER)), 403, "forbidden")


async def test_an_unknown_key_is_unauthorized(keyed: httpx.AsyncClient) -> None:
    answer = await keyed.post("/v1/games", json=BODY, headers=bearer(new_key()))
    problem(answer, 401, "unauthorized")


async def test_the_token_of_a_seat_is_no_key(keyed: httpx.AsyncClient) -> None:
    told = (await keyed.post("/v1/games", json=BODY, headers=bearer(OLD))).json()
    answer = await keyed.post("/v1/games", json=BODY, headers=bearer(told["tokens"]["seats"][0]))
    problem(answer, 403, "forbidden")


async def test_a_key_is_no_token_of_its_games(keyed: httpx.AsyncClient) -> None:
    body = BODY | {"visibility": "private"}
    told = (await keyed.post("/v1/games", json=body, headers=bearer(OLD))).json()
    path = f"/v1/games/{told['game']['id']}"
    problem(await keyed.get(path, headers=bearer(OLD)), 404, "not_found")
    assert (await keyed.get(path, headers=bearer(told["tokens"]["organiser"]))).status_code == 200


async def test_a_holder_lists_his_own_games_with_any_of_his_keys(keyed: httpx.AsyncClient) -> None:
    private = BODY | {"visibility": "private"}
    mine = (await keyed.post("/v1/games", json=private, headers=bearer(OLD))).json()["game"]["id"]
    await keyed.post("/v1/games", json=BODY, headers=bearer(SCHOOL))
    listed = (await keyed.get("/v1/games", headers=bearer(NEW))).json()["items"]
    assert [game["id"] for game in listed] == [mine]
    assert listed[0]["viewer"] == {"kind": "spectator", "seat": None}
    assert mine not in [game["id"] for game in (await keyed.get("/v1/games")).json()["items"]]


async def test_a_holder_has_so_many_games_open_at_a_time(keyed: httpx.AsyncClient) -> None:
    games = [await keyed.post("/v1/games", json=BODY, headers=bearer(OLD)) for _ in range(3)]
    refused = await keyed.post("/v1/games", json=BODY, headers=bearer(NEW))
    assert problem(refused, 429, "rate_limited")["policy"] == "open_games"
    assert refused.headers["Retry-After"] == "60"
    assert len((await keyed.get("/v1/games", headers=bearer(OLD))).json()["items"]) == 3
    told = games[1].json()
    organiser = bearer(told["tokens"]["organiser"])
    path = f"/v1/games/{told['game']['id']}/forfeit"
    assert (await keyed.post(path, json={"team": "A"}, headers=organiser)).status_code == 200
    assert (await keyed.post("/v1/games", json=BODY, headers=bearer(OLD))).status_code == 201


async def test_players_need_no_key(keyed: httpx.AsyncClient) -> None:
    body = {"players": [*NAMED[:3], {"kind": "open"}]}
    told = (await keyed.post("/v1/games", json=body, headers=bearer(OLD))).json()
    path = f"/v1/games/{told['game']['id']}"
    sat = await keyed.post(f"{path}/seats", json={"name": "west"})
    assert sat.status_code == 201
    draw = {"actions": [{"type": "draw_stock"}]}
    east = bearer(told["tokens"]["seats"][1])
    assert (await keyed.post(f"{path}/moves", json=draw, headers=east)).status_code == 200


def test_a_key_is_known_by_its_digest() -> None:
    found = key_of(OLD, KNOWN)
    assert found
    assert (found.name, found.digest) == ("club", digest(OLD))
    assert key_of(OLD.upper(), KNOWN) is None
    assert key_of(OLD + "\n", KNOWN) is None


@pytest.mark.parametrize(
    "text",
    ["", "club", "club:games", f"club:games:{OLD}", f"Club:games:{'0' * 64}", "a:cards:" + "0" * 64,
     f"club:games+games:{'0' * 64}", f"club::{'0' * 64}"],
)  # fmt: skip
def test_what_is_no_list_of_keys_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="referee key"):
        read_keys(text)


def test_the_command_makes_a_key_and_its_listing() -> None:
    made = referee("key", "club", "--scope", "games", "--scope", "metrics")
    (_, key), (_, listed) = (line.split() for line in made.stdout.splitlines()[:2])
    (known,) = read_keys(listed)
    assert key_of(key, [known]) == known
    assert known.scopes == {"games", "metrics"}


def test_the_command_refuses_a_name_that_cannot_be_listed() -> None:
    refused = referee("key", "Our Club")
    assert refused.returncode == 2
    assert len(refused.stderr.splitlines()) == 1
