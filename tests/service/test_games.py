"""Opening a game: every member, its default and bounds, and what excludes what."""

from typing import Any

import httpx
import pytest

from engine.cards import CODES, SEATS, card
from engine.deal import deal
from engine.ruleset import PRESETS
from engine.shuffle import NO_SEEDS
from engine.shuffle import pack as shuffled
from tests.service.tables import (
    HANDS,
    NAMED,
    NAMES,
    ONE_DEAL,
    SECRET,
    Json,
    opened,
    opening,
    pack,
    problem,
)

OPEN = {"kind": "open"}


async def post(http: httpx.AsyncClient, **members: Any) -> httpx.Response:
    return await http.post("/v1/games", json={"players": NAMED, **members})


def pointers(told: Json) -> list[str]:
    return [fault["pointer"] for fault in told["errors"]]


async def test_only_players_are_needed_and_the_rest_has_defaults(http: httpx.AsyncClient) -> None:
    answer = await post(http)
    told = answer.json()
    view = told["game"]
    assert answer.status_code == 201
    assert answer.headers["Location"] == f"/v1/games/{view['id']}"
    assert answer.headers["ETag"] == '"0"'
    assert answer.headers["Cache-Control"] == "private, no-cache"
    assert answer.headers["Vary"] == "Authorization"
    expected = {
        "status": "playing", "ruleset": {"preset": "persian", "options": {}}, "ply": 0,
        "visibility": "public", "viewer": {"kind": "organiser", "seat": None}, "dealer": 0,
        "organiser_sees_all": False, "require_if_match": False, "draw": None, "deal": 1, "turn": 1,
        "phase": "draw", "must_use": None, "passes": 0, "stock_size": 27, "melds": [], "deals": [],
        "table_points": {"A": 0, "B": 0}, "totals": {"A": 0, "B": 0}, "hand": None, "hands": None,
        "legal_actions": None, "clock": None, "chance": "drawn", "secret": None, "result": None,
        "rules_version": "1",
    }  # fmt: skip
    assert {name: view[name] for name in expected} == expected
    assert set(view) - set(expected) == {"id", "seats", "pile", "commitment"}
    assert len(view["pile"]) == 1
    assert len(view["commitment"]) == 64
    assert [(one["name"], one["team"], one["kind"]) for one in view["seats"]] == [
        ("north", "A", "client"), ("east", "B", "client"), ("south", "A", "client"),
        ("west", "B", "client"),
    ]  # fmt: skip
    assert [(one["hand_size"], one["known_cards"]) for one in view["seats"]] == [(7, [])] * 4
    assert told["invitation"] is None
    assert len({told["tokens"]["organiser"], *told["tokens"]["seats"]}) == 5


async def test_defaults_may_be_said(http: httpx.AsyncClient) -> None:
    players = [{"kind": "client", "name": name} for name in NAMES]
    answer = await http.post(
        "/v1/games",
        json={
            "players": players, "ruleset": {"preset": "persian", "options": {}}, "dealer": 0,
            "team_formation": "assigned", "visibility": "public", "organiser_sees_all": False,
            "require_if_match": False, "secret": SECRET,
        },
    )  # fmt: skip
    told = answer.json()["game"]
    plain = (await post(http, secret=SECRET)).json()["game"]
    assert {**told, "id": ""} == {**plain, "id": ""}


async def test_two_games_are_two_deals(http: httpx.AsyncClient) -> None:
    views = [(await post(http)).json()["game"] for _ in range(10)]
    assert len({view["id"] for view in views}) == 10
    assert len({view["commitment"] for view in views}) == 10


@pytest.mark.parametrize("dealer", range(4))
async def test_the_dealer_may_be_chosen(http: httpx.AsyncClient, dealer: int) -> None:
    table = await opened(http, opening(pack(dealer=dealer), dealer=dealer))
    assert table.first_view["dealer"] == dealer
    assert table.first_view["turn"] == (dealer + 1) % 4
    hands = [sorted((await table.get(who=seat))["hand"]) for seat in range(4)]
    assert hands == [sorted(hand.split()) for hand in HANDS]


async def test_given_packs_are_dealt_in_order(http: httpx.AsyncClient) -> None:
    table = await opened(http, opening(organiser_sees_all=True))
    view = table.first_view
    assert [sorted(hand) for hand in view["hands"]] == [sorted(hand.split()) for hand in HANDS]
    assert view["pile"] == ["9D"]
    assert view["stock_size"] == 56 - 12 - 1
    assert (view["chance"], view["commitment"], view["secret"]) == ("given", None, None)
    assert (await table.play(1, "draw_stock"))["log"][0]["drawn"] == "5C"


async def test_a_given_secret_makes_the_deal(http: httpx.AsyncClient) -> None:
    answer = await post(http, secret=SECRET.upper(), organiser_sees_all=True)
    view = answer.json()["game"]
    dealt = deal(PRESETS["persian"], shuffled(bytes.fromhex(SECRET), NO_SEEDS, 1, 4), 1, SEATS[0])
    assert [{card(code) for code in hand} for hand in view["hands"]] == [
        {one for one in range(56) if hand >> one & 1} for hand in dealt.hands
    ]
    assert view["pile"] == [CODES[one] for one in dealt.pile]
    assert view["chance"] == "given"
    assert view["secret"] is None
    assert SECRET not in answer.text.lower()


async def test_only_an_organiser_who_said_so_sees_all(http: httpx.AsyncClient) -> None:
    blind = await opened(http)
    assert (await blind.get(who="organiser"))["hands"] is None
    seeing = await opened(http, opening(organiser_sees_all=True))
    for who in (None, 0, "organiser"):
        view = await seeing.get(who=who)
        assert view["organiser_sees_all"] is True
        assert (view["hands"] is not None) == (who == "organiser")


async def test_players_draw_for_seats(http: httpx.AsyncClient) -> None:
    answer = await post(http, team_formation="draw", secret=SECRET)
    told = answer.json()
    view = told["game"]
    drawn = shuffled(bytes.fromhex(SECRET), NO_SEEDS, 0, 4)[:4]
    assert [(one["player"], one["card"]) for one in view["draw"]] == [
        (player, CODES[one]) for player, one in enumerate(drawn)
    ]
    for one in view["draw"]:
        assert view["seats"][one["seat"]]["name"] == NAMES[one["player"]]
    order = sorted(view["draw"], key=lambda one: "A23456789TJQKX".index(one["card"][0]))
    ranks = [one["card"][0] for one in order]
    assert len(set(ranks)) == 4, "the secret of this test draws four ranks"
    assert [one["seat"] for one in order] == [0, 2, 1, 3]
    assert view["dealer"] == 0
    for seat, token in enumerate(told["tokens"]["seats"]):
        seen = await http.get(
            answer.headers["Location"], headers={"Authorization": f"Bearer {token}"}
        )
        assert seen.json()["viewer"] == {"kind": "seat", "seat": seat}
        assert seen.json()["draw"] == view["draw"]


async def test_an_open_place_is_drawn_for_like_any_other(http: httpx.AsyncClient) -> None:
    players = [*NAMED[:3], OPEN]
    told = (await post(http, team_formation="draw", secret=SECRET, players=players)).json()
    seat = next(one["seat"] for one in told["game"]["draw"] if one["player"] == 3)
    assert told["tokens"]["seats"][seat] is None
    assert [token is None for token in told["tokens"]["seats"]].count(True) == 1
    assert told["game"]["seats"][seat]["kind"] == "open"


async def test_a_game_with_open_seats_waits(http: httpx.AsyncClient) -> None:
    table = await opened(http, opening(players=[NAMED[0], OPEN, NAMED[2], OPEN]))
    waiting = {
        "status": "waiting", "deal": 0, "dealer": None, "turn": None, "phase": None, "hand": None,
        "pile": [], "melds": [], "deals": [], "must_use": None, "legal_actions": None, "ply": 0,
        "stock_size": 0, "passes": 0, "hands": None,
    }  # fmt: skip
    for who in (None, 0, "organiser"):
        view = await table.get(who=who)
        assert {name: view[name] for name in waiting} == waiting
        assert view["seats"][1] == {
            "seat": 1, "team": "B", "name": None, "kind": "open", "hand_size": 0, "known_cards": []
        }  # fmt: skip
    assert [token is None for token in table.seats] == [False, True, False, True]


async def test_a_private_game_has_an_invitation(http: httpx.AsyncClient) -> None:
    answer = await post(http, visibility="private")
    assert answer.json()["game"]["visibility"] == "private"
    assert answer.json()["invitation"].startswith(f"pri_{answer.json()['game']['id']}_")


async def test_options_are_shown_as_they_were_asked_for(http: httpx.AsyncClient) -> None:
    ruleset = {
        "preset": "partnership-500",
        "options": {"hand_size": 12, "game_end": {"target": 300}, "go_out_by_discard": False},
    }
    view = (await post(http, ruleset=ruleset)).json()["game"]
    assert view["ruleset"] == ruleset
    assert view["stock_size"] == 52 - 48 - 1


@pytest.mark.parametrize(
    "ruleset",
    [
        {},
        {"preset": "persian"},
        {"options": {"hand_size": 3}},
        {"options": {"go_out_bonus": 0}},
        {"options": {"go_out_bonus": 1000}},
        {"options": {"game_end": {"deals": 50}}},
        {"options": {"game_end": {"target": 10000}}},
        {"options": {"jokers": 0}},
        {"options": {"ace_in_runs": "high_or_low", "ace_low_value": 1}},
    ],
)
async def test_rulesets_within_their_bounds(http: httpx.AsyncClient, ruleset: Json) -> None:
    answer = await post(http, ruleset=ruleset)
    assert answer.status_code == 201
    assert answer.json()["game"]["ruleset"] == {"preset": "persian", "options": {}, **ruleset}


@pytest.mark.parametrize(
    ("ruleset", "pointer"),
    [
        ({"preset": "canasta"}, "/ruleset/preset"),
        ({"preset": ""}, "/ruleset/preset"),
        ({"options": {"wild_jokers": True}}, "/ruleset/options/wild_jokers"),
        ({"options": {"quad_bonus": "double"}}, "/ruleset/options/quad_bonus"),
        ({"options": {"jokers": 3}}, "/ruleset/options/jokers"),
        ({"options": {"hand_size": 2}}, "/ruleset/options/hand_size"),
        ({"options": {"hand_size": 13}}, "/ruleset/options/hand_size"),
        ({"options": {"go_out_bonus": 1001}}, "/ruleset/options/go_out_bonus"),
        ({"options": {"go_out_bonus": -1}}, "/ruleset/options/go_out_bonus"),
        ({"options": {"game_end": {"deals": 51}}}, "/ruleset/options/game_end/deals"),
        ({"options": {"game_end": {"deals": 0}}}, "/ruleset/options/game_end/deals"),
        ({"options": {"game_end": {"target": 10001}}}, "/ruleset/options/game_end/target"),
        ({"options": {"game_end": {}}}, "/ruleset/options/game_end"),
        ({"options": {"game_end": {"deals": 2, "target": 9}}}, "/ruleset/options/game_end"),
        ({"options": {"ace_low_value": 1}}, "/ruleset/options/ace_low_value"),
        ({"options": {"a/b~c": 1}}, "/ruleset/options/a~1b~0c"),
        ({"options": {"x" * 60_000: 1}}, "/ruleset/options"),
        ({"preset": "x" * 60_000}, "/ruleset/preset"),
    ],
)
async def test_what_a_ruleset_cannot_be(
    http: httpx.AsyncClient, ruleset: Json, pointer: str
) -> None:
    told = problem(await post(http, ruleset=ruleset), 422, "contradiction")
    assert pointers(told) == [pointer]
    assert all(len(fault["detail"]) < 400 for fault in told["errors"])


async def test_thousands_of_wrong_options_are_refused_at_once(http: httpx.AsyncClient) -> None:
    options = {f"o{number}": 0 for number in range(5000)}
    told = problem(await post(http, ruleset={"options": options}), 422, "contradiction")
    assert 1 < len(told["errors"]) <= 1000


async def test_all_contradictions_are_told_at_once(http: httpx.AsyncClient) -> None:
    answer = await post(
        http,
        ruleset={"options": {"jokers": 3, "hand_size": 99, "wild": 1}},
        team_formation="draw",
        dealer=1,
        secret=SECRET,
        packs=[pack()],
    )
    told = problem(answer, 422, "contradiction")
    assert set(pointers(told)) == {
        "/ruleset/options/jokers", "/ruleset/options/hand_size", "/ruleset/options/wild",
        "/dealer", "/packs",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("ruleset", "pointer"),
    [
        ({"options": {"jokers": "4"}}, "/ruleset/options/jokers"),
        ({"options": {"jokers": True}}, "/ruleset/options/jokers"),
        ({"options": {"jokers": 4.0}}, "/ruleset/options/jokers"),
        ({"options": {"hand_size": 7.5}}, "/ruleset/options/hand_size"),
        ({"options": {"go_out_by_discard": 1}}, "/ruleset/options/go_out_by_discard"),
        ({"options": {"quad_bonus": None}}, "/ruleset/options/quad_bonus"),
        ({"options": {"game_end": 2}}, "/ruleset/options/game_end"),
        ({"options": {"game_end": {"deals": "2"}}}, "/ruleset/options/game_end/deals"),
        ({"options": []}, "/ruleset/options"),
        ({"options": None}, "/ruleset/options"),
        ({"preset": 1}, "/ruleset/preset"),
        ({"preset": None}, "/ruleset/preset"),
        ({"name": "persian"}, "/ruleset/name"),
        (None, "/ruleset"),
    ],
)
async def test_a_ruleset_of_another_type(
    http: httpx.AsyncClient, ruleset: Any, pointer: str
) -> None:
    told = problem(await post(http, ruleset=ruleset), 400, "malformed")
    assert pointers(told) == [pointer]


@pytest.mark.parametrize(
    ("members", "pointer"),
    [
        ({"players": NAMED[:3]}, "/players"),
        ({"players": [*NAMED, {"name": "fifth"}]}, "/players"),
        ({"players": None}, "/players"),
        ({"players": [*NAMED[:3], {}]}, "/players/3"),
        ({"players": [*NAMED[:3], {"kind": "client"}]}, "/players/3"),
        ({"players": [*NAMED[:3], {"kind": "open", "name": "x"}]}, "/players/3"),
        ({"players": [*NAMED[:3], {"kind": "robot"}]}, "/players/3/kind"),
        ({"players": [*NAMED[:3], {"name": ""}]}, "/players/3/name"),
        ({"players": [*NAMED[:3], {"name": "x" * 41}]}, "/players/3/name"),
        ({"players": [*NAMED[:3], {"name": "a\nb"}]}, "/players/3/name"),
        ({"players": [*NAMED[:3], {"name": "a\u202eb"}]}, "/players/3/name"),
        ({"players": [*NAMED[:3], {"name": 1}]}, "/players/3/name"),
        ({"players": [*NAMED[:3], {"name": "w", "seat": 3}]}, "/players/3/seat"),
        ({"team_formation": "drawn"}, "/team_formation"),
        ({"dealer": 4}, "/dealer"),
        ({"dealer": -1}, "/dealer"),
        ({"dealer": "0"}, "/dealer"),
        ({"dealer": 0.0}, "/dealer"),
        ({"dealer": False}, "/dealer"),
        ({"visibility": "hidden"}, "/visibility"),
        ({"organiser_sees_all": "true"}, "/organiser_sees_all"),
        ({"organiser_sees_all": 1}, "/organiser_sees_all"),
        ({"require_if_match": None}, "/require_if_match"),
        ({"secret": "2b" * 31}, "/secret"),
        ({"secret": "2g" * 32}, "/secret"),
        ({"secret": SECRET + "\n"}, "/secret"),
        ({"packs": []}, "/packs"),
        ({"packs": [[]]}, "/packs/0"),
        ({"packs": [[*pack()[:55], "10S"]]}, "/packs/0/55"),
        ({"seed": 1}, "/seed"),
    ],
)
async def test_malformed_openings(http: httpx.AsyncClient, members: Json, pointer: str) -> None:
    told = problem(await post(http, **members), 400, "malformed")
    assert pointers(told) == [pointer]


async def test_a_name_may_look_like_anything_else(http: httpx.AsyncClient) -> None:
    names = ["null", "true", "1", "ن" * 40]
    table = await opened(http, {"players": [{"name": name} for name in names]})
    assert [one["name"] for one in (await table.get())["seats"]] == names


@pytest.mark.parametrize(
    "members",
    [
        {"clock": {}},
        {"clock": {"move_ms": 1000}},
        {"players": [*NAMED[:3], {"kind": "house"}]},
        {"players": [*NAMED[:3], {"kind": "house", "name": "west"}]},
    ],
)
async def test_what_this_service_has_not_yet(http: httpx.AsyncClient, members: Json) -> None:
    problem(await post(http, **members), 422, "unsupported")


@pytest.mark.parametrize(
    ("members", "pointer"),
    [
        ({"secret": SECRET, "packs": [pack(), pack()]}, "/packs"),
        ({"packs": [pack()]}, "/packs"),
        ({"packs": [pack()] * 3}, "/packs"),
        ({"team_formation": "draw", "packs": [pack(), pack()]}, "/packs"),
        ({"team_formation": "draw", "dealer": 0}, "/dealer"),
        ({"packs": [pack()], "ruleset": {"options": {"game_end": {"target": 9}}}}, "/packs"),
        (
            {"packs": [pack()], "ruleset": {"options": {"tie_break": "extra_deal", **ONE_DEAL}}},
            "/packs",
        ),
        ({"packs": [pack()], "ruleset": {"options": {"jokers": 0, **ONE_DEAL}}}, "/packs/0"),
        ({"packs": [pack(), [*pack()[:55], pack()[0]]]}, "/packs/1"),
        ({"packs": [pack(), pack()[:55]]}, "/packs/1"),
        ({"packs": [pack()[:52], pack()]}, "/packs/0"),
    ],
)
async def test_members_that_exclude_each_other(
    http: httpx.AsyncClient, members: Json, pointer: str
) -> None:
    told = problem(await post(http, **members), 422, "contradiction")
    assert pointers(told) == [pointer]


async def test_packs_without_jokers_have_52_cards(http: httpx.AsyncClient) -> None:
    cards = [code for code in pack() if code[0] != "X"]
    table = await opened(http, opening(cards, options={"jokers": 0}))
    assert table.first_view["stock_size"] == 52 - 12 - 1


async def test_an_opening_may_be_long_but_not_endless(http: httpx.AsyncClient) -> None:
    packs = [pack()] * 50
    table = await opened(http, opening(*packs))
    assert table.first_view["status"] == "playing"
    answer = await post(http, secret=SECRET, clock={"note": "x" * 70_000})
    problem(answer, 413, "too_large")


async def test_a_view_that_is_known_is_not_sent_again(http: httpx.AsyncClient) -> None:
    table = await opened(http)
    answer = await table.ask("GET", who=0, headers={"If-None-Match": '"7", "0"'})
    assert (answer.status_code, answer.content) == (304, b"")
    assert answer.headers["ETag"] == '"0"'
    assert answer.headers["Vary"] == "Authorization"
    await table.play(1, "draw_stock")
    answer = await table.ask("GET", who=0, headers={"If-None-Match": '"0"'})
    assert (answer.status_code, answer.headers["ETag"]) == (200, '"1"')


async def test_a_query_is_refused_where_there_is_none(http: httpx.AsyncClient) -> None:
    table = await opened(http)
    for method, tail in [
        ("GET", ""), ("GET", "/score"), ("GET", "/record"), ("GET", "/legal-actions"),
        ("POST", "/moves"), ("POST", "/forfeit"), ("DELETE", ""), ("POST", "/seats/0/token"),
    ]:  # fmt: skip
        problem(await table.ask(method, f"{tail}?token=x", 1), 400, "malformed")
