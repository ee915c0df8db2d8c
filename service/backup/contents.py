"""What a line of a backup holds, once it has been looked at.

A line with a right sum may hold anything, if somebody has written it himself. What passes here can
be kept, read again and shown, so that the store never holds what a service would stumble over.
"""

from collections.abc import Iterable
from typing import Final

from engine.actions import cards_named
from engine.cards import PACK_SIZE, SEATS
from engine.game import Entry, Forfeit, Game, Opening, SeatTaken, advance, entry, open_game
from engine.play import IllegalAction
from engine.shuffle import is_pack
from service.backup.lines import Damaged
from service.backup.shapes import Body, GameLine, ListLine, MarkLine, ReservationLine
from service.domain.receipts import open_receipt, open_reservation
from service.domain.tokens import INVITATION, ORGANISER, is_game_id, seat_name
from service.store import codec, keys
from service.store.archive import FOR_EVER, KeptGame, Lasting
from service.store.protocol import UnreadableGame

Thing = KeptGame | MarkLine | ReservationLine | ListLine
"""What a line holds, once it has been looked at."""

_DIGESTS: Final = frozenset((ORGANISER, INVITATION, *map(seat_name, SEATS)))
"""Names of tokens. What else is kept among them is the receipts of requests."""

# What the engine and the codec may raise for values that no service has ever kept.
_ODD: Final = (
    ArithmeticError, AssertionError, AttributeError, LookupError, RecursionError, TypeError,
    ValueError, UnreadableGame,
)  # fmt: skip


def thing_in(line: Body) -> Thing:
    """What a line holds. Raises Damaged where that cannot be."""
    try:
        match line:
            case GameLine():
                return _kept(line)
            case MarkLine(private=private):
                _expect_id(private.game)
                _expect_end(private.mark)
            case ReservationLine(private=private):
                keys.reservation(private.name)
                _expect_reservation(private.reservation)
            case ListLine(private=private):
                keys.index(private.name)
                for listed in private.games:
                    _expect_id(listed.game_id)
                    _expect_moment(listed.opened)
    except _ODD as error:
        raise Damaged(f"nothing like it is ever kept: {error}") from error
    return line


def _kept(line: GameLine) -> KeptGame:
    _expect_id(line.game)
    private = line.private
    if private.left_ms != FOR_EVER:
        _expect_moment(private.left_ms)
    game = _played(private.opening, private.log)
    if (game.status, game.ply, game.hash.hex()) != (line.status, line.ply, line.hash):
        raise Damaged("its log does not lead to the game that it names")
    for name, value in private.tokens.items():
        if name not in _DIGESTS:
            _expect_receipt(value, game)
    _expect_readable(line.game, game, private.log)
    return KeptGame(line.game, game, private.log, private.tokens, private.left_ms)


def _played(opening: Opening, log: Iterable[Entry]) -> Game:
    """The log is the game: a state that was kept beside it would be a second truth."""
    try:
        _expect_chance(opening)
        game = open_game(opening)
        for each in log:
            game = _advanced(game, each)
    except IllegalAction as refused:
        raise Damaged(f"its log breaks a rule: {refused}") from refused
    except _ODD as error:
        raise Damaged("its log cannot be played") from error
    return game


def _expect_chance(opening: Opening) -> None:
    if opening.dealer not in SEATS:
        raise ValueError("nobody sits there")
    for pack in opening.packs or ():
        if not is_pack(pack, opening.ruleset.jokers):
            raise ValueError("that is no pack")


def _advanced(game: Game, told: Entry) -> Game:
    """The game one ply later; some things the engine leaves to whoever takes a request."""
    match told.step:
        case SeatTaken():
            is_possible = told.seat in game.open_seats
        case Forfeit():
            is_possible = game.status == "playing"
        case action:
            # A number that is no card would be a bit mask of as many bits.
            is_possible = all(0 <= card < PACK_SIZE for card in cards_named(action))
    if not is_possible:
        raise ValueError("nobody could do that")
    after = advance(game, told.seat, told.step)
    if entry(game, told.seat, told.step, told.at) != told:
        raise ValueError("another card was drawn")
    return after


def _expect_readable(game_id: str, game: Game, log: Iterable[Entry]) -> None:
    """Raise one of _ODD for what could not be read again, were it kept."""
    write = codec.new_write_id()
    codec.open_state(game_id, codec.seal_state(write, game_id, game))
    for each in log:
        codec.open_entry(codec.seal_entry(write, each))


def _expect_id(game_id: str) -> None:
    if not is_game_id(game_id):
        raise Damaged("it names no game")


def _expect_reservation(lasting: Lasting) -> None:
    _expect_end(lasting)
    reservation = open_reservation(lasting.value)
    _expect_id(reservation.game_id)
    _expect_moment(reservation.at)


def _expect_receipt(value: bytes, game: Game) -> None:
    receipt = open_receipt(value, now=0)
    if receipt is None or receipt.seat not in SEATS or not 1 <= receipt.ply <= game.ply:
        raise ValueError("nobody has taken that seat")
    _expect_moment(receipt.at)


def _expect_end(lasting: Lasting) -> None:
    if lasting.until != FOR_EVER:
        _expect_moment(lasting.until)


def _expect_moment(moment: int) -> None:
    if not 0 <= moment <= codec.LAST_MOMENT:
        raise ValueError("a moment beyond the calendar")
