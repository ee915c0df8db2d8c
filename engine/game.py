"""A whole game: an opening, then one entry after another, each leading from a ply to the next.

Folding the entries of a log over the opening gives the game at any ply, so the log is the game.
"""

from bisect import bisect_left
from collections.abc import Iterable, Mapping
from typing import Final, Literal

from msgspec import Struct
from msgspec.structs import replace

from engine import chain
from engine.actions import Action, DrawStock
from engine.cards import SEATS, Card, Points, Seat, Team, left_of, team_of
from engine.deal import deal, seats_drawn
from engine.play import apply
from engine.ruleset import MOST_DEALS, Ruleset, resolve
from engine.scoring import Ledger, ledger
from engine.shuffle import NO_SEEDS, commitment, drawn_cards, pack
from engine.state import Result, State

Status = Literal["waiting", "playing", "finished"]
Formation = Literal["assigned", "draw"]
Visibility = Literal["public", "private"]
BySeatText = tuple[str, str, str, str]


class Opening(Struct, frozen=True, array_like=True, kw_only=True):
    """How a game was opened.

    `players` are the names in the order given, None for an open place. Chance is a `secret` of 32
    bytes, or the `packs` of all deals; `given` says that whoever opened the game brought it.
    """

    preset: str = "persian"
    options: Mapping[str, object] = {}
    team_formation: Formation = "assigned"
    dealer: Seat = Seat(0)
    visibility: Visibility = "public"
    players: tuple[str | None, str | None, str | None, str | None]
    secret: bytes | None = None
    packs: tuple[bytes, ...] | None = None
    given: bool = False
    organiser_sees_all: bool = False
    require_if_match: bool = False

    @property
    def ruleset(self) -> Ruleset:
        """The options, resolved."""
        return resolve(self.preset, self.options)


class Game(Struct, frozen=True, array_like=True, kw_only=True):
    """A game at one ply.

    `names` and `client_seeds` go by seat; a seat without a name is open still. `draw` holds the
    cards that the players drew for teams. `state` is None until the first deal, and stays as the
    last deal ended once the game is over. `deal_ends` are the plies at which the deals ended.
    `hash` is the end of the hash chain so far (`chain`).
    """

    opening: Opening
    names: tuple[str | None, ...]
    hash: bytes
    ply: int = 0
    client_seeds: BySeatText = NO_SEEDS
    draw: tuple[Card, ...] | None = None
    state: State | None = None
    totals: Points = (0, 0)
    ledgers: tuple[Ledger, ...] = ()
    deal_ends: tuple[int, ...] = ()
    result: Result | None = None

    @property
    def status(self) -> Status:
        """`waiting` for players, `playing` or `finished`."""
        if self.result:
            return "finished"
        return "playing" if self.state else "waiting"

    @property
    def open_seats(self) -> tuple[Seat, ...]:
        """Seats that nobody has taken."""
        return tuple(seat for seat in SEATS if self.names[seat] is None)

    @property
    def seats_of_players(self) -> tuple[Seat, ...]:
        """The seat of each player of the opening."""
        return SEATS if self.draw is None else seats_drawn(self.draw)


class SeatTaken(Struct, frozen=True, array_like=True, tag=11):
    """Somebody has sat down at an open seat; a client seed has its share in the packs."""

    name: str
    client_seed: str = ""


class Forfeit(Struct, frozen=True, array_like=True, tag=12):
    """A team has given up."""

    team: Team


Step = Action | SeatTaken | Forfeit
"""What an entry of the log may be."""


class Entry(Struct, frozen=True, array_like=True):
    """One change of a game: who did what, and when.

    `at` is in milliseconds since 1970, UTC. `drawn` is the card that a draw from the stock brought.
    """

    at: int
    seat: Seat
    step: Step
    drawn: Card | None = None


def open_game(opening: Opening) -> Game:
    """The game at ply 0; it is dealt at once if nobody is missing."""
    draw = None
    if opening.team_formation == "draw":
        assert opening.secret is not None
        draw = drawn_cards(opening.secret, opening.ruleset.jokers)
    seats = SEATS if draw is None else seats_drawn(draw)
    names = dict(zip(seats, opening.players, strict=True))
    game = Game(
        opening=opening,
        draw=draw,
        names=tuple(names[seat] for seat in SEATS),
        hash=first_hash(opening, draw),
    )
    return game if game.open_seats else _deal(game, 1, opening.dealer)


def advance(game: Game, seat: Seat, step: Step) -> Game:
    """The game one ply later.

    Raises IllegalAction where a rule forbids the action. A seat is taken only while it is open,
    and a forfeit comes only while the game is on: that is for the caller to see to.
    """
    match step:
        case SeatTaken(name, client_seed):
            after = _take_seat(game, seat, name, client_seed)
        case Forfeit(team):
            after = _forfeit(game, team)
        case action:
            after = _play(game, seat, action)
    canonical = canonical_entry(after, after.ply, seat, step)
    return replace(after, hash=chain.link(game.hash, canonical))


def first_hash(opening: Opening, draw: tuple[Card, ...] | None) -> bytes:
    """The hash before the first entry of a game that was opened so; see `chain`."""
    secret = opening.secret
    return chain.first(
        chain.canonical_opening(
            opening.ruleset,
            opening.dealer,
            draw,
            commitment(secret) if secret else None,
            given=opening.given,
        )
    )


def canonical_entry(game: Game, ply: int, seat: Seat, step: Step) -> bytes:
    """The bytes that stand in the hash chain for what led to this ply of a game."""
    number = deal_of(game, ply, step)
    account = game.ledgers[number - 1] if ply in game.deal_ends else None
    return chain.canonical_entry(ply, number, seat, named(step), account)


def deal_of(game: Game, ply: int, step: Step) -> int:
    """The number of the deal that the step to this ply was made in; 0 before the first."""
    return 0 if isinstance(step, SeatTaken) else bisect_left(game.deal_ends, ply) + 1


def named(step: Step) -> Action | chain.Event:
    """What the log calls a step: the action itself, or the name of an event."""
    match step:
        case SeatTaken():
            return "seat_taken"
        case Forfeit():
            return "forfeit"
        case action:
            return action


def entry(game: Game, seat: Seat, step: Step, at: int) -> Entry:
    """The entry that a step from this game leaves in the log."""
    is_draw = isinstance(step, DrawStock) and game.state is not None
    return Entry(at, seat, step, Card(game.state.stock[0]) if is_draw and game.state else None)


def fold(opening: Opening, entries: Iterable[Entry]) -> Game:
    """The game that these entries lead to."""
    return continued(open_game(opening), entries)


def continued(game: Game, entries: Iterable[Entry]) -> Game:
    """The game that these entries lead to from this one."""
    for one in entries:
        game = advance(game, one.seat, one.step)
    return game


def _take_seat(game: Game, seat: Seat, name: str, client_seed: str) -> Game:
    names = tuple(name if seat == other else game.names[other] for other in SEATS)
    a, b, c, d = (client_seed if seat == other else game.client_seeds[other] for other in SEATS)
    after = replace(game, ply=game.ply + 1, names=names, client_seeds=(a, b, c, d))
    return after if after.open_seats else _deal(after, 1, game.opening.dealer)


def _play(game: Game, seat: Seat, action: Action) -> Game:
    assert game.state is not None
    after = replace(game, ply=game.ply + 1, state=apply(game.state, seat, action))
    return after if after.state and after.state.phase != "over" else _close_deal(after)


def _close_deal(game: Game) -> Game:
    """Score the deal that is over, then end the game or deal again."""
    assert game.state is not None
    account = ledger(game.state)
    assert account.scores is not None
    after = replace(
        game,
        totals=(game.totals[0] + account.scores[0], game.totals[1] + account.scores[1]),
        ledgers=(*game.ledgers, account),
        deal_ends=(*game.deal_ends, game.ply),
    )
    if _is_decided(after, game.state.ruleset):
        return replace(after, result=Result(_leader(after.totals), "score", after.totals))
    return _deal(after, account.deal + 1, _next_dealer(game.state))


def _is_decided(game: Game, ruleset: Ruleset) -> bool:
    """Whether the game is over now (R-32, G-59, G-60)."""
    dealt, end = len(game.ledgers), ruleset.game_end
    if dealt >= MOST_DEALS:
        return True
    if end.deals is not None:
        is_reached = dealt >= end.deals
    else:
        is_reached = end.target is not None and max(game.totals) >= end.target
    is_level = game.totals[0] == game.totals[1]
    return is_reached and not (is_level and ruleset.tie_break == "extra_deal")


def _next_dealer(state: State) -> Seat:
    """The seat that deals next (G-07)."""
    match state.ruleset.dealer_rotation:
        case "fixed":
            return state.dealer
        case "winner" if state.out_seat is not None:
            return state.out_seat
        case _:
            return left_of(state.dealer)


def _deal(game: Game, number: int, dealer: Seat) -> Game:
    ruleset = game.opening.ruleset
    return replace(game, state=deal(ruleset, _pack(game, number, ruleset), number, dealer))


def _pack(game: Game, number: int, ruleset: Ruleset) -> bytes:
    if game.opening.packs is not None:
        return game.opening.packs[number - 1]
    assert game.opening.secret is not None
    return pack(game.opening.secret, game.client_seeds, number, ruleset.jokers)


def _forfeit(game: Game, team: Team) -> Game:
    assert game.state is not None
    state = replace(game.state, phase="over", ended="forfeit", must_use=None, barred=None)
    winner: Final = "B" if team == "A" else "A"
    return replace(
        game,
        ply=game.ply + 1,
        state=state,
        ledgers=(*game.ledgers, ledger(state)),
        deal_ends=(*game.deal_ends, game.ply + 1),
        result=Result(winner, "forfeit", game.totals),
    )


def _leader(totals: Points) -> Team | None:
    if totals[0] == totals[1]:
        return None
    return team_of(Seat(0 if totals[0] > totals[1] else 1))
