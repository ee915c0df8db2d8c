"""Giving a game up: by a seat for its team, or by the organiser for either."""

import asyncio
from typing import Any

import httpx
import pytest

from tests.service.crowd import Crowd
from tests.service.tables import (
    HANDS,
    SECRET,
    Json,
    Table,
    Who,
    opened,
    opening,
    pack,
    problem,
)

FOURS = "meld 4S 4D 4H 4C"


async def give_up(table: Table, who: Who, **body: Any) -> httpx.Response:
    return await table.ask("POST", "/forfeit", who, body)


def by_suit(hand: str) -> list[str]:
    return sorted(hand.split(), key=lambda code: ("CDHS".index(code[1]), code))


@pytest.mark.parametrize(
    ("who", "body", "seat", "winner"),
    [
        (0, {}, 0, "B"),
        (1, {}, 1, "A"),
        (2, {}, 2, "B"),
        (3, {"team": "B"}, 3, "A"),
        (2, {"team": "A"}, 2, "B"),
        ("organiser", {"team": "A"}, 0, "B"),
        ("organiser", {"team": "B"}, 1, "A"),
    ],
)
async def test_the_other_team_wins(
    http: httpx.AsyncClient, who: Who, body: Json, seat: int, winner: str
) -> None:
    table = await opened(http)
    await table.play(1, "draw_stock")
    answer = await give_up(table, who, **body)
    told = answer.json()
    assert (answer.status_code, answer.headers["ETag"]) == (200, '"2"')
    assert answer.headers["Vary"] == "Authorization"
    view, (entry,) = told["game"], told["log"]
    assert view == await table.get(who=who)
    assert (view["status"], view["phase"], view["turn"]) == ("finished", "over", None)
    assert view["result"] == {"winner": winner, "reason": "forfeit", "totals": {"A": 0, "B": 0}}
    assert view["deals"] == [
        {"deal": 1, "dealer": 0, "ended": "forfeit", "out_seat": None, "scores": None}
    ]
    assert view["legal_actions"] is None
    assert entry.pop("at").endswith("Z")
    expected = {
        "ply": 2, "deal": 1, "seat": seat, "action": None, "event": "forfeit", "drawn": None,
        "deal_ended": {
            "deal": 1, "dealer": 0, "ended": "forfeit", "out_seat": None, "scores": None,
            "hands": [by_suit(HANDS[0]), by_suit(f"{HANDS[1]} 5C"), by_suit(HANDS[2]),
                      by_suit(HANDS[3])],
            "items": [],
        },
    }  # fmt: skip
    assert {name: entry[name] for name in expected} == expected
    score = await table.get("/score")
    assert score["deals"] == [entry["deal_ended"]]
    assert score["totals"] == {"A": 0, "B": 0}


async def test_points_of_earlier_deals_stand(http: httpx.AsyncClient) -> None:
    table = await opened(http, opening(pack(stock="4C TH 6D JC"), pack()))
    await table.play(1, "draw_stock")
    before = (await table.play(1, FOURS))["game"]["totals"]
    assert before["B"] > before["A"]
    view = (await give_up(table, 3)).json()["game"]
    assert view["totals"] == before
    assert view["result"] == {"winner": "A", "reason": "forfeit", "totals": before}
    assert [one["ended"] for one in view["deals"]] == ["out", "forfeit"]


async def test_a_forfeit_may_come_at_any_time_of_a_turn(http: httpx.AsyncClient) -> None:
    table = await opened(http, opening(pack(up="4C")))
    assert (await table.play(1, "draw_discard 4C"))["game"]["must_use"] == "4C"
    view = (await give_up(table, 0)).json()["game"]
    assert (view["must_use"], view["phase"]) == (None, "over")
    assert view["seats"][1]["known_cards"] == ["4C"]


async def test_the_secret_is_told_then(http: httpx.AsyncClient) -> None:
    table = await opened(http, {"players": opening()["players"], "secret": SECRET})
    assert (await give_up(table, 0)).json()["game"]["secret"] == SECRET
    assert (await table.get())["secret"] == SECRET
    assert (await table.get("/record"))["secret"] == SECRET


@pytest.mark.parametrize(("who", "team"), [(0, "B"), (1, "A"), (2, "B"), (3, "A")])
async def test_a_seat_gives_up_for_its_own_team(
    http: httpx.AsyncClient, who: int, team: str
) -> None:
    table = await opened(http)
    problem(await give_up(table, who, team=team), 403, "forbidden")
    await table.untouched(0)


async def test_the_organiser_says_for_whom(http: httpx.AsyncClient) -> None:
    table = await opened(http)
    told = problem(await give_up(table, "organiser"), 422, "contradiction")
    assert [fault["pointer"] for fault in told["errors"]] == ["/team"]
    await table.untouched(0)


@pytest.mark.parametrize("body", [{"team": "C"}, {"team": None}, {"team": ""}, {"seat": 0}, []])
async def test_malformed_forfeits(http: httpx.AsyncClient, body: Any) -> None:
    table = await opened(http)
    for who in (0, "organiser", None):
        problem(await table.ask("POST", "/forfeit", who, body), 400, "malformed")
    await table.untouched(0)


async def test_a_game_is_given_up_while_it_is_played(http: httpx.AsyncClient) -> None:
    table = await opened(http, opening(players=[{"name": "n"}] * 3 + [{"kind": "open"}]))
    problem(await give_up(table, 0), 409, "game_not_started")
    problem(await give_up(table, "organiser", team="A"), 409, "game_not_started")
    problem(await give_up(table, 0, team="B"), 403, "forbidden")
    await table.untouched(0)
    await table.sit("west")
    assert (await give_up(table, 0)).status_code == 200
    for who in (0, 1):
        told = problem(await give_up(table, who), 409, "game_over")
        assert (told["violation"], told["rules"]) == ("game_over", ["R-32"])
    problem(await give_up(table, "organiser", team="B"), 409, "game_over")
    problem(await give_up(table, 0, team="B"), 403, "forbidden")
    await table.untouched(2)


async def test_all_give_up_at_once(http: httpx.AsyncClient, crowd: Crowd) -> None:
    table = await opened(http)
    crowd.gather(8)
    answers = await asyncio.gather(*(give_up(table, seat) for seat in (0, 1, 2, 3) * 2))
    assert sorted(answer.status_code for answer in answers) == [200] + [409] * 7
    for answer in answers:
        if answer.status_code == 409:
            problem(answer, 409, "game_over")
    done = next(answer for answer in answers if answer.status_code == 200).json()
    view = await table.get()
    assert view["result"] == done["game"]["result"]
    await table.untouched(1)


async def test_a_forfeit_does_not_hang_on_the_ply(http: httpx.AsyncClient, crowd: Crowd) -> None:
    """One that a move overtakes is judged again, and done."""
    table = await opened(http)
    crowd.hold()
    gives_up = asyncio.create_task(give_up(table, 0))
    await crowd.held.wait()
    await table.play(1, "draw_stock")
    crowd.release()
    told = (await gives_up).json()
    assert told["log"][0]["ply"] == 2
    assert told["game"]["result"]["winner"] == "B"
    await table.untouched(2)


@pytest.mark.parametrize("at", [0, None])
async def test_a_move_that_a_forfeit_overtakes_is_stale(
    http: httpx.AsyncClient, crowd: Crowd, at: int | None
) -> None:
    table = await opened(http)
    crowd.hold()
    move = asyncio.create_task(table.send(1, "draw_stock", at=at))
    await crowd.held.wait()
    assert (await give_up(table, 0)).status_code == 200
    crowd.release()
    assert problem(await move, 412, "stale")["ply"] == 1
    await table.untouched(1)
