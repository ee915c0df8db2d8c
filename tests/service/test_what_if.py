"""What if: any position of a game, handed to `/v1/validate`, is judged as the game judged it."""

from itertools import pairwise
from random import Random
from typing import Any, Final, get_args

import httpx
import pytest

from engine import game as play
from engine.actions import Action, DrawDiscard, DrawStock, LayOff, Meld, Pass
from engine.cards import CODES, Seat
from engine.play import legal_actions
from engine.ruleset import resolve
from tests.engine.random_play import EAGER, Temper, choose, shuffled
from tests.service.positions import dealt, judged
from tests.service.tables import NAMES, Json, Table, json_of, opened, opening
from tests.store.servers import Server

# The engine judges here, and no game is kept.
pytestmark = pytest.mark.one_store

Steps = list[tuple[Seat, Action]]

GAMES: Final[dict[str, tuple[Json, Temper]]] = {
    "persian 57": ({"hand_size": 5}, EAGER),
    "other options 26": (
        {
            "hand_size": 6,
            "game_end": {"deals": 1},
            "top_discard": "free",
            "quad_bonus": "same_turn",
            "ace_in_runs": "high_or_low",
            "stock_out": "first_pass",
            "jokers": 0,
        },
        {Meld: 2, LayOff: 3, DrawDiscard: 0.5, Pass: 0.3},
    ),
}
"""Options of a game, and the temper of those who play it, by the seed of chance."""


class Course:
    """A random game: what was legal at each ply, and what was done."""

    def __init__(self, name: str) -> None:
        self.options, temper = GAMES[name]
        chance = Random(f"what if {name}")
        ruleset = resolve("persian", self.options)
        assert ruleset.game_end.deals is not None
        self._packs = tuple(shuffled(ruleset, chance) for _ in range(ruleset.game_end.deals))
        told = play.Opening(players=NAMES, options=self.options, packs=self._packs, given=True)
        game = play.open_game(told)
        self.legal: list[list[Json]] = []
        self.steps: Steps = []
        while game.result is None:
            assert game.state is not None
            legal = legal_actions(game.state)
            self.legal.append([json_of(action) for action in legal])
            self.steps.append((game.state.turn, choose(legal, temper, chance)))
            game = play.advance(game, *self.steps[-1])
        self.deal_ends = game.deal_ends
        assert {type(action) for _, action in self.steps} == set(get_args(Action))

    async def played(self, http: httpx.AsyncClient, plies: int, **members: Any) -> Table:
        """The game over HTTP, as far as this ply."""
        packs = [[CODES[card] for card in pack] for pack in self._packs]
        table = await opened(http, opening(*packs, options=self.options, **members))
        for seat, action in self.steps[:plies]:
            await table.play(seat, action)
        return table


@pytest.mark.parametrize("name", GAMES)
async def test_while_the_game_goes_on(http: httpx.AsyncClient, name: str) -> None:
    """Every viewer's position of every ply is no contradiction, and nothing false is said of it."""
    course = Course(name)
    table = await course.played(http, -1, organiser_sees_all=True)
    for ply, (turn, _) in enumerate(course.steps):
        legal = course.legal[ply]
        for who in (turn, (turn + 1) % 4, None, "organiser"):
            told = await table.get(f"/position?at={ply}", who)
            assert isinstance(told["stock"], int)
            found = await judged(http, told, options=course.options)
            assert found["position"] == told
            assert found["legal"] is True
            if who in (turn, "organiser"):
                assert (found["legal_actions"], found["unknown"]) == (legal, False)
            else:
                assert all(action in legal for action in found["legal_actions"])
                assert found["unknown"] or found["legal_actions"] == legal


@pytest.mark.parametrize("name", GAMES)
async def test_what_a_seat_did_is_legal_in_its_own_view(http: httpx.AsyncClient, name: str) -> None:
    course = Course(name)
    table = await course.played(http, -1)
    for ply, (seat, action) in enumerate(course.steps[:-1]):
        before = await table.get(f"/position?at={ply}", seat)
        after = await table.get(f"/position?at={ply + 1}", seat)
        found = await judged(http, before, action, options=course.options, seat=seat)
        assert found["legal"] is True
        if ply + 1 in course.deal_ends:
            # The next deal has begun; what this one was worth hangs on hands that are not seen.
            assert (found["unknown"], found["deal_ended"]) == (True, None)
            assert found["position"]["phase"] == "over"
            continue
        if isinstance(action, DrawStock):
            assert found["unknown"] is True
            (drawn,) = {*after["hands"][seat]} - {*before["hands"][seat]}
            after["hands"][seat].remove(drawn)
            after["hands"][seat].append("??")
        assert found["position"] == after


@pytest.mark.parametrize("name", GAMES)
async def test_once_the_game_is_over(http: httpx.AsyncClient, name: str) -> None:
    """Then everything is there, and each position leads to the next by what was done."""
    course = Course(name)
    table = await course.played(http, len(course.steps))
    told = [await table.get(f"/position?at={ply}") for ply in range(len(course.steps) + 1)]
    ledgers = (await table.get("/score"))["deals"]
    for ply, (before, after) in enumerate(pairwise(told)):
        seat, action = course.steps[ply]
        found = await judged(http, before, action, options=course.options, seat=seat)
        assert (found["legal"], found["unknown"]) == (True, False)
        if ply + 1 in course.deal_ends:
            assert found["deal_ended"] == ledgers[before["deal"] - 1]
            assert found["position"]["totals"] == after["totals"]
            assert found["position"]["phase"] == "over"
        else:
            assert (found["position"], found["deal_ended"]) == (after, None)
        if after["turn"] is not None:
            found = await judged(http, after, options=course.options)
            assert found["legal_actions"] == course.legal[ply + 1]
    assert (told[-1]["phase"], told[-1]["turn"]) == ("over", None)


async def test_nothing_is_stored(http: httpx.AsyncClient, server: Server) -> None:
    """Nothing but how much the caller has asked for, which lapses by itself."""
    for actions in ([], ["draw_stock", "discard 2C"], ["pass"]):
        await judged(http, dealt(), *actions)
    assert (await http.post("/v1/validate", json={})).status_code == 400
    body = {"position": dealt(passes=1), "actions": []}
    assert (await http.post("/v1/validate", json=body)).status_code == 422
    with server.client() as client:
        keys = [key.decode() for key in client.scan_iter()]
    assert all(key.endswith(":bucket") for key in keys), keys
