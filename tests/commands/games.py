"""Games for the commands to read: played on the engine alone, and written down in each form."""

from collections.abc import Sequence
from functools import cache
from random import Random
from typing import Any

import msgspec

from engine.cards import Seat, card
from engine.game import Entry, Game, Opening, Step, advance, entry, open_game
from engine.notation import action
from engine.records import transcript
from engine.simulation import Plan, opening
from engine.strategies import STRATEGIES
from engine.view import Viewer, view
from service.wording import records
from tests.service.tables import NAMES, pack

Json = dict[str, Any]

# Whatever is thrown may be taken up again, so a deal goes on for long.
LONG = {"top_discard": "free", "hand_size": 3, "game_end": {"deals": 50}}


def played(
    number: int = 0, strategy: str = "greedy", **options: object
) -> tuple[Game, list[Entry]]:
    """Game `number` between four of a strategy, and its log."""
    plan = Plan(options=options, strategies=(strategy,) * 4, seed="commands")
    return on(opening(plan, number), strategy, number)


def on(
    start: Opening,
    strategy: str = "greedy",
    number: int = 0,
    first: Sequence[tuple[int, Step]] = (),
) -> tuple[Game, list[Entry]]:
    """A game from this opening to its end, with these steps of these seats first, and its log."""
    game, log, chance, given = open_game(start), list[Entry](), Random(number), iter(first)
    while game.result is None:
        seat, step = next(given, None) or _chosen(game, strategy, chance)
        log.append(entry(game, Seat(seat), step, at=1_700_000_000_000 + len(log)))
        game = advance(game, Seat(seat), step)
    return game, log


def _chosen(game: Game, strategy: str, chance: Random) -> tuple[int, Step]:
    assert game.state is not None
    seat = game.state.turn
    return seat, STRATEGIES[strategy](view(game, Viewer("seat", seat)), chance)


def by_hand(*lines: str, **options: object) -> tuple[Game, list[Entry]]:
    """A game of one deal by the pack of `tables`, its first actions written with their seats."""
    given = [line.partition(" ") for line in lines]
    chosen = {"hand_size": 3, "game_end": {"deals": 1}, **options}
    dealt = (bytes(map(card, pack())),)
    start = Opening(options=chosen, players=NAMES, packs=dealt, given=True)
    return on(start, first=[(int(seat), action(written)) for seat, _, written in given])


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
    melds = (one for one in told["log"] if one["action"] and one["action"]["type"] == "meld")
    return int(next(melds)["ply"])


def with_a_bad_meld(number: int = 0) -> tuple[bytes, int]:
    """A game in which cards are melded that go together in no way, and the ply of that."""
    told = changed(number)
    ply = first_meld(told)
    del told["log"][ply - 1]["action"]["cards"][0]
    told["log"][ply - 1]["action"]["cards"] = told["log"][ply - 1]["action"]["cards"][:2]
    return msgspec.json.encode(told), ply
