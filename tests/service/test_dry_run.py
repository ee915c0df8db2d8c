"""A dry run: judged like the move, on what its seat knows, and nothing is played."""

import httpx
import pytest

from tests.service.tables import Json, Table, json_of, opened, opening, pack, problem


async def try_out(table: Table, seat: int, *actions: str, at: int | None = None) -> httpx.Response:
    headers = {} if at is None else {"If-Match": f'"{at}"'}
    body = {"actions": [json_of(action) for action in actions]}
    return await table.ask("POST", "/moves?dry_run=true", seat, body, headers)


async def verdict(table: Table, seat: int, *actions: str) -> Json:
    answer = await try_out(table, seat, *actions)
    assert answer.status_code == 200, answer.text
    told: Json = answer.json()
    return told


async def test_nothing_is_played(http: httpx.AsyncClient) -> None:
    table = await opened(http)
    before = await table.get("", 1)
    assert (await verdict(table, 1, "draw_stock"))["legal"] is True
    assert await table.get("", 1) == before
    await table.untouched(0)


async def test_the_drawn_card_stays_hidden(http: httpx.AsyncClient) -> None:
    table = await opened(http)
    told = await verdict(table, 1, "draw_stock")
    assert told["position"]["hands"] == [3, ["4D", "4H", "4S", "??"], 3, 3]
    assert told["unknown"] is True
    assert isinstance(told["position"]["stock"], int)
    assert {action["type"] for action in told["legal_actions"]} == {"meld", "discard"}


async def test_the_answer_is_tagged_with_the_ply_as_it_stands(http: httpx.AsyncClient) -> None:
    table = await opened(http)
    assert (await try_out(table, 1, "draw_stock", at=0)).headers["ETag"] == '"0"'


async def test_another_ply_is_stale_even_for_what_was_played_there(
    http: httpx.AsyncClient,
) -> None:
    table = await opened(http)
    await table.play(1, "draw_stock", at=0)
    stale = await try_out(table, 1, "draw_stock", at=0)
    assert problem(stale, 412, "stale")["ply"] == 1


async def test_a_refusal_is_that_of_the_move(http: httpx.AsyncClient) -> None:
    table = await opened(http)
    await table.play(1, "draw_stock")
    tried, sent = await try_out(table, 1, "meld 4S 4D"), await table.send(1, "meld 4S 4D")
    assert tried.status_code == sent.status_code == 422
    told, meant = tried.json(), sent.json()
    assert told | {"instance": ""} == meant | {"instance": ""}


async def test_it_is_for_the_seat_to_act_alone(http: httpx.AsyncClient) -> None:
    table = await opened(http)
    problem(await try_out(table, 3, "draw_stock"), 409, "not_your_turn")
    body = {"actions": [{"type": "draw_stock"}]}
    problem(await table.ask("POST", "/moves?dry_run=true", None, body), 401, "unauthorized")
    problem(await table.ask("POST", "/moves?dry_run=true", "organiser", body), 403, "forbidden")


async def test_a_required_precondition_is_required(http: httpx.AsyncClient) -> None:
    table = await opened(http, opening(require_if_match=True))
    problem(await try_out(table, 1, "draw_stock"), 428, "precondition_required")


async def test_going_out_shows_no_other_hand(http: httpx.AsyncClient) -> None:
    hands = ("KD 8C 2H", "4S 4D 4H", "QD 7C 3H", "JD 6S AC")
    table = await opened(http, opening(pack(hands, stock="4C TH"), pack(hands)))
    await table.play(1, "draw_stock")
    told = await verdict(table, 1, "meld 4S 4D 4H 4C")
    assert (told["legal"], told["unknown"]) == (True, True)
    assert (told["position"]["phase"], told["position"]["turn"]) == ("over", None)
    assert told["deal_ended"] is None
    assert told["legal_actions"] is None
    assert told["position"]["hands"] == [3, [], 3, 3]
    assert told["position"]["totals"] == {"A": 0, "B": 0}


async def test_after_a_discard_another_seat_is_to_act(http: httpx.AsyncClient) -> None:
    table = await opened(http)
    await table.play(1, "draw_stock")
    told = await verdict(table, 1, "meld 4S 4D 4H", "discard 5C")
    assert told["position"]["turn"] == 2
    assert told["position"]["pile"] == ["9D", "5C"]
    assert told["legal_actions"] is None
    assert told["table_points"] == {"A": 0, "B": 12}


@pytest.mark.parametrize("value", ["1", "True", "yes", ""])
async def test_it_has_one_spelling(http: httpx.AsyncClient, value: str) -> None:
    table = await opened(http)
    body = {"actions": [{"type": "draw_stock"}]}
    answer = await table.ask("POST", f"/moves?dry_run={value}", 1, body)
    problem(answer, 400, "malformed")
    await table.untouched(0)


async def test_false_plays(http: httpx.AsyncClient) -> None:
    table = await opened(http)
    body = {"actions": [{"type": "draw_stock"}]}
    answer = await table.ask("POST", "/moves?dry_run=false", 1, body)
    assert answer.json()["game"]["ply"] == 1
