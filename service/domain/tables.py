"""Opening a game, sitting down at it, and calling it off while it waits."""

from collections.abc import Mapping

from msgspec import Struct

from engine.cards import SEATS, Seat
from engine.game import Game, Opening, SeatTaken, advance, entry, open_game
from engine.rulebook import Violation
from service.domain.clock import now
from service.domain.loading import fresh
from service.domain.refusals import Illegal, NoSuchGame, SeatNotOpen, Started, StrangersSeat
from service.domain.tokens import (
    INVITATION,
    ORGANISER,
    GameId,
    digest,
    new_game_id,
    new_token,
    seat_name,
)
from service.store.protocol import Committed, Missing, Snapshot, Store


class Opened(Struct, frozen=True):
    """A fresh game with its tokens; a seat that is open has none yet."""

    game_id: GameId
    game: Game
    organiser: str
    seats: tuple[str | None, ...]
    invitation: str | None


class Seated(Struct, frozen=True):
    """A seat that has been taken, and its token."""

    game: Game
    seat: Seat
    token: str


async def open_table(store: Store, opening: Opening) -> Opened:
    """Keep a new game; whoever opens it gets all the tokens there are."""
    game = open_game(opening)
    while True:
        opened = _with_tokens(game, new_game_id())
        if await store.open(opened.game_id, game, _digests(opened)) == "opened":
            return opened


def _with_tokens(game: Game, game_id: GameId) -> Opened:
    return Opened(
        game_id=game_id,
        game=game,
        organiser=new_token("organiser", game_id),
        seats=tuple(
            None if game.names[seat] is None else new_token("seat", game_id) for seat in SEATS
        ),
        invitation=(
            new_token("invitation", game_id) if game.opening.visibility == "private" else None
        ),
    )


def _digests(opened: Opened) -> Mapping[str, bytes]:
    tokens = {ORGANISER: opened.organiser, INVITATION: opened.invitation} | {
        seat_name(seat): opened.seats[seat] for seat in SEATS
    }
    return {name: digest(token) for name, token in tokens.items() if token is not None}


async def take_seat(
    store: Store,
    game_id: GameId,
    snapshot: Snapshot,
    seat: Seat | None,
    name: str,
    client_seed: str,
) -> Seated:
    """Sit down at this seat, or at the lowest open one; the last to come starts the game.

    A race lost is no news here: the table is looked at again. Raises SeatNotOpen, NoSuchGame.
    """
    token = new_token("seat", game_id)
    game = snapshot.game
    while True:
        chosen = _open_seat(game, seat)
        step = SeatTaken(name, client_seed)
        after = advance(game, chosen, step)
        entries = [entry(game, chosen, step, now())]
        tokens = {seat_name(chosen): digest(token)}
        if isinstance(await store.commit(game_id, game.ply, after, entries, tokens), Committed):
            return Seated(after, chosen, token)
        game = await fresh(store, game_id)


def _open_seat(game: Game, seat: Seat | None) -> Seat:
    if not game.open_seats or (seat is not None and seat not in game.open_seats):
        raise SeatNotOpen
    return game.open_seats[0] if seat is None else seat


async def call_off(store: Store, game_id: GameId, snapshot: Snapshot) -> None:
    """Forget a game that still waits for players. Raises Started, or Illegal once it is over."""
    game = snapshot.game
    while True:
        match game.status:
            case "playing":
                raise Started
            case "finished":
                raise Illegal(Violation.GAME_OVER, game.ply)
            case "waiting":
                gone = await store.delete(game_id, game.ply)
        if isinstance(gone, Committed | Missing):
            return
        game = await fresh(store, game_id)


async def replace_token(store: Store, game_id: GameId, game: Game, seat: Seat) -> str:
    """A new token for a seat that the opening named; the old one is dead. Raises StrangersSeat."""
    player = game.seats_of_players.index(seat)
    if game.opening.players[player] is None:
        raise StrangersSeat
    token = new_token("seat", game_id)
    if not await store.replace_token(game_id, seat_name(seat), digest(token)):
        raise NoSuchGame
    return token
