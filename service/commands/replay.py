"""A game played again from the log that somebody tells, as far as it can be."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from engine.game import Entry, Forfeit, Game, Opening, SeatTaken, advance, open_game
from engine.rulebook import MEANINGS, Violation
from engine.rules import violation


class Told(NamedTuple):
    """A game as a record or a transcript tells it."""

    opening: Opening
    entries: tuple[Entry, ...]


class Unplayable(Exception):  # noqa: N818 - a verdict on what was told
    """The entry that led to `ply` cannot be played; `violation` is the rule that it breaks."""

    def __init__(self, ply: int, detail: str, violation: Violation | None) -> None:
        super().__init__(f"ply {ply} cannot be played: {detail}")
        self.ply = ply
        self.detail = detail
        self.violation = violation


class Played(NamedTuple):
    """An entry, and the game before and after it."""

    before: Game
    entry: Entry
    after: Game


def replay(opening: Opening, entries: Iterable[Entry]) -> Iterator[Played]:
    """The game, entry by entry. Raises Unplayable at the first that cannot be played."""
    game = open_game(opening)
    for one in entries:
        if refused := _refused(game, one):
            raise Unplayable(game.ply + 1, *refused)
        before, game = game, advance(game, one.seat, one.step)
        yield Played(before, one, game)


def _refused(game: Game, one: Entry) -> tuple[str, Violation | None] | None:
    if isinstance(one.step, SeatTaken):
        return None if one.seat in game.open_seats else ("this seat is not open", None)
    if game.state is None:
        return "nothing has been dealt", None
    if isinstance(one.step, Forfeit):
        broken = Violation.GAME_OVER if game.result else None
    else:
        broken = violation(game.state, one.seat, one.step)
    return (MEANINGS[broken], broken) if broken else None
