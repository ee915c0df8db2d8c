"""Entries of the log, as their viewer may know them."""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime

from engine.game import Entry, Forfeit, Game, SeatTaken, Step
from engine.view import SeenEntry, Viewer, chained, hashes, seen_entry
from service.domain.moves import Played
from service.wire import entry as wire
from service.wire.move import MoveAnswer
from service.wire.words import GameEvent
from service.wording import ledgers, views
from service.wording.actions import to_wire as action_to_wire
from service.wording.cards import code


def show_log(
    game: Game, viewer: Viewer, log: Sequence[Entry], after: int = 0
) -> tuple[wire.Entry, ...]:
    """A log as the game tells it now, from the ply `after` on; it is read from the first entry."""
    hashed = tuple(hashes(game, log))
    return _shown(game, viewer, after + 1, log[after:], hashed[after:])


def _shown(
    game: Game,
    viewer: Viewer,
    first_ply: int,
    entries: Sequence[Entry],
    hashed: Iterable[bytes],
) -> tuple[wire.Entry, ...]:
    return tuple(
        to_wire(seen_entry(game, viewer, ply, entry), digest)
        for ply, (entry, digest) in enumerate(zip(entries, hashed, strict=True), start=first_ply)
    )


def move_answer(game_id: str, played: Played, viewer: Viewer) -> MoveAnswer:
    """The game after a move, and the entries that the move left, at that ply."""
    game, first_ply = played.game, played.before.ply + 1
    hashed = chained(game, played.before.hash, first_ply, played.entries)
    return MoveAnswer(
        game=views.show(game_id, game, viewer),
        log=_shown(game, viewer, first_ply, played.entries, hashed),
    )


def to_wire(seen: SeenEntry, digest: bytes) -> wire.Entry:
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
        hash=digest.hex(),
    )


def _event(step: Step) -> GameEvent | None:
    match step:
        case SeatTaken():
            return "seat_taken"
        case Forfeit():
            return "forfeit"
        case _:
            return None
