"""Taking open seats, and replacing the tokens of named ones."""

import asyncio
from typing import Any

import httpx
import pytest

from tests.service.crowd import Crowd
from tests.service.tables import NAMED, SECRET, Table, bearer, opened, opening, problem

OPEN = {"kind": "open"}
ALL_OPEN = [OPEN] * 4
TWO_OPEN = [NAMED[0], OPEN, NAMED[2], OPEN]


async def waiting(http: httpx.AsyncClient, players: Any = None, **members: Any) -> Table:
    return await opened(http, opening(players=players or TWO_OPEN, **members))


async def test_who_sits_down_plays(http: httpx.AsyncClient) -> None:
    table = await waiting(http)
    answer = await table.sit("south", seat=3)
    told = answer.json()
    assert (answer.status_code, answer.headers["ETag"]) == (201, '"1"')
    assert answer.headers["Cache-Control"] == "private, no-cache"
    assert answer.headers["Vary"] == "Authorization"
    assert told["seat"] == 3
    assert told["token"].startswith(f"prs_{table.game}_")
    assert told["game"]["viewer"] == {"kind": "seat", "seat": 3}
    assert told["game"]["status"] == "waiting"
    assert told["game"]["seats"][3]["name"] == "south"
    assert told["game"]["seats"][3]["kind"] == "client"
    assert told["game"] == await table.get(who=3)


async def test_without_a_wish_it_is_the_lowest_open_seat(http: httpx.AsyncClient) -> None:
    table = await waiting(http)
    assert (await table.sit("east")).json()["seat"] == 1
    assert (await table.sit("west")).json()["seat"] == 3


async def test_the_last_to_come_starts_the_game(http: httpx.AsyncClient) -> None:
    table = await waiting(http)
    await table.sit("east")
    problem(await table.send(0, "draw_stock"), 409, "game_not_started")
    last = (await table.sit("west")).json()["game"]
    assert (last["status"], last["deal"], last["turn"]) == ("playing", 1, 1)
    assert len(last["hand"]) == 3
    assert (await table.play(1, "draw_stock"))["game"]["ply"] == 3
    items = (await table.get("/log"))["items"]
    assert [(one["ply"], one["deal"], one["seat"], one["event"]) for one in items] == [
        (1, 0, 1, "seat_taken"), (2, 0, 3, "seat_taken"), (3, 1, 1, None)
    ]  # fmt: skip
    assert [one["action"] for one in items] == [None, None, {"type": "draw_stock"}]


@pytest.mark.parametrize("seat", [0, 1, None])
async def test_a_seat_that_is_not_open(http: httpx.AsyncClient, seat: int | None) -> None:
    table = await waiting(http, [NAMED[0], OPEN, NAMED[2], NAMED[3]])
    await table.sit("east")
    members = {} if seat is None else {"seat": seat}
    problem(await table.sit("late", **members), 409, "seat_taken")
    await table.untouched(1)


@pytest.mark.parametrize(
    ("members", "pointer"),
    [
        ({}, "/name"),
        ({"name": ""}, "/name"),
        ({"name": "x" * 41}, "/name"),
        ({"name": None}, "/name"),
        ({"name": "x", "seat": 4}, "/seat"),
        ({"name": "x", "seat": -1}, "/seat"),
        ({"name": "x", "seat": "1"}, "/seat"),
        ({"name": "x", "seat": 1.0}, "/seat"),
        ({"name": "x", "seat": True}, "/seat"),
        ({"name": "x", "seat": None}, "/seat"),
        ({"name": "x", "client_seed": "0" * 65}, "/client_seed"),
        ({"name": "x", "client_seed": "0F"}, "/client_seed"),
        ({"name": "x", "client_seed": "0g"}, "/client_seed"),
        ({"name": "x", "client_seed": 0}, "/client_seed"),
        ({"name": "x", "invitation": None}, "/invitation"),
        ({"name": "x", "team": "A"}, "/team"),
    ],
)
async def test_malformed_wishes(http: httpx.AsyncClient, members: Any, pointer: str) -> None:
    table = await waiting(http)
    told = problem(await table.ask("POST", "/seats", body=members), 400, "malformed")
    assert [fault["pointer"] for fault in told["errors"]] == [pointer]
    await table.untouched(0)


async def test_a_private_game_wants_its_invitation(http: httpx.AsyncClient) -> None:
    table = await waiting(http, visibility="private")
    other = await waiting(http, visibility="private")
    wrong: list[str] = ["x", "pri_", str(other.invitation), str(table.seats[0]), table.organiser]
    assert table.invitation is not None
    wrong += [table.invitation[:-1], table.invitation + "0", table.invitation.upper()]
    problem(await table.sit("spy"), 404, "not_found")
    for invitation in wrong:
        problem(await table.sit("spy", invitation=invitation), 404, "not_found")
    problem(await table.ask("POST", "/seats", "organiser", {"name": "spy"}), 404, "not_found")
    await table.untouched(0)
    answer = await table.sit("guest", invitation=table.invitation)
    assert answer.status_code == 201
    assert answer.json()["seat"] == 1
    problem(await table.sit("late", seat=1, invitation=table.invitation), 409, "seat_taken")


async def test_a_wrong_invitation_says_what_a_missing_game_says(http: httpx.AsyncClient) -> None:
    table = await waiting(http, visibility="private")
    hidden = problem(await table.sit("spy", invitation="x"), 404, "not_found")
    missing = await http.post(f"/v1/games/{'a' * 20}/seats", json={"name": "spy"})
    there = problem(missing, 404, "not_found")
    assert {**hidden, "instance": ""} == {**there, "instance": ""}


async def test_client_seeds_have_their_share_in_the_deal(http: httpx.AsyncClient) -> None:
    piles = []
    for seed in ({}, {"client_seed": ""}, {"client_seed": "00ff"}, {"client_seed": "0" * 64}):
        body = {"players": [*NAMED[:3], OPEN], "secret": SECRET, "organiser_sees_all": True}
        table = await opened(http, body)
        assert (await table.sit("west", **seed)).status_code == 201
        piles.append((await table.get(who="organiser"))["hands"])
    assert piles[0] == piles[1], "no seed is an empty seed"
    assert piles[0] != piles[2] != piles[3] != piles[0]


async def test_the_organisers_secret_stays_one_when_seats_are_taken(
    http: httpx.AsyncClient,
) -> None:
    table = await opened(http, {"players": ALL_OPEN, "secret": SECRET})
    for name in "abcd":
        answer = await table.sit(name, client_seed="00")
        assert SECRET not in answer.text
    assert (await table.get())["secret"] is None


async def test_one_wins_the_race_for_a_seat(http: httpx.AsyncClient, crowd: Crowd) -> None:
    table = await waiting(http)
    crowd.gather(20)
    answers = await asyncio.gather(*(table.sit(f"p{n}", seat=1) for n in range(20)))
    assert sorted(answer.status_code for answer in answers) == [201] + [409] * 19
    winner = next(answer for answer in answers if answer.status_code == 201).json()
    assert (await table.get())["seats"][1]["name"] == winner["game"]["seats"][1]["name"]
    assert (await table.get(who=winner["token"]))["viewer"] == {"kind": "seat", "seat": 1}
    await table.untouched(1)


async def test_a_lost_race_leads_to_the_next_open_seat(
    http: httpx.AsyncClient, crowd: Crowd
) -> None:
    table = await waiting(http, ALL_OPEN)
    crowd.gather(10)
    answers = await asyncio.gather(*(table.sit(f"p{n}") for n in range(10)))
    seated = [answer.json() for answer in answers if answer.status_code == 201]
    assert sorted(one["seat"] for one in seated) == [0, 1, 2, 3]
    for answer in answers:
        if answer.status_code != 201:
            problem(answer, 409, "seat_taken")
    names = [one["name"] for one in (await table.get())["seats"]]
    for one in seated:
        view = await table.get(who=one["token"])
        assert view["viewer"]["seat"] == one["seat"]
        assert names[one["seat"]] == one["game"]["seats"][one["seat"]]["name"]
        assert len(view["hand"]) == 3
    await table.untouched(4)


async def test_a_waiting_game_is_called_off(http: httpx.AsyncClient) -> None:
    table = await waiting(http, visibility="private")
    await table.sit("east", invitation=table.invitation)
    answer = await table.ask("DELETE", who="organiser")
    assert (answer.status_code, answer.content) == (204, b"")
    for who in (0, 1, "organiser"):
        problem(await table.ask("GET", who=who), 401, "unauthorized")
    problem(await table.ask("DELETE", who="organiser"), 401, "unauthorized")
    problem(await table.ask("GET"), 404, "not_found")
    problem(await table.sit("x", invitation=table.invitation), 404, "not_found")


async def test_a_game_that_began_is_not_called_off(http: httpx.AsyncClient) -> None:
    table = await opened(http)
    problem(await table.ask("DELETE", who="organiser"), 409, "game_started")
    await table.untouched(0)
    await table.ask("POST", "/forfeit", 0, {})
    told = problem(await table.ask("DELETE", who="organiser"), 409, "game_over")
    assert told["violation"] == "game_over"
    assert told["rules"] == ["R-32"]
    assert told["links"] == ["/v1/rules/R-32"]
    await table.untouched(1)


async def test_sitting_down_and_calling_off_at_once(http: httpx.AsyncClient, crowd: Crowd) -> None:
    """Either somebody sits, or the game is gone: no seat is given at a game that is not there."""
    for _ in range(10):
        table = await waiting(http, [*NAMED[:3], OPEN])
        crowd.gather(2)
        gone, sat = await asyncio.gather(table.ask("DELETE", who="organiser"), table.sit("west"))
        if gone.status_code == 204:
            problem(sat, 404, "not_found")
            problem(await table.ask("GET"), 404, "not_found")
        else:
            problem(gone, 409, "game_started")
            assert sat.status_code == 201


async def test_a_lost_token_is_replaced(http: httpx.AsyncClient) -> None:
    table = await opened(http)
    old = table.seats[1]
    answer = await table.ask("POST", "/seats/1/token", "organiser", {})
    told = answer.json()
    assert answer.status_code == 200
    assert set(told) == {"seat", "token"}
    assert told["seat"] == 1
    assert told["token"].startswith(f"prs_{table.game}_")
    assert told["token"] != old
    problem(await table.send(old, "draw_stock"), 401, "unauthorized")
    await table.untouched(0)
    await table.play(told["token"], "draw_stock")


async def test_a_token_may_be_replaced_again_and_when_all_is_over(http: httpx.AsyncClient) -> None:
    table = await opened(http)
    await table.ask("POST", "/forfeit", 0, {})
    first = (await table.ask("POST", "/seats/0/token", "organiser", {})).json()["token"]
    second = (await table.ask("POST", "/seats/0/token", "organiser", {})).json()["token"]
    problem(await table.ask("GET", who=first), 401, "unauthorized")
    assert (await table.get(who=second))["viewer"]["seat"] == 0


@pytest.mark.parametrize("taken", [False, True])
async def test_a_strangers_token_is_not_replaced(http: httpx.AsyncClient, taken: bool) -> None:
    table = await waiting(http)
    if taken:
        await table.sit("east", seat=1)
    problem(await table.ask("POST", "/seats/1/token", "organiser", {}), 403, "forbidden")
    if taken:
        assert (await table.get(who=1))["viewer"]["seat"] == 1


@pytest.mark.parametrize("place", range(4))
async def test_drawn_seats_keep_their_strangers(http: httpx.AsyncClient, place: int) -> None:
    players = [OPEN if one == place else NAMED[one] for one in range(4)]
    body = {"players": players, "team_formation": "draw", "secret": SECRET}
    table = await opened(http, body)
    assert table.first_view["draw"][0]["seat"] != 0, "seats and places differ in this draw"
    for seat in range(4):
        answer = await table.ask("POST", f"/seats/{seat}/token", "organiser", {})
        assert answer.status_code == (403 if table.seats[seat] is None else 200)


@pytest.mark.parametrize("seat", ["4", "-1", "00", "1.0", "x", "0x1"])
async def test_there_are_four_seats(http: httpx.AsyncClient, seat: str) -> None:
    table = await opened(http)
    for who in ("organiser", 1):
        problem(await table.ask("POST", f"/seats/{seat}/token", who, {}), 404, "not_found")


async def test_a_new_token_and_a_move_in_flight(http: httpx.AsyncClient, crowd: Crowd) -> None:
    """A move that was loaded before the token was replaced does not bring the old one back."""
    table = await opened(http)
    old = table.seats[1]
    crowd.hold()
    move = asyncio.create_task(table.send(1, "draw_stock"))
    await crowd.held.wait()
    answer = await table.ask("POST", "/seats/1/token", "organiser", {})
    crowd.release()
    assert (await move).status_code == 200
    problem(await table.ask("GET", who=old), 401, "unauthorized")
    assert (await table.get(who=answer.json()["token"]))["viewer"]["seat"] == 1


async def test_what_a_new_token_wants_is_an_empty_object(http: httpx.AsyncClient) -> None:
    table = await opened(http)
    headers = {"Content-Type": "application/json"}
    for body in ("[]", "null", '"x"', '{"seat": 1}', "", "{"):
        sent = headers | bearer(table.organiser)
        answer = await http.post(f"{table.path}/seats/1/token", content=body, headers=sent)
        problem(answer, 400, "malformed")
    assert (await table.get(who=1))["viewer"]["seat"] == 1
