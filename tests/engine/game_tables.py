"""Games for the tests: opened with a fixed secret, and deals closed as a test wants them."""

from typing import Any

from msgspec.structs import replace

from engine.cards import Seat
from engine.game import Game, Opening, advance, open_game
from engine.notation import action
from tests.engine.tables import position

SECRET = bytes(range(32))
NAMES = ("north", "east", "south", "west")


def opened(**changes: Any) -> Game:
    """A game of four named players, but for what is said otherwise."""
    return open_game(Opening(**{"players": NAMES, "secret": SECRET} | changes))


def closed(game: Game, totals: tuple[int, int], *, out: int | None = None) -> Game:
    """The game after its deal has ended in nothing for anybody, the totals being these."""
    assert game.state is not None
    state = game.state
    wanted: dict[str, Any] = {"ruleset": state.ruleset, "deal": state.deal, "dealer": state.dealer}
    if out is None:
        last = position(**wanted, pile="6D", passes=3, turn=0)
        line = "pass"
    else:
        hands = [""] * 4
        hands[out] = "2C 2D 2H"
        last = position(**wanted, hands=hands, phase="play", turn=out)
        line = "meld 2C 2D 2H"
    before = replace(game, state=last, totals=totals)
    return advance(before, Seat(out or 0), action(line))
