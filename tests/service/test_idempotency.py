"""Requests with an idempotency key: sent again, they are answered as the first time."""

import asyncio
import json
from typing import Any

import httpx
import pytest

from service.api_keys import listing, new_key, read_keys
from service.app import create_app
from service.settings import Settings
from tests.service.crowd import Crowd
from tests.service.tables import NAMED, bearer, opened, opening, problem
from tests.service.tiny import client
from tests.store.servers import Server

KEY = "0b6f4f5e-8c1c-4a57-9f0e-6f6a5f0f3c55"
OPEN_SEATS = {"players": [*NAMED[:2], {"kind": "open"}, {"kind": "open"}]}


def keyed(key: str = KEY) -> dict[str, str]:
    return {"Idempotency-Key": key}


async def open_with(http: httpx.AsyncClient, body: Any, key: str = KEY) -> httpx.Response:
    return await http.post("/v1/games", json=body, headers=keyed(key))


def same(first: httpx.Response, again: httpx.Response) -> bool:
    kept = ("etag", "location")
    return (first.status_code, first.content, [first.headers.get(name) for name in kept]) == (
        again.status_code,
        again.content,
        [again.headers.get(name) for name in kept],
    )


async def test_an_opening_sent_again_opens_one_game(http: httpx.AsyncClient) -> None:
    first = await open_with(http, {"players": NAMED})
    assert first.status_code == 201
    assert same(first, await open_with(http, {"players": NAMED}))
    assert len((await http.get("/v1/games")).json()["items"]) == 1


async def test_the_tokens_that_come_back_work(http: httpx.AsyncClient) -> None:
    await open_with(http, {"players": NAMED})
    again = (await open_with(http, {"players": NAMED})).json()
    for token in (*again["tokens"]["seats"], again["tokens"]["organiser"]):
        answer = await http.get(f"/v1/games/{again['game']['id']}", headers=bearer(token))
        assert answer.status_code == 200


async def test_it_is_answered_as_of_the_first_time_whatever_came_after(
    http: httpx.AsyncClient,
) -> None:
    body = opening()
    first = await open_with(http, body)
    told = first.json()
    path, east = f"/v1/games/{told['game']['id']}", told["tokens"]["seats"][1]
    move = {"actions": [{"type": "draw_stock"}]}
    played = await http.post(f"{path}/moves", json=move, headers=bearer(east))
    assert played.json()["game"]["ply"] == 1
    assert same(first, await open_with(http, body))


async def test_fifty_at_once_open_one_game(http: httpx.AsyncClient) -> None:
    answers = await asyncio.gather(*(open_with(http, {"players": NAMED}) for _ in range(50)))
    assert len({answer.content for answer in answers}) == 1
    assert answers[0].status_code == 201
    assert len((await http.get("/v1/games")).json()["items"]) == 1


async def test_another_body_is_a_mismatch(http: httpx.AsyncClient) -> None:
    await open_with(http, {"players": NAMED})
    problem(await open_with(http, OPEN_SEATS), 422, "idempotency_mismatch")


async def test_the_body_counts_byte_for_byte(http: httpx.AsyncClient) -> None:
    spaced = json.dumps({"players": NAMED}, indent=1)
    await open_with(http, {"players": NAMED})
    headers = keyed() | {"Content-Type": "application/json"}
    answer = await http.post("/v1/games", content=spaced, headers=headers)
    problem(answer, 422, "idempotency_mismatch")


async def test_a_refused_request_reserves_nothing(http: httpx.AsyncClient) -> None:
    wrong = {"players": NAMED, "ruleset": {"options": {"jokers": 2}}}
    problem(await open_with(http, wrong), 422, "contradiction")
    assert (await open_with(http, {"players": NAMED})).status_code == 201


async def test_after_delete_a_late_retry_opens_nothing(http: httpx.AsyncClient) -> None:
    told = (await open_with(http, OPEN_SEATS)).json()
    path = f"/v1/games/{told['game']['id']}"
    await http.delete(path, headers=bearer(told["tokens"]["organiser"]))
    problem(await open_with(http, OPEN_SEATS), 404, "not_found")
    problem(await http.get(path), 404, "not_found")


async def test_a_crash_between_reserving_and_opening_is_completed_by_the_retry(
    crowd: Crowd, http: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    class CrashError(Exception):
        pass

    async def crash(*_: object) -> None:
        raise CrashError

    with monkeypatch.context() as crashing:
        crashing.setattr(crowd, "open", crash)
        assert (await open_with(http, {"players": NAMED})).status_code == 500
    told = await open_with(http, {"players": NAMED})
    assert told.status_code == 201
    assert same(told, await open_with(http, {"players": NAMED}))


@pytest.mark.parametrize("key", ["short", "x" * 15, "x" * 129, "tab\tinside-the-key"])
async def test_a_key_of_another_form_is_malformed(http: httpx.AsyncClient, key: str) -> None:
    problem(await open_with(http, {"players": NAMED}, key), 400, "malformed")


@pytest.mark.parametrize("key", ["x" * 16, "y" * 128, "with spaces and ~!"])
async def test_any_16_to_128_printable_characters_are_a_key(
    http: httpx.AsyncClient, key: str
) -> None:
    assert (await open_with(http, {"players": NAMED}, key)).status_code == 201


async def test_a_seat_taken_again_is_the_same_seat(http: httpx.AsyncClient) -> None:
    table = await opened(http, OPEN_SEATS)
    sit = {"name": "south"}
    first = await table.ask("POST", "/seats", body=sit, headers=keyed())
    assert (first.status_code, first.json()["seat"]) == (201, 2)
    await table.sit("west")
    assert same(first, await table.ask("POST", "/seats", body=sit, headers=keyed()))
    assert (await table.get("", first.json()["token"]))["hand"]
    await table.untouched(2)


async def test_fifty_at_once_take_one_seat(crowd: Crowd, http: httpx.AsyncClient) -> None:
    table = await opened(http, OPEN_SEATS)
    crowd.gather(50)
    answers = await asyncio.gather(
        *(table.ask("POST", "/seats", body={"name": "s"}, headers=keyed()) for _ in range(50))
    )
    assert {(answer.status_code, answer.content) for answer in answers} == {
        (201, answers[0].content)
    }
    await table.untouched(1)


async def test_a_seat_with_another_body_is_a_mismatch(http: httpx.AsyncClient) -> None:
    table = await opened(http, OPEN_SEATS)
    await table.ask("POST", "/seats", body={"name": "south"}, headers=keyed())
    answer = await table.ask("POST", "/seats", body={"name": "west"}, headers=keyed())
    problem(answer, 422, "idempotency_mismatch")
    await table.untouched(1)


async def test_a_key_counts_for_its_path_only(http: httpx.AsyncClient) -> None:
    one, other = await opened(http, OPEN_SEATS), await opened(http, OPEN_SEATS)
    for table in (one, other):
        answer = await table.ask("POST", "/seats", body={"name": "south"}, headers=keyed())
        assert answer.status_code == 201
        await table.untouched(1)


async def test_neither_key_nor_token_is_kept_in_clear(
    http: httpx.AsyncClient, server: Server
) -> None:
    told = (await open_with(http, OPEN_SEATS)).json()
    path = f"/v1/games/{told['game']['id']}"
    seat = await http.post(f"{path}/seats", json={"name": "south"}, headers=keyed())
    tokens = [*filter(None, told["tokens"]["seats"]), told["tokens"]["organiser"]]
    secrets = [KEY, *tokens, seat.json()["token"]]
    with server.client() as redis:
        kept = b"".join(key + (redis.dump(key) or b"") for key in redis.scan_iter())
    for secret in secrets:
        assert secret.encode() not in kept
        assert secret.rpartition("_")[2].encode() not in kept


async def test_with_api_keys_each_holder_has_keys_of_his_own(crowd: Crowd) -> None:
    club, school = new_key(), new_key()
    known = read_keys(f"{listing('club', ['games'], club)},{listing('school', ['games'], school)}")
    async with client(create_app(Settings(api_keys=known), crowd)) as http:
        answers = [
            await http.post("/v1/games", json={"players": NAMED}, headers=keyed() | bearer(key))
            for key in (club, school, club)
        ]
    games = [answer.json()["game"]["id"] for answer in answers]
    assert games[0] == games[2] != games[1]
