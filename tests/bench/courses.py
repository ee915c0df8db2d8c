"""Games for the benchmarks, the same in every run: played at random from fixed secrets."""

from random import Random
from typing import NamedTuple

from engine.actions import Action
from engine.cards import Seat
from engine.game import Entry, Game, Opening, advance, entry, open_game
from engine.play import legal_actions

NAMES = ("north", "east", "south", "west")


class Course(NamedTuple):
    """A game from its opening to its end: every ply as it stood before each of the entries."""

    secret: bytes
    plies: list[Game]
    steps: list[tuple[Seat, Action]]
    log: list[Entry]
    end: Game


def course(seed: int) -> Course:
    """The game of this seed: Persian Rummy in two deals, every legal action as likely as others."""
    chance = Random(f"course {seed}")
    secret = chance.randbytes(32)
    game = open_game(Opening(players=NAMES, secret=secret, given=True))
    told = Course(secret, [], [], [], game)
    while game.result is None:
        assert game.state is not None
        seat, action = game.state.turn, chance.choice(legal_actions(game.state))
        told.plies.append(game)
        told.steps.append((seat, action))
        told.log.append(entry(game, seat, action, at=0))
        game = advance(game, seat, action)
    return told._replace(end=game)
