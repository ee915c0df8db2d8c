"""Moves: all or nothing, judged in order, and answered again as the first time."""

import asyncio
from itertools import permutations
from random import Random
from typing import Any

import httpx
import pytest

from tests.service.crowd import Crowd
from tests.service.tables import (
    HANDS,
    SECRET,
    Json,
    Table,
    json_of,
    opened,
    opening,
    pack,
    problem,
    reordered,
)

FOURS = "meld 4S 4D 4H 4C"
THREE_FOURS = "meld 4S 4D 4H"


async def drawn(http: httpx.AsyncClient, body: Json | None = None) -> Table:
    """Seat 1 has drawn (a 5C, unless the opening says otherwise)."""
    table = await opened(http, body)
    await table.play(1, "draw_stock")
    return table


def goes_out(*more_packs: list[str], **options: Any) -> Json:
    """Seat 1 draws the fourth four, and can be out with its first meld."""
    return opening(pack(stock="4C TH 6D JC"), *more_packs, options=options)


async def test_a_move_shows_the_game_after_it(http: httpx.AsyncClient) -> None:
    table = await opened(http)
    answer = await table.send(1, "draw_stock")
    told = answer.json()
    assert (answer.status_code, answer.headers["ETag"]) == (200, '"1"')
    assert answer.headers["Vary"] == "Authorization"
    assert answer.headers["Cache-Control"] == "private, no-cache"
    assert set(told) == {"game", "log"}
    assert told["game"] == await table.get(who=1)
    (entry,) = told["log"]
    assert entry.pop("at").endswith("Z")
    expected = {
        "ply": 1, "deal": 1, "seat": 1, "action": {"type": "draw_stock"}, "event": None,
        "drawn": "5C", "deal_ended": None,
    }  # fmt: skip
    assert {name: entry[name] for name in expected} == expected


async def test_a_batch_is_one_move_and_one_entry_for_each_action(http: httpx.AsyncClient) -> None:
    table = await drawn(http)
    told = await table.play(1, THREE_FOURS, "discard 5C", at=1)
    assert [(one["ply"], one["action"]["type"]) for one in told["log"]] == [
        (2, "meld"), (3, "discard")
    ]  # fmt: skip
    assert len({one["at"] for one in told["log"]}) == 1
    view = told["game"]
    assert (view["ply"], view["turn"], view["phase"]) == (3, 2, "draw")
    assert view["pile"] == ["9D", "5C"]
    assert view["hand"] == []
    assert view["table_points"] == {"A": 0, "B": 12}


async def test_a_take_and_its_use_may_be_one_move(http: httpx.AsyncClient) -> None:
    table = await opened(http, opening(pack(up="4C")))
    told = await table.play(1, "draw_discard 4C", "meld 4S 4D 4C", "discard 4H", at=0)
    assert told["game"]["pile"] == ["4H"]
    assert [one["drawn"] for one in told["log"]] == [None] * 3


@pytest.mark.parametrize(
    ("actions", "index", "violation"),
    [
        (["discard 5C", "discard 4S"], 1, "not_your_turn"),
        ([THREE_FOURS, "discard KD"], 1, "card_not_in_hand"),
        ([THREE_FOURS, "lay_off 5C on 1"], 1, "bad_lay_off"),
        ([THREE_FOURS, "discard 5C", "pass"], 2, "not_your_turn"),
        (["meld 4S 4D 5C", THREE_FOURS], 0, "bad_meld"),
    ],
)
async def test_all_or_nothing(
    http: httpx.AsyncClient, actions: list[str], index: int, violation: str
) -> None:
    table = await drawn(http)
    before = await table.get(who=1)
    answer = await table.send(1, *actions)
    told = answer.json()
    assert answer.status_code == (409 if violation == "not_your_turn" else 422)
    assert (told["action"], told["violation"], told["ply"]) == (index, violation, 1)
    assert await table.get(who=1) == before
    await table.untouched(1)


@pytest.mark.parametrize(
    ("before", "seat", "actions", "status", "violation", "rules", "cards"),
    [
        ([], 0, ["draw_stock"], 409, "not_your_turn", ["R-15", "G-04"], []),
        ([], 3, ["discard JD"], 409, "not_your_turn", ["R-15", "G-04"], ["JD"]),
        ([], 1, [THREE_FOURS], 422, "draw_first", ["R-14", "G-27"], ["4D", "4H", "4S"]),
        ([], 1, ["discard 4S"], 422, "draw_first", ["R-14", "G-27"], ["4S"]),
        (["draw_stock"], 1, ["draw_stock"], 422, "already_drawn", ["R-14", "G-39"], []),
        (["draw_stock"], 1, ["draw_discard 9D"], 422, "already_drawn", ["R-14", "G-39"], ["9D"]),
        (["draw_stock"], 1, ["pass"], 422, "already_drawn", ["R-14", "G-39"], []),
        ([], 1, ["pass"], 422, "pass_not_allowed", ["R-26", "G-28"], []),
        ([], 1, ["draw_discard KD"], 422, "card_not_in_pile", ["R-16"], ["KD"]),
        ([], 1, ["draw_discard 9D"], 422, "pickup_unusable", ["R-18", "G-37"], ["9D"]),
        (["draw_stock"], 1, ["meld 4S 4D 4S"], 422, "duplicate_card", ["G-71"], ["4S"]),
        (["draw_stock"], 1, ["meld 4S 4D KD 4C"], 422, "card_not_in_hand", ["G-71"], ["4C", "KD"]),
        (["draw_stock"], 1, ["discard KD"], 422, "card_not_in_hand", ["G-71"], ["KD"]),
        (
            ["draw_stock"], 1, ["meld 4S 4D 5C"], 422, "bad_meld",
            ["R-11", "R-12", "R-13", "R-03"], ["5C", "4D", "4S"],
        ),
        (["draw_stock"], 1, ["meld 5C"], 422, "bad_meld", ["R-11", "R-12", "R-13", "R-03"], ["5C"]),
        (["draw_stock"], 1, ["lay_off 5C on 1"], 422, "no_such_meld", ["R-21", "G-19"], ["5C"]),
        (
            ["draw_stock", THREE_FOURS], 1, ["lay_off 5C on 1"], 422, "bad_lay_off",
            ["R-20", "G-21"], ["5C"],
        ),
    ],
)  # fmt: skip
async def test_a_refusal_says_what_was_broken(
    http: httpx.AsyncClient, before: list[str], seat: int, actions: list[str], status: int,
    violation: str, rules: list[str], cards: list[str],
) -> None:  # fmt: skip
    table = await opened(http)
    for action in before:
        await table.play(1, action)
    name = violation if status == 409 else "illegal_move"
    told = problem(await table.send(seat, *actions), status, name)
    assert {key: told[key] for key in ("violation", "rules", "cards", "action", "ply")} == {
        "violation": violation, "rules": rules, "cards": cards, "action": 0, "ply": len(before)
    }  # fmt: skip
    assert told["links"] == [f"/v1/rules/{rule}" for rule in rules]
    legal = (await table.get("/legal-actions", 1))["legal_actions"]
    if status == 409:
        assert told["alternatives"] == []
    else:
        assert 1 <= len(told["alternatives"]) <= 5
        assert all(one in legal for one in told["alternatives"])
    await table.untouched(len(before))


@pytest.mark.parametrize("action", ["discard 4S", "discard 4C", "meld 4S 4D 4H"])
async def test_a_card_taken_comes_first(http: httpx.AsyncClient, action: str) -> None:
    table = await opened(http, opening(pack(up="4C")))
    view = (await table.play(1, "draw_discard 4C"))["game"]
    assert view["must_use"] == "4C"
    told = problem(await table.send(1, action), 422, "illegal_move")
    assert (told["violation"], told["cards"]) == ("must_use_pickup", ["4C"])
    assert told["rules"] == ["R-18", "G-31"]
    assert all("4C" in one["cards"] for one in told["alternatives"])


async def test_an_empty_stock(http: httpx.AsyncClient) -> None:
    options = {"hand_size": 12, "jokers": 0, "game_end": {"deals": 1}}
    body = opening(options=options) | {"secret": SECRET}
    del body["packs"]
    table = await opened(http, body)
    for seat in (1, 2, 3):
        card = (await table.play(seat, "draw_stock"))["log"][0]["drawn"]
        await table.play(seat, f"discard {card}")
    told = problem(await table.send(0, "draw_stock"), 422, "illegal_move")
    assert (told["violation"], told["rules"]) == ("stock_empty", ["R-26"])
    assert {"type": "pass"} in told["alternatives"]
    passed = (await table.play(0, "pass"))["game"]
    assert (passed["passes"], passed["turn"]) == (1, 1)
    told = problem(await table.send(1, "pass", "pass"), 409, "not_your_turn")
    assert (told["action"], told["alternatives"]) == (1, [])


async def test_the_alternatives_are_the_nearest(http: httpx.AsyncClient) -> None:
    table = await drawn(http, opening(pack(stock="4C TH 6D JC")))
    told = problem(await table.send(1, "meld 4S 4D 4H 5C"), 422, "illegal_move")
    assert told["violation"] == "card_not_in_hand"
    nearest = [one for one in told["alternatives"] if one["type"] == "meld"]
    assert len(nearest) == 5
    assert {"4S", "4D", "4H"} <= set(nearest[0]["cards"]) <= {"4S", "4D", "4H", "4C"}


# --- what may be sent at all ---


@pytest.mark.parametrize(
    "actions",
    [
        ["draw_stock", "discard 5C"],
        ["discard 5C", "draw_stock"],
        ["draw_stock", "draw_stock"],
        ["pass", "draw_stock", "pass"],
    ],
)
@pytest.mark.parametrize("seat", [0, 1])
async def test_a_draw_from_the_stock_stands_alone(
    http: httpx.AsyncClient, actions: list[str], seat: int
) -> None:
    """With more behind it, a refusal would tell which card was on top."""
    table = await opened(http)
    told = problem(await table.send(seat, *actions), 400, "malformed")
    assert "draw_stock" in told["detail"]
    await table.untouched(0)


@pytest.mark.parametrize(
    "code",
    [
        "10S", "ts", " TS", "TS ", "T♠", "1S", "0S", "TSTS", "nothing", "", "TS\x00", "XS", "X5",
        "X0", "AS\n", "??", "x1", "Ts", "tS", "S4", 4, None, True, ["TS"],
    ],
)  # fmt: skip
async def test_what_is_no_card(http: httpx.AsyncClient, code: Any) -> None:
    table = await drawn(http)
    for action, pointer in [
        ({"type": "meld", "cards": ["4S", code, "4D"]}, "/actions/0/cards/1"),
        ({"type": "lay_off", "cards": [code], "meld": 1}, "/actions/0/cards/0"),
        ({"type": "discard", "card": code}, "/actions/0/card"),
        ({"type": "draw_discard", "card": code}, "/actions/0/card"),
    ]:
        answer = await table.ask("POST", "/moves", 1, {"actions": [action]})
        told = problem(answer, 400, "malformed")
        assert [fault["pointer"] for fault in told["errors"]] == [pointer]


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"actions": []},
        {"actions": None},
        {"actions": {"type": "pass"}},
        {"actions": [json_of("pass")] * 33},
        {"actions": [json_of("pass")], "version": 1},
        {"actions": [{}]},
        {"actions": ["pass"]},
        {"actions": [{"type": "undo"}]},
        {"actions": [{"type": "PASS"}]},
        {"actions": [{"type": "pass", "card": "4S"}]},
        {"actions": [{"type": "draw_stock", "count": 1}]},
        {"actions": [{"type": "discard"}]},
        {"actions": [{"type": "discard", "cards": ["4S"]}]},
        {"actions": [{"type": "draw_discard", "card": "9D", "depth": 1}]},
        {"actions": [{"type": "meld", "cards": []}]},
        {"actions": [{"type": "meld", "cards": "4S"}]},
        {"actions": [{"type": "meld", "cards": ["4S"] * 57}]},
        {"actions": [{"type": "lay_off", "cards": ["4S"]}]},
        {"actions": [{"type": "lay_off", "cards": ["4S"], "meld": 0}]},
        {"actions": [{"type": "lay_off", "cards": ["4S"], "meld": 100}]},
        {"actions": [{"type": "lay_off", "cards": ["4S"], "meld": "1"}]},
        {"actions": [{"type": "lay_off", "cards": ["4S"], "meld": 1.0}]},
        {"actions": [{"type": "lay_off", "cards": ["4S"], "meld": True}]},
        {"actions": [{"type": "lay_off", "cards": ["4S"], "meld": None}]},
        {"actions": [{"type": "lay_off", "cards": ["4S"], "meld": 2**63}]},
    ],
)
async def test_malformed_moves(http: httpx.AsyncClient, body: Json) -> None:
    table = await drawn(http)
    problem(await table.ask("POST", "/moves", 1, body), 400, "malformed")
    await table.untouched(1)


async def test_bounds_that_are_still_inside(http: httpx.AsyncClient) -> None:
    table = await drawn(http)
    told = problem(await table.send(1, *["pass"] * 32), 422, "illegal_move")
    assert told["violation"] == "already_drawn"
    long = {"type": "meld", "cards": ["4S"] * 56}
    answer = await table.ask("POST", "/moves", 1, {"actions": [long]})
    assert problem(answer, 422, "illegal_move")["violation"] == "duplicate_card"
    told = problem(await table.send(1, "lay_off 5C on 99"), 422, "illegal_move")
    assert told["violation"] == "no_such_meld"


async def test_the_order_of_cards_means_nothing(http: httpx.AsyncClient) -> None:
    views = []
    for cards in list(permutations(["4S", "4D", "4H"])):
        table = await drawn(http)
        view = (await table.play(1, "meld " + " ".join(cards)))["game"]
        views.append({**view, "id": ""})
    assert all(view == views[0] for view in views)
    assert [one["card"] for one in views[0]["melds"][0]["cards"]] == ["4D", "4H", "4S"]


# --- what ends a turn, a deal, a game ---


async def test_nothing_follows_the_end_of_a_turn(http: httpx.AsyncClient) -> None:
    table = await drawn(http)
    answer = await table.send(1, "discard 5C", "draw_discard 5C")
    told = problem(answer, 409, "not_your_turn")
    assert (told["action"], told["cards"], told["alternatives"]) == (1, ["5C"], [])
    assert told["violation"] == "not_your_turn"
    await table.untouched(1)


@pytest.mark.parametrize("rotation", ["fixed", "winner", "left"])
async def test_nothing_follows_the_end_of_a_deal(http: httpx.AsyncClient, rotation: str) -> None:
    """Not even for the seat that leads the next one; and of that deal nothing is told."""
    body = goes_out(pack(up="9H"), dealer_rotation=rotation)
    table = await drawn(http, body)
    for action in ("discard 9H", "draw_discard 9H", "pass", "meld 4S 4D 4H"):
        told = problem(await table.send(1, FOURS, action), 409, "not_your_turn")
        assert told["alternatives"] == []
        assert (told["action"], told["ply"]) == (1, 1)
        sent = json_of(action)
        named = sent.get("cards") or ([sent["card"]] if "card" in sent else [])
        assert set(told["cards"]) == set(named)
    await table.untouched(1)
    view = (await table.play(1, FOURS))["game"]
    first = {"fixed": 1, "winner": 2, "left": 2}[rotation]
    assert (view["deal"], view["turn"], view["ply"]) == (2, first, 2)


async def test_nothing_follows_the_end_of_a_game(http: httpx.AsyncClient) -> None:
    table = await drawn(http, goes_out())
    told = problem(await table.send(1, FOURS, "discard 4S"), 409, "game_over")
    assert (told["action"], told["cards"], told["alternatives"]) == (1, ["4S"], [])
    assert told["violation"] == "game_over"
    assert told["rules"] == ["R-32"]
    await table.untouched(1)
    view = (await table.play(1, FOURS))["game"]
    assert view["status"] == "finished"
    for seat in range(4):
        told = problem(await table.send(seat, "discard 4S"), 409, "game_over")
        assert (told["action"], told["alternatives"], told["ply"]) == (0, [], 2)
    await table.untouched(2)


async def test_a_deal_that_ends_is_followed_by_the_next_in_the_same_ply(
    http: httpx.AsyncClient,
) -> None:
    table = await drawn(http, goes_out(pack()))
    told = await table.play(1, FOURS)
    view, (entry,) = told["game"], told["log"]
    assert (entry["ply"], entry["deal"]) == (2, 1)
    assert entry["deal_ended"]["ended"] == "out"
    assert entry["deal_ended"]["out_seat"] == 1
    assert (view["ply"], view["deal"], view["dealer"], view["turn"]) == (2, 2, 1, 2)
    assert (view["phase"], view["melds"], view["stock_size"]) == ("draw", [], 43)
    assert view["table_points"] == {"A": 0, "B": 0}
    assert view["deals"] == [
        {"deal": 1, "dealer": 0, "ended": "out", "out_seat": 1, "scores": view["totals"]}
    ]
    assert view["totals"] == entry["deal_ended"]["scores"]
    assert len(view["hand"]) == 3


async def test_a_finished_game_stays_as_it_ended(http: httpx.AsyncClient) -> None:
    table = await drawn(http, goes_out())
    view = (await table.play(1, FOURS))["game"]
    assert (view["status"], view["phase"], view["turn"]) == ("finished", "over", None)
    assert (view["deal"], view["hand"], view["legal_actions"]) == (1, [], None)
    assert set((await table.get(who=0))["hand"]) == set(HANDS[0].split())
    assert view["result"] == {
        "winner": "B", "reason": "score", "totals": view["totals"]
    }  # fmt: skip
    assert view["melds"][0]["doubled"] is True
    legal = await table.get("/legal-actions", 1)
    assert legal == {"ply": 2, "turn": None, "legal_actions": None}


async def test_legal_actions_are_for_who_is_to_act(http: httpx.AsyncClient) -> None:
    table = await drawn(http)
    mine = await table.get("/legal-actions", 1)
    assert (mine["ply"], mine["turn"]) == (1, 1)
    assert json_of("meld 4D 4H 4S") in mine["legal_actions"]
    assert (await table.get(who=1))["legal_actions"] == mine["legal_actions"]
    for seat in (0, 2, 3):
        told = await table.get("/legal-actions", seat)
        assert told == {"ply": 1, "turn": 1, "legal_actions": None}
        assert (await table.get(who=seat))["legal_actions"] is None


# --- preconditions and repeats ---


async def test_a_repeat_is_answered_as_the_first_time(http: httpx.AsyncClient) -> None:
    """Whatever has come since: other moves, the end of the deal, the end of the game."""
    chance = Random("repeats")
    table = await opened(http, goes_out(pack(up="4C", dealer=1)))
    script: list[tuple[int, list[str]]] = [
        (1, ["draw_stock"]),
        (1, ["meld 4S 4D 4H 4C"]),
        (2, ["draw_stock"]),
        (2, ["discard QD"]),
        (3, ["draw_stock"]),
        (3, ["discard AC"]),
        (0, ["draw_stock"]),
        (0, ["discard KD"]),
        (1, ["draw_stock"]),
        (1, ["meld 4S 4D 4H", "discard 4C"]),
    ]
    script[-2:] = [(1, ["draw_discard 4C", "meld 4S 4D 4C", "discard 4H"])]
    first: list[tuple[int, int, list[str], httpx.Response]] = []
    ply = 0
    for seat, actions in script:
        answer = await table.send(seat, *actions, at=ply)
        assert answer.status_code == 200, answer.text
        first.append((ply, seat, actions, answer))
        ply += len(actions)
        for at, who, sent, before in first:
            body = {"actions": [reordered(json_of(action), chance) for action in sent]}
            again = await table.ask("POST", "/moves", who, body, {"If-Match": f'"{at}"'})
            assert again.content == before.content
            assert again.headers["ETag"] == before.headers["ETag"]
    await table.untouched(ply)
    assert (await table.ask("POST", "/forfeit", 0, {})).status_code == 200
    for at, who, sent, before in first:
        again = await table.send(who, *sent, at=at)
        assert again.content == before.content


async def test_a_repeat_tells_no_later_secret_and_no_later_card(http: httpx.AsyncClient) -> None:
    options = {"game_end": {"deals": 1}}
    body = opening(options=options) | {"secret": SECRET}
    del body["packs"]
    table = await opened(http, body)
    first = await table.send(1, "draw_stock", at=0)
    card = first.json()["log"][0]["drawn"]
    second = await table.send(1, f"discard {card}", at=1)
    await table.ask("POST", "/forfeit", "organiser", {"team": "A"})
    assert (await table.get(who=1))["secret"] == SECRET
    for seat, action, at, before in [
        (1, "draw_stock", 0, first), (1, f"discard {card}", 1, second)
    ]:  # fmt: skip
        again = await table.send(seat, action, at=at)
        assert again.content == before.content
        assert again.json()["game"]["secret"] is None
        assert again.json()["game"]["result"] is None


async def test_a_repeat_may_cut_the_moves_otherwise(http: httpx.AsyncClient) -> None:
    """What counts is that these actions are these entries, not how they came."""
    table = await drawn(http)
    whole = await table.play(1, THREE_FOURS, "discard 5C", at=1)
    part = await table.play(1, THREE_FOURS, at=1)
    rest = await table.play(1, "discard 5C", at=2)
    assert [*part["log"], *rest["log"]] == whole["log"]
    assert (part["game"]["ply"], part["game"]["phase"]) == (2, "play")
    assert part["game"]["legal_actions"] is not None
    assert rest["game"] == whole["game"]
    await table.untouched(3)


@pytest.mark.parametrize(
    ("seat", "actions", "at"),
    [
        (1, ["discard 4S"], 1),
        (1, [THREE_FOURS], 0),
        (1, ["meld 4S 4D 4H 5C"], 1),
        (1, ["draw_discard 9D"], 0),
        (3, ["draw_stock"], 0),
        (2, ["draw_stock"], 0),
        (1, [THREE_FOURS, "discard 5C", "pass"], 1),
        (1, ["discard 5C"], 1),
        (2, ["draw_stock"], 4),
        (2, ["draw_stock"], 999_999_999),
        (1, ["pass"], 2),
        (1, ["lay_off 4S 4D 4H on 1"], 1),
    ],
)
async def test_anything_else_that_comes_late_is_stale(
    http: httpx.AsyncClient, seat: int, actions: list[str], at: int
) -> None:
    table = await drawn(http)
    await table.play(1, THREE_FOURS, "discard 5C")
    answer = await table.send(seat, *actions, at=at)
    told = problem(answer, 412, "stale")
    assert told["ply"] == 3
    assert answer.headers["ETag"] == '"3"'
    assert set(told) == {"type", "title", "status", "detail", "instance", "ply"}
    await table.untouched(3)


async def test_a_seat_taken_is_no_move(http: httpx.AsyncClient) -> None:
    table = await opened(http, opening(players=[{"name": "n"}, {"kind": "open"}] * 2))
    problem(await table.send(0, "draw_stock", at=0), 409, "game_not_started")
    problem(await table.send(0, "draw_stock", at=1), 412, "stale")
    await table.sit("east")
    told = problem(await table.send(0, "draw_stock", at=0), 412, "stale")
    assert told["ply"] == 1


@pytest.mark.parametrize(
    "tag",
    [
        "0", "41", '"-1"', 'W/"0"', '"0", "1"', '"x"', '"01"', '"0', '""', '" 0"', "'0'", '"0.0"',
        '"+0"', '"9999999999"', '"0"x', "**",
    ],
)  # fmt: skip
async def test_an_if_match_of_another_form(http: httpx.AsyncClient, tag: str) -> None:
    table = await opened(http)
    problem(await table.send(1, "draw_stock", at=tag), 400, "malformed")
    await table.untouched(0)


async def test_without_a_ply_no_repeat_is_known(http: httpx.AsyncClient) -> None:
    table = await opened(http)
    await table.play(1, "draw_stock")
    for at in (None, "*"):
        told = problem(await table.send(1, "draw_stock", at=at), 422, "illegal_move")
        assert told["violation"] == "already_drawn"
    assert (await table.send(1, "discard 5C", at="*")).status_code == 200


async def test_a_game_may_want_if_match(http: httpx.AsyncClient) -> None:
    table = await opened(http, opening(require_if_match=True))
    assert table.first_view["require_if_match"] is True
    for at in (None, "*"):
        # Before the turn, and before the rules.
        for seat, action in [(1, "draw_stock"), (0, "draw_stock"), (1, "pass")]:
            problem(await table.send(seat, action, at=at), 428, "precondition_required")
        problem(await table.send(None, "draw_stock", at=at), 401, "unauthorized")
        problem(await table.send("organiser", "draw_stock", at=at), 403, "forbidden")
    await table.untouched(0)
    await table.play(1, "draw_stock", at=0)
    await table.ask("POST", "/forfeit", 1, {})
    problem(await table.send(1, "pass"), 428, "precondition_required")
    problem(await table.send(1, "pass", at=2), 409, "game_over")


async def test_the_precondition_comes_before_turn_and_rule(http: httpx.AsyncClient) -> None:
    table = await drawn(http)
    for seat, action in [(0, "draw_stock"), (1, "meld 4S"), (1, "pass")]:
        problem(await table.send(seat, action, at=0), 412, "stale")
    problem(await table.send(0, "draw_stock", at=1), 409, "not_your_turn")
    problem(await table.send(1, "meld 4S", at=1), 422, "illegal_move")
    problem(await table.send("organiser", "pass", at=0), 403, "forbidden")


async def test_if_match_means_nothing_elsewhere(http: httpx.AsyncClient) -> None:
    table = await opened(http, opening(players=[{"name": "n"}] * 3 + [{"kind": "open"}]))
    headers = {"If-Match": '"7"'}
    assert (await table.ask("GET", headers=headers)).status_code == 200
    answer = await table.ask("POST", "/seats", body={"name": "w"}, headers=headers)
    assert answer.status_code == 201
    answer = await table.ask("POST", "/forfeit", 0, {}, headers)
    assert answer.status_code == 200


# --- races ---


async def test_fifty_times_the_same_draw_is_one_card(http: httpx.AsyncClient, crowd: Crowd) -> None:
    table = await opened(http)
    crowd.gather(50)
    answers = await asyncio.gather(*(table.send(1, "draw_stock", at=0) for _ in range(50)))
    assert {answer.status_code for answer in answers} == {200}
    assert len({answer.content for answer in answers}) == 1
    view = await table.get(who=1)
    assert (len(view["hand"]), view["stock_size"]) == (4, 42)
    await table.untouched(1)


@pytest.mark.parametrize("at", [None, "*"])
async def test_fifty_draws_without_a_ply_are_one_and_49_refusals(
    http: httpx.AsyncClient, crowd: Crowd, at: str | None
) -> None:
    table = await opened(http)
    crowd.gather(50)
    answers = await asyncio.gather(*(table.send(1, "draw_stock", at=at) for _ in range(50)))
    assert sorted(answer.status_code for answer in answers) == [200] + [412] * 49
    for answer in answers:
        if answer.status_code == 412:
            assert problem(answer, 412, "stale")["ply"] == 1
            assert answer.headers["ETag"] == '"1"'
    await table.untouched(1)


@pytest.mark.parametrize("at", [None, 0])
async def test_of_two_moves_at_one_ply_one_is_played(
    http: httpx.AsyncClient, crowd: Crowd, at: int | None
) -> None:
    for _ in range(20):
        table = await opened(http, opening(pack(up="4C")))
        crowd.gather(2)
        answers = await asyncio.gather(
            table.send(1, "draw_stock", at=at), table.send(1, "draw_discard 4C", at=at)
        )
        done, lost = sorted(answers, key=lambda answer: answer.status_code)
        assert done.status_code == 200
        assert problem(lost, 412, "stale")["ply"] == 1
        assert (await table.get("/log", 1))["items"] == done.json()["log"]


async def test_a_whole_turn_sent_at_once_by_all(http: httpx.AsyncClient, crowd: Crowd) -> None:
    table = await drawn(http)
    crowd.gather(6)
    sent = [table.send(seat, THREE_FOURS, "discard 5C", at=1) for seat in (0, 1, 2, 3, 1, 1)]
    answers = await asyncio.gather(*sent)
    own = [answers[1], answers[4], answers[5]]
    assert [answer.status_code for answer in own] == [200] * 3
    assert len({answer.content for answer in own}) == 1
    for seat in (0, 2, 3):
        problem(answers[seat], 409, "not_your_turn")
    await table.untouched(3)
