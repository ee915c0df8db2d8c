"""A move: judged on the game as it was loaded, kept only if the game still stands there."""

from collections.abc import Sequence

from msgspec import Struct

from engine.actions import Action, LayOff, Meld
from engine.cards import Cards, Seat, Team, mask_of, team_of
from engine.game import Entry, Forfeit, Game, Step, advance, continued, entry, fold
from engine.judging import judgement
from engine.judging.judgement import Judgement
from engine.judging.position import seen_position
from engine.rulebook import Violation
from engine.rules import violation
from engine.view import Viewer
from service.domain.clock import now
from service.domain.loading import fresh
from service.domain.refusals import (
    Illegal,
    NoSuchGame,
    NotStarted,
    OtherTeam,
    Stale,
    TeamNeeded,
    illegal,
)
from service.domain.tokens import GameId
from service.store import protocol
from service.store.protocol import Committed, Snapshot, Store


class Played(Struct, frozen=True):
    """A move that was played: the game before it and after it, and the move's entries."""

    before: Game
    game: Game
    entries: tuple[Entry, ...]


async def play(
    store: Store,
    game_id: GameId,
    snapshot: Snapshot,
    seat: Seat,
    actions: Sequence[Action],
    asked_ply: int | None,
) -> Played:
    """Play a move of one or more actions, all or nothing.

    `asked_ply` is the ply that the player decided at; a move that has been played there already is
    answered as it was the first time, and any other that comes late is Stale. Raises NotStarted,
    Illegal and NoSuchGame besides.
    """
    game = snapshot.game
    if asked_ply is not None and asked_ply != game.ply:
        return await _repeat(store, game_id, game, seat, actions, asked_ply)
    after, entries = judge(game, seat, actions, now())
    match await store.commit(game_id, game.ply, after, entries):
        case Committed():
            return Played(game, after, tuple(entries))
        case protocol.Stale(ply):
            if asked_ply is None:
                raise Stale(ply)
            return await _repeat(
                store, game_id, (await fresh(store, game_id)).game, seat, actions, asked_ply
            )
        case protocol.Missing():
            raise NoSuchGame


def judge(game: Game, seat: Seat, actions: Sequence[Action], at: int) -> tuple[Game, list[Entry]]:
    """The game after a seat's actions, and their entries. Raises NotStarted or Illegal."""
    if game.state is None:
        raise NotStarted
    turn_no, deal, ply = game.state.turn_no, game.state.deal, game.ply
    entries: list[Entry] = []
    for index, action in enumerate(actions):
        broken = _broken(game, seat, action, turn_no, deal)
        if broken:
            raise illegal(game, seat, action, broken, ply, index)
        entries.append(entry(game, seat, action, at))
        game = advance(game, seat, action)
    return game, entries


def _broken(game: Game, seat: Seat, action: Action, turn_no: int, deal: int) -> Violation | None:
    """A move is of one turn: what follows its end is out of turn, whoever leads the next deal."""
    state = game.state
    assert state is not None
    if (state.turn_no, state.deal) != (turn_no, deal):
        return Violation.NOT_YOUR_TURN
    return violation(state, seat, action)


def dry_run(game: Game, seat: Seat, actions: Sequence[Action], asked_ply: int | None) -> Judgement:
    """The verdict on a move that is not played, from what its seat may know.

    Raises what `play` raises, Stale for any other ply than the game's.
    """
    if asked_ply is not None and asked_ply != game.ply:
        raise Stale(game.ply)
    judge(game, seat, actions, at=0)
    assert game.state is not None
    position = seen_position(game, Viewer("seat", seat))
    return judgement.judge(position, game.state.ruleset, actions, seat)


async def _repeat(
    store: Store,
    game_id: GameId,
    game: Game,
    seat: Seat,
    actions: Sequence[Action],
    asked_ply: int,
) -> Played:
    """The answer to a move that was played before at this ply; Stale where it was another."""
    last = asked_ply + len(actions)
    if last > game.ply:
        raise Stale(game.ply)
    log = await store.log(game_id, limit=last)
    entries = log[asked_ply:]
    if not _are_the_same(entries, seat, actions):
        raise Stale(game.ply)
    await store.confirm(game_id)
    before = fold(game.opening, log[:asked_ply])
    after = continued(before, entries)
    return Played(before, after, tuple(entries))


def _are_the_same(entries: Sequence[Entry], seat: Seat, actions: Sequence[Action]) -> bool:
    return len(entries) == len(actions) and all(
        one.seat == seat and _meaning(one.step) == _meaning(action)
        for one, action in zip(entries, actions, strict=True)
    )


def _meaning(step: Step) -> Step | tuple[Cards, int | None]:
    """A step with its cards as a set."""
    match step:
        case Meld(cards):
            return mask_of(cards), None
        case LayOff(cards, meld):
            return mask_of(cards), meld
        case _:
            return step


async def forfeit(
    store: Store, game_id: GameId, snapshot: Snapshot, seat: Seat | None, team: Team | None
) -> Played:
    """Give a game up: a seat for its own team, or with no seat the organiser for the one named.

    Raises NotStarted, Illegal once the game is over, OtherTeam and TeamNeeded.
    """
    own = team if seat is None else team_of(seat)
    if seat is not None and team not in (None, own):
        raise OtherTeam
    game = snapshot.game
    while True:
        if game.status == "waiting":
            raise NotStarted
        if game.status == "finished":
            raise Illegal(Violation.GAME_OVER, game.ply)
        if own is None:
            raise TeamNeeded
        actor = Seat("AB".index(own)) if seat is None else seat
        step = Forfeit(own)
        after = advance(game, actor, step)
        entries = (entry(game, actor, step, now()),)
        if isinstance(await store.commit(game_id, game.ply, after, entries), Committed):
            return Played(game, after, entries)
        game = (await fresh(store, game_id)).game
