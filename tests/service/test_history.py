"""Looking back: the log page by page, who is told which card was drawn, ledgers and record."""

import asyncio
from random import Random
from typing import Any

import httpx
import pytest

from engine import game as play
from engine.cards import CODES, SEATS, card, team_of
from engine.game import Game
from engine.notation import action as read_action
from engine.play import legal_actions
from engine.ruleset import resolve
from tests.engine.random_play import EAGER, choose, shuffled
from tests.service.crowd import Crowd
from tests.service.tables import (
    NAMED,
    SECRET,
    Json,
    Table,
    json_of,
    opened,
    opening,
    pack,
    problem,
)

FOURS = "meld 4S 4D 4H 4C"


def random_packs(chance: Random, deals: int, options: Json) -> list[list[str]]:
    ruleset = resolve("persian", options)
    return [[CODES[one] for one in shuffled(ruleset, chance)] for _ in range(deals)]


async def played_out(http: httpx.AsyncClient, chance: Random) -> Table:
    """A game of two deals, played at random to its end."""
    options = {"hand_size": 5, "game_end": {"deals": 2}}
    packs = random_packs(chance, 2, options)
    table = await opened(http, opening(*packs, options=options))
    game = play.open_game(
        play.Opening(
            players=("north", "east", "south", "west"),
            options=options,
            packs=tuple(bytes(card(code) for code in each) for each in packs),
        )
    )
    while game.state is not None and game.result is None:
        seat = game.state.turn
        chosen = choose(legal_actions(game.state), EAGER, chance)
        await table.play(seat, chosen)
        game = play.advance(game, seat, chosen)
    return table


async def pages(table: Table, query: str, who: Any = None) -> list[list[Json]]:
    """All pages from this one on, each by the link of the one before."""
    answer = await table.ask("GET", f"/log?{query}", who)
    found = []
    while True:
        assert answer.status_code == 200, answer.text
        told = answer.json()
        found.append(told["items"])
        if told["next"] is None:
            assert "Link" not in answer.headers
            return found
        url, _, rel = answer.headers["Link"].partition("; ")
        assert rel == 'rel="next"'
        assert f"cursor={told['next']}" in url
        path = url.strip("<>")
        assert path.startswith(table.path)
        answer = await table.ask("GET", path.removeprefix(table.path), who)


async def turns(table: Table, count: int) -> int:
    """So many turns in which the drawn card is thrown away; how many plies that makes."""
    seat = (await table.get())["turn"]
    for _ in range(count):
        drawn = (await table.play(seat, "draw_stock"))["log"][0]["drawn"]
        await table.play(seat, f"discard {drawn}")
        seat = (seat + 1) % 4
    return 2 * count


async def test_the_log_comes_in_pages(http: httpx.AsyncClient) -> None:
    table = await opened(http)
    plies = await turns(table, 10)
    whole = (await table.get("/log", 1))["items"]
    assert [one["ply"] for one in whole] == list(range(1, plies + 1))
    for limit in (1, 7, 10, 19, 20, 100):
        found = await pages(table, f"limit={limit}", 1)
        assert [one for page in found for one in page] == whole
        assert all(len(page) == limit for page in found[:-1])
        assert 0 < len(found[-1]) <= limit
    found = await pages(table, "after=5&limit=4", 1)
    assert [one for page in found for one in page] == whole[5:]
    assert (await table.get("/log?after=20", 1)) == {"items": [], "next": None}
    assert (await table.get("/log?after=999999999", 1)) == {"items": [], "next": None}
    assert (await table.get("/log?after=19", 1))["items"] == whole[19:]
    assert (await table.get("/log?cursor=ffffffff", 1)) == {"items": [], "next": None}


async def test_a_page_holds_100_entries_unless_asked_otherwise(http: httpx.AsyncClient) -> None:
    table = await opened(http, opening(pack(), pack()))
    plies = await turns(table, 43)
    for seat in (0, 1, 2, 3):
        await table.play(seat, "pass")
    plies += 4 + await turns(table, 8)
    first, second = await pages(table, "")
    assert (len(first), len(second)) == (100, plies - 100)
    assert first[89]["deal_ended"]["ended"] == "blocked"
    assert [one["deal"] for one in first[88:92]] == [1, 1, 2, 2]


async def test_pages_stay_the_same_while_the_game_goes_on(http: httpx.AsyncClient) -> None:
    table = await opened(http)
    await turns(table, 3)
    first = await table.get("/log?limit=4", 0)
    await turns(table, 2)
    rest = await table.get(f"/log?cursor={first['next']}", 0)
    assert [one["ply"] for one in [*first["items"], *rest["items"]]] == list(range(1, 11))


@pytest.mark.parametrize("tail", ["/log", "/log?limit=2", "/log?after=1"])
async def test_a_page_is_of_the_ply_that_was_looked_at(
    http: httpx.AsyncClient, crowd: Crowd, tail: str
) -> None:
    """A move that comes between is on no page yet: its deal may be over only by then."""
    table = await opened(http, opening(pack(stock="4C TH 6D JC"), pack()))
    await table.play(1, "draw_stock")
    before = await table.get(tail)
    crowd.hold()
    page = asyncio.create_task(table.get(tail))
    await crowd.held.wait()
    await table.play(1, FOURS)
    crowd.release()
    assert await page == before


async def test_a_fresh_game_has_an_empty_log(http: httpx.AsyncClient) -> None:
    table = await opened(http)
    answer = await table.ask("GET", "/log")
    assert answer.json() == {"items": [], "next": None}
    assert answer.headers["Vary"] == "Authorization"
    assert answer.headers["Cache-Control"] == "private, no-cache"


@pytest.mark.parametrize(
    "query",
    [
        "limit=0", "limit=101", "limit=-1", "limit=1.0", "limit=", "limit=x", "limit=+5",
        "limit=1_0", "after=-1", "after=1000000000", "after=x", "after=01", "cursor=", "cursor=x",
        "cursor=0000000A", "cursor=000000010", "limit=1&limit=2", "page=2", "after=%zz",
        "after=%D9%A1", "limit=99999999999999999999",
    ],
)  # fmt: skip
async def test_bad_queries(http: httpx.AsyncClient, query: str) -> None:
    table = await opened(http)
    problem(await table.ask("GET", f"/log?{query}"), 400, "malformed")


async def test_a_card_drawn_is_told_to_who_drew_it_until_the_deal_is_over(
    http: httpx.AsyncClient,
) -> None:
    body = opening(pack(stock="4C TH 6D JC"), pack(), organiser_sees_all=True)
    table = await opened(http, body)

    async def drawn(who: Any) -> list[str | None]:
        items = (await table.get("/log", who))["items"]
        return [one["drawn"] for one in items if one["action"]["type"] == "draw_stock"]

    await table.play(1, "draw_stock")
    assert await drawn(1) == ["4C"]
    for who in (None, 0, 2, 3, "organiser"):
        assert await drawn(who) == [None]
    await table.play(1, "discard 4C")
    await table.play(2, "draw_stock")
    assert await drawn(2) == [None, "TH"]
    assert await drawn(1) == ["4C", None]


async def test_all_draws_of_a_deal_are_told_once_it_is_over(http: httpx.AsyncClient) -> None:
    table = await opened(http, opening(pack(stock="4C TH 6D JC"), pack(stock="2S 3S")))
    await table.play(1, "draw_stock")
    answer = await table.play(1, FOURS)
    assert answer["game"]["deal"] == 2
    await table.play(2, "draw_stock")
    for who, second in [(None, None), (0, None), (1, None), (2, "2S"), ("organiser", None)]:
        items = (await table.get("/log", who))["items"]
        assert [(one["deal"], one["drawn"]) for one in items] == [
            (1, "4C"), (1, None), (2, second)
        ]  # fmt: skip
        assert [one["deal_ended"] is None for one in items] == [True, False, True]


async def test_an_old_page_tells_the_draws_too_once_the_deal_is_over(
    http: httpx.AsyncClient,
) -> None:
    table = await opened(http, opening(pack(stock="4C TH 6D JC"), pack()))
    await table.play(1, "draw_stock")
    assert (await table.get("/log?limit=1"))["items"][0]["drawn"] is None
    await table.play(1, FOURS)
    page = await table.get("/log?limit=1")
    assert page["items"][0]["drawn"] == "4C"
    assert page["next"] is not None


async def test_the_score_before_anything_is_scored(http: httpx.AsyncClient) -> None:
    table = await opened(http)
    await table.play(1, "draw_stock")
    await table.play(1, "meld 4S 4D 4H")
    assert await table.get("/score") == {
        "deals": [], "table_points": {"A": 0, "B": 12}, "totals": {"A": 0, "B": 0}
    }  # fmt: skip


async def test_a_ledger_in_full(http: httpx.AsyncClient) -> None:
    table = await opened(http, opening(pack(stock="4C TH 6D JC")))
    await table.play(1, "draw_stock")
    ledger = (await table.play(1, FOURS))["log"][0]["deal_ended"]

    def item(seat: int, kind: str, cards: str, points: int, rule: str, meld: Any = None) -> Json:
        return {
            "team": team_of(SEATS[seat]), "seat": seat, "kind": kind, "meld": meld,
            "cards": cards.split(), "points": points, "rule": rule,
        }  # fmt: skip

    assert ledger == {
        "deal": 1, "dealer": 0, "ended": "out", "out_seat": 1,
        "scores": {"A": -20 - 20, "B": 32 + 25 - 31},
        "hands": [["8C", "KD", "2H"], [], ["7C", "QD", "3H"], ["AC", "JD", "6S"]],
        "items": ledger["items"],
    }  # fmt: skip
    expected = [
        item(1, "melded", "4C 4D 4H 4S", 16, "R-27", 1),
        item(1, "doubled", "4C 4D 4H 4S", 16, "R-31", 1),
        item(1, "went_out", "", 25, "R-29"),
        item(0, "in_hand", "8C KD 2H", -20, "R-28"),
        item(2, "in_hand", "7C QD 3H", -20, "R-28"),
        item(3, "in_hand", "AC JD 6S", -31, "R-28"),
    ]
    assert sorted(map(repr, ledger["items"])) == sorted(map(repr, expected))
    score = await table.get("/score")
    assert score == {
        "deals": [ledger], "table_points": {"A": 0, "B": 32}, "totals": ledger["scores"]
    }  # fmt: skip


@pytest.mark.parametrize("seed", range(3))
async def test_a_whole_game_adds_up(http: httpx.AsyncClient, seed: int) -> None:
    chance = Random(f"history {seed}")
    table = await played_out(http, chance)
    view = await table.get()
    score = await table.get("/score")
    log = [one for page in await pages(table, "limit=50") for one in page]
    assert view["status"] == "finished"
    totals = {"A": 0, "B": 0}
    assert len(score["deals"]) == 2
    for ledger in score["deals"]:
        for team in "AB":
            own = [one for one in ledger["items"] if one["team"] == team]
            assert sum(one["points"] for one in own) == ledger["scores"][team]
            assert all("AB"[one["seat"] % 2] == team for one in own)
            totals[team] += ledger["scores"][team]
        in_hand = {one["seat"]: one["cards"] for one in ledger["items"] if one["kind"] == "in_hand"}
        for seat, hand in enumerate(ledger["hands"]):
            assert in_hand.get(seat, []) == hand
    assert view["totals"] == score["totals"] == totals
    assert [one["deal_ended"] for one in log if one["deal_ended"]] == score["deals"]
    assert [one["scores"] for one in view["deals"]] == [one["scores"] for one in score["deals"]]
    best = max("AB", key=lambda team: totals[team])
    level = totals["A"] == totals["B"]
    assert view["result"]["winner"] == (None if level else best)
    assert view["result"]["totals"] == totals
    assert all(one["drawn"] for one in log if one["action"] == {"type": "draw_stock"})


# --- the record ---


async def test_no_record_before_the_end(http: httpx.AsyncClient) -> None:
    table = await opened(http, opening(players=[{"name": "n"}] * 3 + [{"kind": "open"}]))
    for who in (None, 0, "organiser"):
        problem(await table.ask("GET", "/record", who), 409, "game_not_over")
    await table.sit("west")
    for who in (None, 0, "organiser"):
        problem(await table.ask("GET", "/record", who), 409, "game_not_over")


def again(record: Json) -> Game:
    """The game that a record tells, played again from nothing but the record."""
    packs = record["packs"] and tuple(
        bytes(card(code) for code in each) for each in record["packs"]
    )
    seeds = record["client_seeds"]
    names = [one["name"] for one in record["seats"]]
    game = play.open_game(
        play.Opening(
            players=(names[0], names[1], names[2], names[3]),
            preset=record["ruleset"]["preset"],
            options=record["ruleset"]["options"],
            dealer=record["dealer"],
            secret=record["secret"] and bytes.fromhex(record["secret"]),
            packs=packs,
        )
    )
    assert seeds == [""] * 4
    for one in record["log"]:
        if one["event"] == "forfeit":
            step: Any = play.Forfeit(team_of(one["seat"]))
        else:
            step = read_action(written(one["action"]))
        game = play.advance(game, one["seat"], step)
    return game


def written(action: Json) -> str:
    cards = action.get("cards") or [action["card"]] if action.keys() & {"cards", "card"} else []
    on = ["on", str(action["meld"])] if "meld" in action else []
    return " ".join([action["type"], *cards, *on])


async def test_a_record_is_the_whole_game(http: httpx.AsyncClient) -> None:
    table = await played_out(http, Random("record"))
    record = await table.get("/record")
    for who in (0, 3, "organiser"):
        assert await table.get("/record", who) == record
    view = await table.get()
    game = again(record)
    assert game.totals == (view["totals"]["A"], view["totals"]["B"])
    assert game.ply == view["ply"] == len(record["log"])
    assert record["game"] == table.game
    assert record["format"] == "persian-rummy-record/1"
    assert (record["chance"], record["commitment"], record["secret"]) == ("given", None, None)
    assert record["result"] == view["result"]
    assert record["deals"] == (await table.get("/score"))["deals"]
    assert record["log"] == [one for page in await pages(table, "limit=99") for one in page]
    assert [one["team"] for one in record["seats"]] == ["A", "B", "A", "B"]


async def test_a_record_of_a_secret_game_can_be_checked(http: httpx.AsyncClient) -> None:
    table = await opened(http, {"players": NAMED, "secret": SECRET})
    view = await table.get(who=1)
    commitment = view["commitment"]
    drawn = (await table.play(1, "draw_stock"))["log"][0]["drawn"]
    await table.play(1, f"discard {drawn}")
    await table.ask("POST", "/forfeit", 2, {})
    record = await table.get("/record")
    assert record["commitment"] == commitment
    assert record["secret"] == SECRET
    assert record["packs"] is None
    game = again(record)
    assert game.result is not None
    assert game.result.winner == "B"
    assert record["log"][0]["drawn"] == drawn


async def test_the_record_tells_seeds_and_the_draw(http: httpx.AsyncClient) -> None:
    players = [*NAMED[:3], {"kind": "open"}]
    body = {"players": players, "team_formation": "draw", "secret": SECRET}
    table = await opened(http, body)
    seat = (await table.sit("guest", client_seed="00ff")).json()["seat"]
    await table.ask("POST", "/forfeit", "organiser", {"team": "B"})
    record = await table.get("/record")
    assert record["team_formation"] == "draw"
    assert record["draw"] == table.first_view["draw"]
    assert record["client_seeds"][seat] == "00ff"
    assert record["client_seeds"].count("") == 3
    assert record["seats"][seat]["name"] == "guest"
    assert [one["event"] for one in record["log"]] == ["seat_taken", "forfeit"]
    assert [one["deal"] for one in record["log"]] == [0, 1]
    assert record["log"][1]["seat"] == 1


async def test_a_low_ace_comes_first_in_the_ledger(http: httpx.AsyncClient) -> None:
    position = {
        "deal": 1, "dealer": 3, "turn": 0, "phase": "play", "must_use": None, "passes": 0,
        "partial": True, "hands": [["AS", "2S", "3S", "KS"], ["KC"], ["4C"], ["AC"]], "stock": [],
        "pile": ["5C"], "melds": [], "totals": {"A": 0, "B": 0},
    }  # fmt: skip
    actions = [json_of("meld 2S AS 3S"), json_of("discard KS")]
    body = {"ruleset": {"preset": "partnership-500"}, "position": position, "actions": actions}
    told = (await http.post("/v1/validate", json=body)).json()
    assert told["deal_ended"]["items"][0]["cards"] == ["AS", "2S", "3S"]
