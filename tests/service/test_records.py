"""Whole records over HTTP: one verdict for a document, one a line for a stream."""

import json
from collections.abc import AsyncIterator
from functools import cache
from random import Random
from typing import Any

import httpx
import msgspec
import pytest

from engine.game import Entry, Forfeit, Game, Opening, Step, advance, entry, open_game
from engine.play import legal_actions
from engine.strategies import choose_any
from service.http.ndjson import LONGEST_LINE, lines_of
from service.wording import records
from tests.service.tables import Json, opened, opening, pack, problem

# What is answered here comes with the request, or is the same for everybody.
pytestmark = pytest.mark.one_store

PATH = "/v1/records/verify"
LINES = {"Content-Type": "application/x-ndjson"}
GAME = "a" * 20
LEVEL: Json = {"winner": None, "reason": "score", "totals": {"A": 1, "B": 1}}


def played(opening: Opening, seed: str, plies: int | None = None) -> tuple[Game, list[Entry]]:
    """A random game; after so many plies, if they are given, team B gives up."""
    game, log, chance = open_game(opening), list[Entry](), Random(seed)
    while game.result is None:
        assert game.state is not None
        step: Step = choose_any(legal_actions(game.state), chance)
        if game.ply == plies:
            step = Forfeit("B")
        seat = game.state.turn
        log.append(entry(game, seat, step, at=1000 * len(log)))
        game = advance(game, seat, step)
    return game, log


@cache
def text(seed: str = "record") -> bytes:
    """The record of a game, as it is handed out."""
    names = ("n", "e", "s", "w")
    game, log = played(Opening(players=names, secret=Random(seed).randbytes(32)), seed)
    return msgspec.json.encode(records.to_wire(GAME, game, log))


def changed(**members: Any) -> Json:
    return json.loads(text()) | members


def with_entry(at: int, **members: Any) -> Json:
    told = json.loads(text())
    told["log"][at] |= members
    return told


async def verdict(http: httpx.AsyncClient, record: Json) -> Json:
    answer = await http.post(PATH, json=record)
    assert answer.status_code == 200, answer.text
    told: Json = answer.json()
    return told


async def verdicts(http: httpx.AsyncClient, *lines: bytes) -> list[Json]:
    answer = await http.post(PATH, content=b"\n".join(lines), headers=LINES)
    assert answer.status_code == 200
    assert answer.headers["Content-Type"] == "application/x-ndjson"
    return [json.loads(line) for line in answer.text.splitlines()]


async def test_the_record_of_a_game_played_here_is_right(http: httpx.AsyncClient) -> None:
    table = await opened(http, opening(pack(stock="4C TH")))
    await table.play(1, "draw_stock")
    await table.play(1, "meld 4S 4D 4H 4C")
    assert await verdict(http, await table.get("/record")) == {
        "game": table.game,
        "status": "right",
        "first_wrong_ply": None,
        "findings": [],
        "is_all": True,
    }


async def test_the_first_wrong_ply_is_named_and_what_no_longer_follows(
    http: httpx.AsyncClient,
) -> None:
    told = await verdict(http, with_entry(1, action={"type": "draw_stock"}))
    assert (told["status"], told["first_wrong_ply"]) == ("wrong", 2)
    first, *rest = told["findings"]
    assert (first["pointer"], first["violation"]) == ("/log/1/action", "already_drawn")
    assert first["rules"] == ["R-14", "G-39"]
    assert {"/log/2", "/deals/0", "/result"} <= {found["pointer"] for found in rest}


async def test_an_error_in_the_last_ply_is_found(http: httpx.AsyncClient) -> None:
    last = len(json.loads(text())["log"])
    told = await verdict(http, with_entry(last - 1, action={"type": "draw_discard", "card": "2C"}))
    assert told["first_wrong_ply"] == last


@pytest.mark.parametrize(
    ("record", "pointer"),
    [
        (changed(commitment="0" * 64), "/commitment"),
        (changed(result=LEVEL), "/result/totals"),
        (with_entry(0, hash="0" * 64), "/log/0/hash"),
        (with_entry(0, drawn="2C"), "/log/0/drawn"),
        (changed(client_seeds=["00", "", "", ""]), "/client_seeds/0"),
    ],
    ids=["commitment", "result", "hash", "drawn", "seed"],
)
async def test_what_does_not_follow_is_named(
    http: httpx.AsyncClient, record: Json, pointer: str
) -> None:
    told = await verdict(http, record)
    assert told["status"] == "wrong"
    assert pointer in [found["pointer"] for found in told["findings"]]


async def test_members_that_repeat_each_other_wrongly_are_named(http: httpx.AsyncClient) -> None:
    record = json.loads(text())
    record["seats"][0]["team"] = "B"
    record["deals"][0]["items"][0]["rule"] = "R-99"
    pointers = [found["pointer"] for found in (await verdict(http, record))["findings"]]
    assert {"/seats/0/team", "/deals/0/items/0/rule"} <= set(pointers)


async def test_a_ruleset_that_is_none_contradicts(http: httpx.AsyncClient) -> None:
    record = changed(ruleset={"preset": "persian", "options": {"jokers": 3}})
    told = problem(await http.post(PATH, json=record), 422, "contradiction")
    assert told["errors"][0]["pointer"] == "/ruleset/options/jokers"


@pytest.mark.parametrize("member", ["format", "rules_version"])
async def test_a_record_of_another_version_is_malformed(
    http: httpx.AsyncClient, member: str
) -> None:
    told = problem(await http.post(PATH, json=changed(**{member: "2"})), 400, "malformed")
    assert told["errors"][0]["pointer"] == f"/{member}"


async def test_an_entry_that_is_nothing_is_malformed(http: httpx.AsyncClient) -> None:
    record = with_entry(0, action=None, event=None)
    problem(await http.post(PATH, json=record), 400, "malformed")


async def test_good_records_beside_bad_lines_are_judged_in_order(http: httpx.AsyncClient) -> None:
    told = await verdicts(
        http, text("a"), b'{"format": "persi', b"", b"\xff\xfe", b"[" * 5000, b"7", text("b")
    )
    assert [(one["line"], one["status"]) for one in told] == [
        (1, "right"),
        (2, "unusable"),
        (4, "unusable"),
        (5, "unusable"),
        (6, "unusable"),
        (7, "right"),
    ]
    assert all(one["findings"] for one in told[1:-1])


async def test_a_stream_may_end_without_a_line_break(http: httpx.AsyncClient) -> None:
    assert [one["status"] for one in await verdicts(http, text())] == ["right"]
    assert await verdicts(http, b"\n\n") == []


async def test_a_line_that_is_too_long_is_skipped(http: httpx.AsyncClient) -> None:
    told = await verdicts(http, b"x" * (LONGEST_LINE + 1), text())
    assert [one["status"] for one in told] == ["unusable", "right"]


async def test_ten_thousand_wrong_lines_get_ten_thousand_verdicts(http: httpx.AsyncClient) -> None:
    told = await verdicts(http, *[b"{}"] * 10_000)
    assert [one["line"] for one in told] == list(range(1, 10_001))


async def test_a_document_that_is_too_long_is_refused(http: httpx.AsyncClient) -> None:
    long = {"Content-Type": "application/json"}
    answer = await http.post(PATH, content=b" " * (LONGEST_LINE + 1), headers=long)
    problem(answer, 413, "too_large")


@pytest.mark.parametrize("media", ["text/plain", "application/ndjson", ""])
async def test_another_media_type_is_refused(http: httpx.AsyncClient, media: str) -> None:
    answer = await http.post(PATH, content=text(), headers={"Content-Type": media})
    problem(answer, 415, "unsupported_media_type")


@pytest.mark.parametrize("size", [1, 2, 3, 7, 100])
async def test_lines_do_not_hang_on_how_they_come(size: int) -> None:
    sent = b"one\ntwo\n\nthree"

    async def chunks() -> AsyncIterator[bytes]:
        for at in range(0, len(sent), size):
            yield sent[at : at + size]

    found = [line async for lines in lines_of(chunks()) for line in lines]
    assert found == [b"one", b"two", b"", b"three"]
