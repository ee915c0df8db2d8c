"""Positions that cannot be: every fault is listed with its place, and nothing is waived unasked."""

from typing import Any

import httpx
import pytest

from tests.service.positions import ask, dealt, judged, meld, pointers, position
from tests.service.tables import Json, problem

# What is answered here comes with the request, or is the same for everybody.
pytestmark = pytest.mark.one_store

FREE = {"options": {"top_discard": "free"}}


def with_hand(seat: int, hand: list[str] | int, **members: Any) -> Json:
    told = dealt(**members)
    told["hands"][seat] = hand
    return told


DEALT = dealt()
CLUBS, DIAMONDS, HEARTS, SPADES = DEALT["hands"]
STOCK = DEALT["stock"]


async def test_a_whole_deal_has_no_fault(http: httpx.AsyncClient) -> None:
    assert (DEALT["pile"], len(STOCK)) == (["9C"], 27)
    found = await judged(http, DEALT)
    assert (found["unknown"], found["position"]) == (False, DEALT)


# --- one thing wrong ---


@pytest.mark.parametrize(
    ("told", "expected"),
    [
        # 57 cards: one card is there twice, and the stock has one more than it ever has.
        (dealt(stock=[*STOCK, "9C"]), ["/pile/0", "", "/stock"]),
        # A card twice, so another is missing.
        (with_hand(0, ["2D", *CLUBS[1:]]), ["/hands/1/0", ""]),
        (dealt(pile=["TC"]), ["/pile/0", ""]),
        # A card missing.
        (dealt(stock=STOCK[1:]), [""]),
        (dealt(stock=26), [""]),
        # Hands and stocks of wrong sizes.
        (with_hand(3, 6, stock=28), ["/stock", "/hands/3"]),
        (with_hand(2, [*HEARTS, "TC"], stock=STOCK[1:]), ["/hands/2"]),
        (with_hand(2, [*HEARTS, "TC"], stock=STOCK[1:], phase="play"), ["/hands/0", "/hands/2"]),
        (dealt(phase="play"), ["/hands/0"]),
        # The pile.
        (with_hand(0, [*CLUBS, "9C"], pile=[], stock=STOCK), ["/hands/0", "/pile"]),
        # Who is to act.
        (dealt(turn=None), ["/turn"]),
        (dealt(phase="over"), ["/turn"]),
        (dealt(deal=0), ["/deal"]),
        # What is to be played, or may not be thrown back.
        (dealt(must_use="4S"), ["/must_use"]),
        (with_hand(0, [*CLUBS, "TC"], stock=STOCK[1:], phase="play", must_use="9C"), ["/must_use"]),
        (dealt(barred="4S"), ["/barred", "/barred"]),
        # Passes.
        (dealt(passes=1), ["/passes"]),
        (dealt(passes=4), ["/passes", "/passes"]),
        (dealt(idle_turns=1), ["/idle_turns"]),
    ],
)  # fmt: skip
async def test_a_whole_position(http: httpx.AsyncClient, told: Json, expected: list[str]) -> None:
    found = await pointers(http, told)
    assert [one.removeprefix("/position") for one in found] == expected
    assert all(one.startswith("/position") for one in found)


LAID = "4C 4D 4H @0"


@pytest.mark.parametrize(
    ("told", "expected"),
    [
        (position(["KC"], pile="2C", melds=["KS KD @0"]), ["/melds/0/cards"]),
        (position(["KC"], pile="2C", melds=["KS KD QC @0"]), ["/melds/0/cards"]),
        (position(["KC"], pile="2C", melds=["AS 2S 3S @0"]), ["/melds/0/cards"]),
        (position(["KC"], pile="2C", melds=["X1 X2 KS @0"]), ["/melds/0/cards"]),
        (position(["KC"], pile="2C", melds=["4C 4D @0 4H @1"]), ["/melds/0/cards"]),
        (
            position(["KC"], pile="2C", melds=[LAID, "4C 4D 4S @1"]),
            ["/melds/1/cards/0/card", "/melds/1/cards/1/card", "/melds/1/cards"],
        ),
        (position(["KC"], pile="2C", melds=[LAID + " doubled"]), ["/melds/0/doubled"]),
        (
            position(["KC"], pile="2C") | {"melds": [meld(1, LAID), meld(1, "5C 5D 5H @1")]},
            ["/melds/1/id"],
        ),
        (
            position(["KC"], pile="2C") | {"melds": [meld(1, LAID) | {"laid_this_turn": True}]},
            ["/melds/0/laid_this_turn"],
        ),
        (position([""], pile="2C", phase="play"), ["/hands/0"]),
        (position(["9S 9C"], pile="2C", phase="play", must_use="9D"), ["/must_use"]),
        (position(["9S 9D"], pile="2C", phase="play", must_use="9D"), ["/must_use"]),
        (position(["KC"], stock="2S", pile="2C", passes=1), ["/passes"]),
        (position(["KC"], stock=1, pile="2C", passes=1), ["/passes"]),
        (position(["KC"], pile="2C", phase="play", passes=1), ["/passes"]),
        (position(["KC"], pile="2C", passes=1, idle_turns=0), ["/idle_turns"]),
        (position(["KC KC"], pile="2C"), ["/hands/0/1"]),
        (position([14, 14, 14, 14], stock=1), [""]),
    ],
)
async def test_a_partial_position_may_contradict_itself_too(
    http: httpx.AsyncClient, told: Json, expected: list[str]
) -> None:
    assert told["partial"] is True
    found = await pointers(http, told)
    assert [one.removeprefix("/position") for one in found] == expected


async def test_options_decide_what_can_be(http: httpx.AsyncClient) -> None:
    joker = position(["X1"], stock="2S", pile="2C")
    assert await pointers(http, joker) == []
    jokers = {"options": {"jokers": 0}}
    assert await pointers(http, joker, ruleset=jokers) == ["/position/hands/0/0"]
    quad = position(["KC"], pile="2C", melds=["4C 4D 4H 4S @0 doubled"])
    assert await pointers(http, quad) == []
    none = {"options": {"quad_bonus": "none"}}
    assert await pointers(http, quad, ruleset=none) == ["/position/melds/0/doubled"]
    low = position(["KC"], pile="2C", melds=["AS 2S 3S @0"])
    assert await pointers(http, low, ruleset={"preset": "partnership-500"}) == []
    kept = position(["9D KC"], stock="2S", pile="2C", phase="play", barred="9D")
    assert await pointers(http, kept, ruleset=FREE) == []
    assert await pointers(http, kept) == ["/position/barred"]
    first = {"options": {"stock_out": "first_pass"}}
    passed = position(["KC"], pile="2C", passes=1)
    assert await pointers(http, passed) == []
    assert await pointers(http, passed, ruleset=first) == ["/position/passes"]


# --- everything wrong ---


async def test_every_fault_is_listed(http: httpx.AsyncClient) -> None:
    told = dealt(
        deal=0,
        must_use="QS",
        passes=4,
        pile=["9C", "9C"],
        melds=[
            meld(1, "TC TD TH @0 doubled"),
            meld(1, "JC JD QH @1"),
            meld(3, "TC TD TS @1"),
        ],
        stock=[one for one in STOCK if one[0] not in "TJ" and one != "QH"],
        idle_turns=2,
        barred="KS",
    )
    told["hands"][2] = HEARTS[:-1]
    answer = await ask(http, told, "draw_stock")
    errors = problem(answer, 422, "contradiction")["errors"]
    found = [one["pointer"].removeprefix("/position") for one in errors]
    wanted = {
        "": "the cards do not make the pack",
        "/deal": "0",
        "/pile/1": "9C twice",
        "/melds/2/cards/0/card": "TC twice",
        "/melds/2/cards/1/card": "TD twice",
        "/melds/0/doubled": "three cards",
        "/melds/1/id": "1 again",
        "/melds/1/cards": "no meld",
        "/melds/2/cards": "a second set of tens",
        "/must_use": "in phase draw",
        "/barred": "not by these rules",
        "/passes": "with a stock",
        "/idle_turns": "fewer than passes",
    }
    assert set(found) == set(wanted)
    assert len(errors) > len(wanted)  # passes and barred are wrong in more than one way
    assert answer.json()["detail"] == errors[0]["detail"]


async def test_a_very_wrong_position_is_told_in_full(http: httpx.AsyncClient) -> None:
    """As much as a body of the greatest size can hold is listed, and quickly."""
    told = position(["2C " * 56] * 4, stock="2C " * 56, pile="2C " * 56)
    told["melds"] = [meld(1, "2C " * 4 + "@0 doubled") for _ in range(56)]
    errors = problem(await ask(http, told), 422, "contradiction")["errors"]
    assert len(errors) > 500


# --- what `partial` waives, and nothing else ---

MISSING = position(["2C 3C 4C 5C 6C 7C 8C", *[7] * 3], stock=20, pile="9C")
SIZES = position(["2C", 9, 7, 8], stock=30, pile="9C")
NO_PILE = position([7, 7, 7, 7], stock=28)


@pytest.mark.parametrize(
    ("told", "unwaived"),
    [
        (MISSING, [""]),
        (SIZES, ["/stock", "/hands/0", "/hands/1", "/hands/3"]),
        (NO_PILE, ["/stock", "/pile"]),
        (position(["9D 9S 9C", *[7] * 3], stock=31, pile="2C", phase="play", must_use="9D"),
         ["/stock", "/hands/0"]),
    ],
)  # fmt: skip
async def test_partial_waives_three_checks(
    http: httpx.AsyncClient, told: Json, unwaived: list[str]
) -> None:
    assert await pointers(http, told) == []
    unsaid = {name: value for name, value in told.items() if name != "partial"}
    for strict in (told | {"partial": False}, unsaid):
        found = await pointers(http, strict)
        assert [one.removeprefix("/position") for one in found] == unwaived


@pytest.mark.parametrize("jokers", [0, 4])
@pytest.mark.parametrize("hand_size", [3, 7, 12])
async def test_the_greatest_stock(http: httpx.AsyncClient, jokers: int, hand_size: int) -> None:
    chosen = {"options": {"jokers": jokers, "hand_size": hand_size}}
    most = 51 + jokers - 4 * hand_size
    told = position([hand_size] * 4, stock=most, pile="9C", partial=False)
    assert await pointers(http, told, ruleset=chosen) == []
    told["stock"] = most + 1
    told["hands"][1] -= 1
    assert await pointers(http, told, ruleset=chosen) == ["/position/stock", "/position/hands/1"]


@pytest.mark.parametrize(
    ("size", "is_taken", "expected"),
    [(8, False, []), (7, False, ["/hands/0"]), (9, False, ["/hands/0"]), (8, True, []),
     (7, True, ["/hands/0"]), (15, True, [])],
)  # fmt: skip
async def test_the_acting_hand_without_a_meld(
    http: httpx.AsyncClient, size: int, is_taken: bool, expected: list[str]
) -> None:
    told = position([size, 7, 7, 7], stock=34 - size, pile="9C", phase="play", partial=False)
    told["stock"] = min(27, 34 - size)
    told["pile"] += ["TC"] * (34 - size - told["stock"])
    if is_taken:
        told["must_use"] = "QC"
    found = await pointers(http, told)
    assert [one.removeprefix("/position") for one in found] == expected
    told["partial"] = True
    assert await pointers(http, told) == []


async def test_with_a_meld_hands_may_have_any_size(http: httpx.AsyncClient) -> None:
    told = position([0, 13, 13, 13], stock=12, pile="9C", melds=[LAID], partial=False)
    told["hands"][3] = 14
    assert await pointers(http, told) == []


# --- the form, and who asks ---


@pytest.mark.parametrize(
    "change",
    [
        {"turn": "0"}, {"turn": 4}, {"turn": 0.0}, {"phase": "meld"}, {"phase": None},
        {"passes": -1}, {"passes": 5}, {"passes": True}, {"deal": 51}, {"dealer": None},
        {"must_use": "??"}, {"must_use": "1C"}, {"partial": None}, {"partial": 1},
        {"hands": [7, 7, 7]}, {"hands": [7, 7, 7, 7, 0]}, {"hands": [7, 7, 7, 57]},
        {"hands": [7, 7, 7, -1]}, {"hands": [7, 7, 7, None]}, {"hands": [7, 7, 7, ["?"]]},
        {"hands": [7, 7, 7, "2C"]}, {"stock": ["??"]}, {"stock": None}, {"stock": 57},
        {"pile": ["??"]}, {"pile": 1}, {"pile": ["2C "]}, {"pile": ["2c"]}, {"melds": None},
        {"melds": [{"id": 1, "cards": [{"card": "??", "seat": 0}], "doubled": False}]},
        {"melds": [{"id": 1, "cards": [], "doubled": False}]},
        {"melds": [{"id": 0, "cards": [{"card": "2C", "seat": 0}], "doubled": False}]},
        {"melds": [{"id": 1, "cards": [{"card": "2C", "seat": 0}]}]},
        {"melds": [{"id": 1, "cards": [{"card": "2C"}], "doubled": False}]},
        {"totals": None}, {"totals": {"A": 0}}, {"totals": {"A": 0, "B": "0"}},
        {"barred": "??"}, {"idle_turns": 13}, {"idle_turns": None}, {"turn_no": 3},
    ],
)  # fmt: skip
async def test_a_position_of_the_wrong_form(http: httpx.AsyncClient, change: Json) -> None:
    problem(await ask(http, dealt() | change), 400, "malformed")


@pytest.mark.parametrize("member", sorted(set(dealt())))
async def test_a_member_that_is_missing(http: httpx.AsyncClient, member: str) -> None:
    told = dealt()
    del told[member]
    problem(await ask(http, told), 400, "malformed")


@pytest.mark.parametrize(
    "change",
    [
        {"seat": 4}, {"seat": "0"}, {"seat": None}, {"actions": None}, {"actions": {}},
        {"actions": [{"type": "meld", "cards": ["??", "2C", "3C"]}]},
        {"actions": [{"type": "meld", "cards": []}]},
        {"actions": [{"type": "discard", "card": "??"}]},
        {"actions": [{"type": "lay_off", "cards": ["2C"], "meld": 0}]},
        {"actions": [{"type": "pass"}] * 33}, {"dry_run": True}, {"position": None},
    ],
)  # fmt: skip
async def test_a_request_of_the_wrong_form(http: httpx.AsyncClient, change: Json) -> None:
    body = {"position": dealt(), "actions": []} | change
    problem(await http.post("/v1/validate", json=body), 400, "malformed")


STRANGER = {"Authorization": "Bearer pro_aaaaaaaaaaaaaaaaaaaa_" + "0" * 48}


async def test_the_order_of_judgement(http: httpx.AsyncClient) -> None:
    """The form first, then who asks, then what is asked."""
    body = {"position": dealt(passes=4), "actions": []}

    async def post(**sent: Any) -> httpx.Response:
        headers = STRANGER | sent.pop("headers", {})
        return await http.post("/v1/validate", headers=headers, **sent)

    problem(await post(json=body | {"more": 1}), 400, "malformed")
    problem(await http.post("/v1/validate?x=1", headers=STRANGER, json=body), 400, "malformed")
    padded = {"content": b" " * 32 * 1024 + b"{}", "headers": {"Content-Type": "application/json"}}
    problem(await post(**padded), 413, "too_large")
    text = {"content": b"{}", "headers": {"Content-Type": "text/plain"}}
    problem(await post(**text), 415, "unsupported_media_type")
    told = problem(await post(json=body), 401, "unauthorized")
    assert "errors" not in told
    problem(await http.post("/v1/validate", json=body), 422, "contradiction")


async def test_32_kilobytes_are_read(http: httpx.AsyncClient) -> None:
    written = httpx.Request("POST", "http://x", json={"position": dealt(), "actions": []}).content
    headers = {"Content-Type": "application/json"}
    body = written.ljust(32 * 1024)
    assert (await http.post("/v1/validate", content=body, headers=headers)).status_code == 200
    answer = await http.post("/v1/validate", content=body + b" ", headers=headers)
    problem(answer, 413, "too_large")
