"""Opening a game, sitting down at it, and calling it off while it waits."""

from collections.abc import Mapping

from msgspec import Struct

from engine.cards import SEATS, Seat
from engine.game import Game, Opening, SeatTaken, advance, entry, fold, open_game
from engine.rulebook import Violation
from service.domain.clock import now
from service.domain.lists import Owner, enlist
from service.domain.loading import fresh
from service.domain.receipts import (
    LIFETIME,
    Keyed,
    Receipt,
    Reservation,
    field,
    new_salt,
    open_receipt,
    open_reservation,
    refuse_other_body,
    seal,
)
from service.domain.refusals import Illegal, NoSuchGame, SeatNotOpen, Started, StrangersSeat
from service.domain.tokens import (
    INVITATION,
    ORGANISER,
    GameId,
    RandomPart,
    derived_part,
    digest,
    new_game_id,
    new_token,
    random_part,
    seat_name,
)
from service.store.protocol import Committed, Listed, Missing, Snapshot, Store


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


async def open_table(
    store: Store, opening: Opening, owner: Owner | None = None, keyed: Keyed | None = None
) -> Opened:
    """Keep a new game; whoever opens it gets all the tokens there are.

    With an idempotency key, the same request again gets the same game and tokens. Raises
    TooManyOpen, OtherBody, and NoSuchGame where the game that the key opened is gone.
    """
    if keyed is not None:
        return await _open_once(store, opening, owner, keyed)
    game = open_game(opening)
    while True:
        listed = Listed(now(), new_game_id())
        await enlist(store, listed, opening, owner)
        opened = _with_tokens(game, GameId(listed.game_id), random_part)
        if await store.open(opened.game_id, game, _digests(opened)) == "opened":
            return opened


async def _open_once(store: Store, opening: Opening, owner: Owner | None, keyed: Keyed) -> Opened:
    """Open under the id that the key has reserved, unless another sending has done so."""
    reservation = await _reservation(store, keyed)
    refuse_other_body(reservation, keyed)
    part = derived_part(keyed.key, reservation.salt)
    game_id = reservation.game_id
    found = await store.load(game_id)
    if found is None:
        await enlist(store, Listed(reservation.at, game_id), opening, owner)
        opened = _with_tokens(open_game(opening), game_id, part)
        if await store.open(game_id, opened.game, _digests(opened), LIFETIME) == "opened":
            return opened
        found = await store.load(game_id)
    if found is None:
        raise NoSuchGame
    await store.confirm(game_id)
    return _with_tokens(open_game(found.game.opening), game_id, part)


async def _reservation(store: Store, keyed: Keyed) -> Reservation:
    mine = Reservation(keyed.body, new_salt(), new_game_id(), now())
    return open_reservation(await store.reserve(keyed.name, seal(mine), LIFETIME))


def _with_tokens(game: Game, game_id: GameId, part: RandomPart) -> Opened:
    is_private = game.opening.visibility == "private"
    return Opened(
        game_id=game_id,
        game=game,
        organiser=new_token(ORGANISER, game_id, part),
        seats=tuple(
            None if game.names[seat] is None else new_token(seat_name(seat), game_id, part)
            for seat in SEATS
        ),
        invitation=new_token(INVITATION, game_id, part) if is_private else None,
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
    step: SeatTaken,
    keyed: Keyed | None = None,
) -> Seated:
    """Sit down at this seat, or at the lowest open one; the last to come starts the game.

    A race lost is no news here: the table is looked at again. With an idempotency key, the same
    request again gets the same seat and token. Raises SeatNotOpen, OtherBody, NoSuchGame.
    """
    salt = new_salt()
    while True:
        if keyed is not None and (receipt := _receipt(snapshot, keyed)):
            return await _seated_before(store, game_id, snapshot.game, receipt, keyed)
        game = snapshot.game
        chosen = _open_seat(game, seat)
        after = advance(game, chosen, step)
        part = random_part if keyed is None else derived_part(keyed.key, salt)
        token = new_token(seat_name(chosen), game_id, part)
        kept = {seat_name(chosen): digest(token)}
        if keyed is not None:
            kept[field(keyed)] = seal(Receipt(keyed.body, salt, chosen, after.ply, now()))
        entries = [entry(game, chosen, step, now())]
        if isinstance(await store.commit(game_id, game.ply, after, entries, kept), Committed):
            return Seated(after, chosen, token)
        snapshot = await fresh(store, game_id)


def _receipt(snapshot: Snapshot, keyed: Keyed) -> Receipt | None:
    receipt = open_receipt(snapshot.tokens.get(field(keyed)), now())
    if receipt is not None:
        refuse_other_body(receipt, keyed)
    return receipt


async def _seated_before(
    store: Store, game_id: GameId, game: Game, receipt: Receipt, keyed: Keyed
) -> Seated:
    """The answer as it was the first time, whatever came after."""
    await store.confirm(game_id)
    log = await store.log(game_id, limit=receipt.ply)
    token = new_token(seat_name(receipt.seat), game_id, derived_part(keyed.key, receipt.salt))
    return Seated(fold(game.opening, log), receipt.seat, token)


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
        game = (await fresh(store, game_id)).game


async def replace_token(store: Store, game_id: GameId, game: Game, seat: Seat) -> str:
    """A new token for a seat that the opening named; the old one is dead. Raises StrangersSeat."""
    player = game.seats_of_players.index(seat)
    if game.opening.players[player] is None:
        raise StrangersSeat
    token = new_token(seat_name(seat), game_id)
    if not await store.replace_token(game_id, seat_name(seat), digest(token)):
        raise NoSuchGame
    return token
