"""The log is the game: folded over the opening it gives the game at any ply."""

from random import Random

import msgspec
import pytest

from engine.cards import Seat
from engine.game import Entry, Opening, SeatTaken, advance, entry, fold, open_game
from engine.notation import action
from engine.play import legal_actions
from tests.engine.game_tables import opened
from tests.engine.random_play import choose, tempers
from tests.engine.rulesets import CHOSEN, RULESETS


@pytest.mark.parametrize("name", RULESETS)
def test_folding_any_part_of_the_log_gives_the_game_at_that_ply(name: str) -> None:
    chance = Random(f"fold {name}")
    preset, options = CHOSEN[name]
    opening = Opening(
        preset=preset,
        options=options,
        players=("north", None, "south", "west"),
        secret=chance.randbytes(32),
    )
    game = open_game(opening)
    log, games = [Entry(0, Seat(1), SeatTaken("east", "0a"))], [game]
    game = fold(opening, log)
    seats = tempers(chance)
    while game.result is None and game.ply < 300:
        games.append(game)
        assert game.state is not None
        chosen = choose(legal_actions(game.state), seats[game.state.turn], chance)
        log.append(entry(game, game.state.turn, chosen, game.ply))
        game = advance(game, game.state.turn, chosen)
    games.append(game)
    stored = msgspec.msgpack.decode(msgspec.msgpack.encode(log), type=list[Entry])
    assert stored == log
    for ply in {0, 1, *(chance.randrange(len(games)) for _ in range(5)), len(log)}:
        assert fold(opening, stored[:ply]) == games[ply]
        assert games[ply].ply == ply
    assert msgspec.msgpack.decode(msgspec.msgpack.encode(opening), type=Opening) == opening


def test_a_draw_from_the_stock_is_remembered_with_its_card() -> None:
    game = opened()
    assert game.state is not None
    first = entry(game, game.state.turn, action("draw_stock"), 17)
    assert (first.at, first.seat, first.drawn) == (17, 1, game.state.stock[0])
    assert entry(game, game.state.turn, action("discard 2C"), 17).drawn is None
