"""Lines of play to store: real games, played at random from a number."""

from functools import lru_cache
from itertools import count
from random import Random

from engine.cards import SEATS, Seat
from engine.game import Entry, Game, Opening, SeatTaken, Step, advance, entry, open_game
from engine.play import legal_actions
from engine.strategies import choose_any

NEW_YEAR_2026 = 1_767_225_600_000
SECOND = 1000

ORGANISER, EAST = b"o" * 32, b"e" * 32


def opened() -> Game:
    """A game that waits for four players."""
    return open_game(Opening(players=(None, None, None, None), secret=bytes(range(32))))


@lru_cache
def line(number: int = 1) -> tuple[tuple[Entry, Game], ...]:
    """A whole game from `opened`: each entry with the game it leads to."""
    chance, game = Random(number), opened()
    played: list[tuple[Entry, Game]] = []
    for seat in SEATS:
        game = _play(game, seat, SeatTaken("NESW"[seat], "c0ffee"), played)
    while game.state and not game.result:
        action = choose_any(legal_actions(game.state), chance)
        game = _play(game, game.state.turn, action, played)
    return tuple(played)


@lru_cache
def long_line(plies: int) -> tuple[tuple[Entry, Game], ...]:
    """The first of the lines that has so many plies or more."""
    return next(played for played in map(line, count(1)) if len(played) >= plies)


def _play(game: Game, seat: Seat, step: Step, played: list[tuple[Entry, Game]]) -> Game:
    made = entry(game, seat, step, NEW_YEAR_2026 + game.ply * SECOND)
    after = advance(game, seat, step)
    played.append((made, after))
    return after


def entries(first: int, last: int) -> list[Entry]:
    """The entries that lead to the plies `first` to `last`."""
    return [made for made, _ in line()[first - 1 : last]]


def game_at(ply: int) -> Game:
    """The game at a ply."""
    return line()[ply - 1][1] if ply else opened()
