"""Entries of the log, as their viewer may know them."""

from collections.abc import Sequence
from datetime import UTC, datetime

from engine.game import Entry, Forfeit, Game, SeatTaken, Step
from engine.view import SeenEntry, Viewer, seen_entry
from service.domain.moves import Played
from service.wire import entry as wire
from service.wire.move import MoveAnswer
from service.wire.words import GameEvent
from service.wording import ledgers, views
from service.wording.actions import to_wire as action_to_wire
from service.wording.cards import code


def show(
    game: Game, viewer: Viewer, first_ply: int, entries: Sequence[Entry]
) -> tuple[wire.Entry, ...]:
    """Entries in a row, the first of which led to `first_ply`, as the game tells them now."""
    return tuple(
        to_wire(seen_entry(game, viewer, ply, entry))
        for ply, entry in enumerate(entries, start=first_ply)
    )


def move_answer(game_id: str, played: Played, viewer: Viewer) -> MoveAnswer:
    """The game after a move, and the entries that the move left, at that ply."""
    return MoveAnswer(
        game=views.show(game_id, played.game, viewer),
        log=show(played.game, viewer, played.first_ply, played.entries),
    )


def to_wire(seen: SeenEntry) -> wire.Entry:
    """One entry."""
    step = seen.step
    return wire.Entry(
        ply=seen.ply,
        deal=seen.deal,
        seat=seen.seat,
        action=None if isinstance(step, SeatTaken | Forfeit) else action_to_wire(step),
        event=_event(step),
        drawn=code(seen.drawn),
        deal_ended=ledgers.to_wire(seen.ledger) if seen.ledger else None,
        at=datetime.fromtimestamp(seen.at / 1000, UTC),
    )


def _event(step: Step) -> GameEvent | None:
    match step:
        case SeatTaken():
            return "seat_taken"
        case Forfeit():
            return "forfeit"
        case _:
            return None
