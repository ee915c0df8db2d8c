"""Verdicts over HTTP: scenarios of the rulebook, seats' views, and what is not known."""

from typing import Any

import httpx
import pytest

from tests.service.positions import ask, dealt, judged, position
from tests.service.tables import Json, json_of, problem

# What is answered here comes with the request, or is the same for everybody.
pytestmark = pytest.mark.one_store

NOTHING = {"A": 0, "B": 0}


def listed(*actions: str) -> list[Json]:
    return [json_of(action) for action in actions]


def refused(found: Json) -> tuple[int, str, list[str]]:
    """Which action is refused, why, and the cards it points at."""
    assert found["legal"] is False
    assert found["links"] == [f"/v1/rules/{rule}" for rule in found["rules"]]
    return found["action"], found["violation"], found["cards"]


# --- scenarios of the rulebook ---


async def test_s01_a_set(http: httpx.AsyncClient) -> None:
    told = position(["4S 4D 4H 9C"], stock="2S", pile="5C")
    found = await judged(http, told, "draw_stock", "meld 4H 4S 4D")
    assert (found["legal"], found["unknown"], found["deal_ended"]) == (True, False, None)
    assert found["table_points"] == {"A": 12, "B": 0}
    laid = [{"card": card, "seat": 0} for card in ("4D", "4H", "4S")]
    assert found["position"] == told | {
        "phase": "play",
        "hands": [["9C", "2S"], [], [], []],
        "stock": [],
        "melds": [{"id": 1, "cards": laid, "doubled": False}],
    }
    assert found["legal_actions"] == listed("discard 9C", "discard 2S")


@pytest.mark.parametrize(
    ("meld", "violation", "cards"),
    [
        ("AS 2S 3S", "bad_meld", ["2S", "3S", "AS"]),
        ("KS AS 2S", "bad_meld", ["2S", "KS", "AS"]),
        ("QS KS AH", "bad_meld", ["AH", "QS", "KS"]),
        ("3S 4S 6S", "bad_meld", ["3S", "4S", "6S"]),
        ("3S 4S", "bad_meld", ["3S", "4S"]),
        ("4S 4S 4D", "duplicate_card", ["4S"]),
    ],
)
async def test_s03_bad_melds(
    http: httpx.AsyncClient, meld: str, violation: str, cards: list[str]
) -> None:
    told = position(["AS 2S 3S KS QS AH 4S 6S 4D"], pile="5C", phase="play")
    found = await judged(http, told, f"meld {meld}")
    assert refused(found) == (0, violation, cards)
    rules = {
        "bad_meld": ["R-11", "R-12", "R-13", "R-03"],
        "duplicate_card": ["G-71"],
    }
    assert found["rules"] == rules[violation]
    assert found["alternatives"]
    assert all(one in found["legal_actions"] for one in found["alternatives"])
    assert found["position"]["hands"][0] == ["4D", "AH", "2S", "3S", "4S", "6S", "QS", "KS", "AS"]


async def test_s12_the_top_card_must_be_used(http: httpx.AsyncClient) -> None:
    told = position(["9S 9C 3H 4H"], stock="2S", pile="7H 2C 9D")
    taken = await judged(http, told, "draw_discard 9D")
    assert (taken["position"]["must_use"], taken["position"]["pile"]) == ("9D", ["7H", "2C"])
    assert taken["legal_actions"] == listed("meld 9C 9D 9S")
    found = await judged(http, told, "draw_discard 9D", "discard 3H")
    assert refused(found) == (1, "must_use_pickup", ["9D"])
    assert found["position"] == taken["position"]
    found = await judged(http, told, "draw_discard 9D", "meld 9S 9C 9D", "discard 3H")
    assert found["legal"] is True
    assert (found["position"]["pile"], found["position"]["turn"]) == (["7H", "2C", "3H"], 1)


async def test_s13_the_top_card_cannot_be_used(http: httpx.AsyncClient) -> None:
    told = position(["9S KC 3H 4H"], stock="2S", pile="7H 2C 9D")
    found = await judged(http, told, "draw_discard 9D")
    assert refused(found) == (0, "pickup_unusable", ["9D"])
    assert (found["position"]["phase"], found["legal_actions"]) == ("draw", listed("draw_stock"))


async def test_s17_a_lay_off_satisfies_the_pick_up(http: httpx.AsyncClient) -> None:
    told = position(["KH JD 2D"], stock="2S", pile="3C 8S", melds=["5S 6S 7S @1"])
    found = await judged(http, told, "draw_discard 8S", "lay_off 8S on 1", "discard 2D")
    assert (found["legal"], found["table_points"]) == (True, {"A": 8, "B": 18})
    assert found["position"]["melds"][0]["cards"][-1] == {"card": "8S", "seat": 0}
    found = await judged(http, told, "draw_discard 8S", options={"pickup_use": "new_meld_only"})
    assert refused(found) == (0, "pickup_unusable", ["8S"])


async def test_s23_out_on_the_forced_play(http: httpx.AsyncClient) -> None:
    hands = ["9S 9C", "KH", "2H 7C", "QD AC"]
    told = position(hands, stock="2S", pile="3D 9D", totals={"A": 10, "B": 20})
    found = await judged(http, told, "draw_discard 9D", "meld 9S 9C 9D")
    ledger = found["deal_ended"]
    assert (ledger["ended"], ledger["out_seat"]) == ("out", 0)
    assert ledger["scores"] == {"A": 43, "B": -35}
    assert ledger["hands"] == [[], ["KH"], ["7C", "2H"], ["AC", "QD"]]
    for team in "AB":
        points = [one["points"] for one in ledger["items"] if one["team"] == team]
        assert sum(points) == ledger["scores"][team]
    assert found["position"]["totals"] == {"A": 53, "B": -15}
    assert (found["position"]["phase"], found["position"]["turn"]) == ("over", None)
    assert found["legal_actions"] is None
    assert found["unknown"] is False


async def test_s23_no_deal_follows_one_that_ended(http: httpx.AsyncClient) -> None:
    told = position(["9S 9C", "KH", "2H 7C", "QD AC"], stock="2S", pile="3D 9D")
    found = await judged(http, told, "draw_discard 9D", "meld 9S 9C 9D", "draw_stock")
    assert refused(found) == (2, "game_over", [])
    assert (found["alternatives"], found["legal_actions"]) == ([], None)
    assert found["position"]["deal"] == 1
    assert found["deal_ended"]["scores"] == {"A": 43, "B": -35}


async def test_s23_a_card_is_left(http: httpx.AsyncClient) -> None:
    told = position(["9S 9C", "KH", "2H 7C", "QD AC"], stock="2S", pile="9D 3D")
    found = await judged(http, told, "draw_discard 9D", "meld 9S 9C 9D", "discard 3D")
    assert (found["legal"], found["deal_ended"]) == (True, None)
    assert found["position"]["hands"][0] == []
    assert (found["position"]["turn"], found["position"]["pile"]) == (1, ["3D"])


BLOCKED = position(
    ["KH 3C", "5D 9C", "2H 7C", "QD AC"],
    pile="3D",
    melds=["JS JD JH JC @0 doubled", "6S 7S 8S @1"],
)


async def test_s25_four_passes_block_the_deal(http: httpx.AsyncClient) -> None:
    assert refused(await judged(http, BLOCKED, "draw_stock")) == (0, "stock_empty", [])
    found = await judged(http, BLOCKED)
    assert (found["legal"], found["legal_actions"]) == (True, listed("pass"))
    found = await judged(http, BLOCKED, "pass", "pass", "pass")
    assert (found["position"]["passes"], found["position"]["turn"]) == (3, 3)
    assert found["deal_ended"] is None
    found = await judged(http, BLOCKED, "pass", "pass", "pass", "pass")
    assert (found["deal_ended"]["ended"], found["deal_ended"]["out_seat"]) == ("blocked", None)
    assert found["deal_ended"]["scores"] == {"A": 58, "B": -18}
    assert found["table_points"] == {"A": 80, "B": 21}


async def test_s25_the_first_pass_blocks_where_it_is_played_so(http: httpx.AsyncClient) -> None:
    found = await judged(http, BLOCKED, "pass", options={"stock_out": "first_pass"})
    assert found["deal_ended"]["scores"] == {"A": 58, "B": -18}
    found = await judged(http, BLOCKED, "pass", "pass", options={"stock_out": "first_pass"})
    assert refused(found) == (1, "game_over", [])


async def test_jokers_come_last_in_answers(http: httpx.AsyncClient) -> None:
    told = position(["X4 KC X1 2D X3"], pile="5C", phase="play", melds=["X2 @1 9C TC JC @0"])
    told["melds"][0]["cards"] = told["melds"][0]["cards"][1:]
    found = await judged(http, told, "meld X4 X3 X1")
    assert [one["card"] for one in found["position"]["melds"][1]["cards"]] == ["X1", "X3", "X4"]
    assert found["table_points"] == {"A": 89, "B": 0}
    assert (await judged(http, told))["position"]["hands"][0] == ["KC", "2D", "X1", "X3", "X4"]


# --- rulesets ---


async def test_another_preset(http: httpx.AsyncClient) -> None:
    told = position(["AS 2S 3S KC", "4D", "5D", "6D"], pile="5C", phase="play")
    found = await judged(http, told, "meld AS 2S 3S", ruleset={"preset": "partnership-500"})
    assert [one["card"] for one in found["position"]["melds"][0]["cards"]] == ["AS", "2S", "3S"]
    assert found["table_points"] == {"A": 6, "B": 0}
    both = {"preset": "partnership-500", "options": {"ace_low_value": 15}}
    found = await judged(http, told, "meld AS 2S 3S", "discard KC", ruleset=both)
    assert found["deal_ended"]["ended"] == "out"
    assert found["deal_ended"]["scores"] == {"A": 15, "B": -10}


@pytest.mark.parametrize(
    ("ruleset", "pointers"),
    [
        ({"preset": "gin"}, ["/ruleset/preset"]),
        ({"options": {"jokers": 3}}, ["/ruleset/options/jokers"]),
        ({"options": {"wild": True}}, ["/ruleset/options/wild"]),
        ({"options": {"hand_size": 2, "go_out_bonus": -1}}, None),
        ({"preset": "gin", "options": {"stock_out": "never"}}, None),
    ],
)
async def test_a_ruleset_that_is_not_offered(
    http: httpx.AsyncClient, ruleset: Json, pointers: list[str] | None
) -> None:
    told = problem(await ask(http, dealt(), ruleset=ruleset), 422, "contradiction")
    found = [one["pointer"] for one in told["errors"]]
    if pointers is None:
        assert len(found) == 2
    else:
        assert found == pointers


@pytest.mark.parametrize(
    "ruleset",
    [
        {"options": {"jokers": "4"}}, {"options": {"jokers": 4.0}}, {"options": {"jokers": None}},
        {"options": []}, {"preset": 1}, {"preset": None}, {"variant": "persian"}, [], "persian",
        {"options": {"go_out_by_discard": 0}}, {"options": {"game_end": 2}},
    ],
)  # fmt: skip
async def test_a_ruleset_of_the_wrong_form(http: httpx.AsyncClient, ruleset: Any) -> None:
    body = {"ruleset": ruleset, "position": dealt(), "actions": []}
    problem(await http.post("/v1/validate", json=body), 400, "malformed")


# --- who acts ---


async def test_each_action_is_by_the_seat_to_act(http: httpx.AsyncClient) -> None:
    told = position(["4S", "KC KD"], stock="KH 2S", pile="7C")
    found = await judged(
        http, told, "draw_stock", "discard 4S", "draw_stock", "discard 2S", "draw_stock"
    )
    assert refused(found) == (4, "stock_empty", [])
    assert found["position"]["turn"] == 2


async def test_with_a_seat_all_actions_are_by_it(http: httpx.AsyncClient) -> None:
    told = position(["4S", "KC KD"], stock="KH 2S", pile="7C")
    found = await judged(http, told, "draw_stock", "discard 4S", "draw_stock", seat=0)
    assert refused(found) == (2, "not_your_turn", [])
    assert (found["alternatives"], found["legal_actions"]) == ([], None)
    assert (found["position"]["turn"], found["position"]["pile"]) == (1, ["7C", "4S"])


@pytest.mark.parametrize(("seat", "actions"), [(0, listed("draw_stock")), (1, None), (2, None)])
async def test_the_list_is_for_the_seat_asked_for(
    http: httpx.AsyncClient, seat: int, actions: list[Json] | None
) -> None:
    told = position(["4S", "KC KD"], stock="KH 2S", pile="7C")
    assert (await judged(http, told, seat=seat))["legal_actions"] == actions


# --- one seat's view ---


def seen(hand: str, pile: str, **told: Any) -> Json:
    """What seat 0 knows of a deal that began like any other."""
    view = position([hand, 7, 7, 7], stock=27, pile=pile, **told)
    del view["partial"]
    return view


async def test_a_card_that_was_drawn_unseen(http: httpx.AsyncClient) -> None:
    told = seen("4S 4D 4H 9C TD QH KS", "7C")
    found = await judged(http, told, "draw_stock")
    assert (found["legal"], found["unknown"]) == (True, True)
    hand = ["9C", "4D", "TD", "4H", "QH", "4S", "KS", "??"]
    assert found["position"] == told | {"phase": "play", "hands": [hand, 7, 7, 7], "stock": 26}
    certain = ["meld 4D 4H 4S", *(f"discard {card}" for card in hand[:-1])]
    assert found["legal_actions"] == listed(*certain)


async def test_an_answer_may_be_asked_again(http: httpx.AsyncClient) -> None:
    drawn = await judged(http, seen("4S 4D 4H 9C TD QH KS", "7C"), "draw_stock")
    found = await judged(http, drawn["position"], "meld 4S 4D 4H", "discard KS", seat=0)
    assert (found["legal"], found["unknown"]) == (True, False)
    assert found["position"]["hands"] == [["9C", "TD", "QH", "??"], 7, 7, 7]
    assert (await judged(http, found["position"]))["legal_actions"] == listed("draw_stock")


async def test_a_verdict_that_hangs_on_the_card_drawn(http: httpx.AsyncClient) -> None:
    told = seen("4S 4D 8H 9C TD QH KS", "7C")
    found = await judged(http, told, "draw_stock", "meld 4S 4D 4H")
    assert (found["legal"], found["unknown"], found["deal_ended"]) == (None, True, None)
    assert found["position"] == (await judged(http, told, "draw_stock"))["position"]
    found = await judged(http, told, "draw_stock", "meld 4S 4D 8H")
    assert refused(found) == (1, "bad_meld", ["4D", "8H", "4S"])
    found = await judged(http, told, "draw_stock", "meld 4S 4D 7C")
    assert refused(found) == (1, "card_not_in_hand", ["7C"])


async def test_a_take_needs_only_what_the_seat_knows(http: httpx.AsyncClient) -> None:
    told = seen("4S 4D 8H 9C TD QH KS", "4C")
    found = await judged(http, told)
    assert (found["unknown"], found["legal_actions"]) == (
        False,
        listed("draw_stock", "draw_discard 4C"),
    )
    assert (await judged(http, told, "draw_discard 4C", seat=0))["unknown"] is False


async def test_another_seats_take_hangs_on_its_hand(http: httpx.AsyncClient) -> None:
    told = seen("4S 4D 3C 5C TD QH KS", "4C") | {"turn": 1, "dealer": 0}
    found = await judged(http, told, "draw_discard 4C", seat=1)
    assert refused(found) == (0, "pickup_unusable", ["4C"])
    told = seen("2S 3D 8H 9C TD QH KS", "4C") | {"turn": 1, "dealer": 0}
    found = await judged(http, told, "draw_discard 4C", seat=1)
    assert (found["legal"], found["unknown"]) == (None, True)
    assert found["legal_actions"] == listed("draw_stock")


async def test_a_deal_that_ends_in_a_view_has_no_ledger(http: httpx.AsyncClient) -> None:
    told = position(["9S 9C", 1, 2, 2], stock=20, pile="3D 9D", totals={"A": 5, "B": 6})
    found = await judged(http, told, "draw_discard 9D", "meld 9S 9C 9D")
    assert (found["legal"], found["unknown"], found["deal_ended"]) == (True, True, None)
    assert (found["position"]["phase"], found["position"]["turn"]) == ("over", None)
    assert found["position"]["totals"] == {"A": 5, "B": 6}
    assert found["legal_actions"] is None


# --- options that a position has to tell more for ---


async def test_a_top_card_that_was_free(http: httpx.AsyncClient) -> None:
    told = position(["KC 8C"], stock="2S 3S", pile="3D 9D")
    free = {"top_discard": "free"}
    taken = (await judged(http, told, "draw_discard 9D", options=free))["position"]
    assert (taken["barred"], taken["must_use"], taken["idle_turns"]) == ("9D", None, 1)
    found = await judged(http, taken, "discard 9D", options=free)
    assert refused(found) == (0, "must_use_pickup", ["9D"])
    found = await judged(http, taken | {"idle_turns": 12}, "discard KC", options=free)
    assert found["deal_ended"]["ended"] == "blocked"
    assert "barred" not in (await judged(http, taken, "discard KC", options=free))["position"]


async def test_a_set_that_was_laid_this_turn(http: httpx.AsyncClient) -> None:
    same_turn = {"quad_bonus": "same_turn"}
    told = position(["4S KC"], pile="3D", melds=["4C 4D 4H @0"], phase="play")
    assert (await judged(http, told, "lay_off 4S on 1", options=same_turn))["table_points"] == {
        "A": 16,
        "B": 0,
    }
    told["melds"][0]["laid_this_turn"] = True
    found = await judged(http, told, "lay_off 4S on 1", options=same_turn)
    assert found["table_points"] == {"A": 32, "B": 0}
    assert found["position"]["melds"][0]["doubled"] is True
    assert found["position"]["melds"][0]["laid_this_turn"] is True


async def test_an_ace_first_in_a_complete_run_is_low(http: httpx.AsyncClient) -> None:
    run = "AS 2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS @0"
    either = {"ace_in_runs": "high_or_low", "ace_low_value": 1}
    told = position(["KC"], pile="3D", melds=[run])
    found = await judged(http, told, options=either)
    assert found["table_points"]["A"] == 85
    assert found["position"]["melds"] == told["melds"]
    told["melds"][0]["cards"].reverse()
    found = await judged(http, told, options=either)
    assert found["table_points"]["A"] == 99
    assert [one["card"] for one in found["position"]["melds"][0]["cards"]][-1] == "AS"
