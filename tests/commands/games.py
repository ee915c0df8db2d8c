"""Games for the commands to read: played on the engine alone, and written down in each form."""

from functools import cache
from random import Random
from typing import Any

import msgspec

from engine import transcript
from engine.game import Entry, Game, Opening, advance, entry, open_game
from engine.simulation import Plan, opening
from engine.strategies import STRATEGIES
from engine.view import Viewer, view
from service.wording import records

Json = dict[str, Any]

# Whatever is thrown may be taken up again, so a deal goes on for long.
LONG = {"top_discard": "free", "hand_size": 3, "game_end": {"deals": 50}}


def played(
    number: int = 0, strategy: str = "greedy", **options: object
) -> tuple[Game, list[Entry]]:
    """Game `number` between four of a strategy, and its log."""
    plan = Plan(options=options, strategies=(strategy,) * 4, seed="commands")
    return on(opening(plan, number), strategy, number)


def on(start: Opening, strategy: str = "greedy", number: int = 0) -> tuple[Game, list[Entry]]:
    """A game from this opening to its end, and its log."""
    game, log, chance = open_game(start), list[Entry](), Random(number)
    while game.result is None:
        assert game.state is not None
        seat = game.state.turn
        step = STRATEGIES[strategy](view(game, Viewer("seat", seat)), chance)
        log.append(entry(game, seat, step, at=1_700_000_000_000 + len(log)))
        game = advance(game, seat, step)
    return game, log


@cache
def record(number: int = 0) -> bytes:
    """The record of a game, in a line."""
    return recorded(*played(number))


def recorded(game: Game, log: list[Entry]) -> bytes:
    return msgspec.json.encode(records.to_wire(f"{'game':a<12}{len(log):08d}", game, log))


def text_of(number: int = 0) -> str:
    """The same game as a transcript."""
    game, log = played(number)
    return transcript.written(game.opening, log)


def changed(number: int = 0) -> Json:
    """The same game, to be changed."""
    told: Json = msgspec.json.decode(record(number))
    return told


def first_meld(told: Json) -> int:
    """The ply of the first meld."""
    return next(
        one["ply"] for one in told["log"] if one["action"] and one["action"]["type"] == "meld"
    )


def with_a_bad_meld(number: int = 0) -> tuple[bytes, int]:
    """A game in which cards are melded that go together in no way, and the ply of that."""
    told = changed(number)
    ply = first_meld(told)
    del told["log"][ply - 1]["action"]["cards"][0]
    told["log"][ply - 1]["action"]["cards"] = told["log"][ply - 1]["action"]["cards"][:2]
    return msgspec.json.encode(told), ply
