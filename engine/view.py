"""What a viewer may see of a game, listed member by member.

Nothing is taken away from a state to make a view: whatever is not written down here stays hidden.
States, logs, events, errors and legal actions are all shown through this one projection.
"""

from collections.abc import Iterable, Iterator
from typing import Literal

from msgspec import Struct

from engine.actions import Action
from engine.cards import SEATS, Card, Cards, Points, Seat
from engine.chain import link
from engine.game import Entry, Game, Status, Step, canonical_entry, deal_of, first_hash
from engine.play import legal_actions
from engine.ruleset import Ruleset
from engine.scoring import Ledger, table_points
from engine.shuffle import commitment
from engine.state import NOTHING, BySeat, Phase, Result, TableMeld


class Viewer(Struct, frozen=True):
    """Who looks: a seat, somebody who watches, or the organiser."""

    kind: Literal["seat", "spectator", "organiser"]
    seat: Seat | None = None


SPECTATOR = Viewer("spectator")
ORGANISER = Viewer("organiser")


class View(Struct, frozen=True, kw_only=True):
    """A game as its viewer may know it.

    While the game waits for players there is no deal: `deal` is 0, and `dealer`, `turn` and
    `phase` are None. `known_cards` is what everybody knows of each hand. `hand` is None for a
    viewer without one, `hands` for all but an organiser who was promised to see all, and
    `legal_actions` for all but the seat to act.
    """

    viewer: Viewer
    ruleset: Ruleset
    status: Status
    ply: int
    names: tuple[str | None, ...]
    hand_sizes: tuple[int, ...]
    known_cards: BySeat
    deal: int
    dealer: Seat | None
    turn: Seat | None
    phase: Phase | None
    must_use: Card | None
    passes: int
    stock_size: int
    pile: bytes
    melds: tuple[TableMeld, ...]
    table_points: Points
    totals: Points
    ledgers: tuple[Ledger, ...]
    hand: Cards | None
    hands: BySeat | None
    legal_actions: tuple[Action, ...] | None
    draw: tuple[Card, ...] | None
    commitment: bytes | None
    secret: bytes | None
    result: Result | None


class SeenEntry(Struct, frozen=True):
    """An entry of the log as its viewer may know it; `ledger` where it ended a deal."""

    ply: int
    deal: int
    seat: Seat
    step: Step
    drawn: Card | None
    ledger: Ledger | None
    at: int


def view(game: Game, viewer: Viewer) -> View:
    """The game as this viewer may know it."""
    state = game.state
    secret = game.opening.secret
    return View(
        viewer=viewer,
        ruleset=state.ruleset if state else game.opening.ruleset,
        status=game.status,
        ply=game.ply,
        names=game.names,
        hand_sizes=tuple(state.hands[seat].bit_count() if state else 0 for seat in SEATS),
        known_cards=state.known if state else NOTHING,
        deal=state.deal if state else 0,
        dealer=state.dealer if state else None,
        turn=turn(game),
        phase=state.phase if state else None,
        must_use=state.must_use if state else None,
        passes=state.passes if state else 0,
        stock_size=len(state.stock) if state else 0,
        pile=state.pile if state else b"",
        melds=state.melds if state else (),
        table_points=table_points(state) if state else (0, 0),
        totals=game.totals,
        ledgers=game.ledgers,
        hand=state.hands[viewer.seat] if state and viewer.seat is not None else None,
        hands=state.hands if state and _sees_all(game, viewer) else None,
        legal_actions=legal_for(game, viewer),
        draw=game.draw,
        commitment=commitment(secret) if secret else None,
        secret=secret if game.status == "finished" else None,
        result=game.result,
    )


def turn(game: Game) -> Seat | None:
    """The seat to act; None where nobody is."""
    return game.state.turn if game.state and game.state.phase != "over" else None


def legal_for(game: Game, viewer: Viewer) -> tuple[Action, ...] | None:
    """What the viewer's seat could do now; None where it is not to act."""
    if game.state is None or viewer.seat is None or viewer.seat != turn(game):
        return None
    return tuple(legal_actions(game.state))


def seen_entry(game: Game, viewer: Viewer, ply: int, entry: Entry) -> SeenEntry:
    """Entry number `ply` as this viewer may know it when `game` stands as it does."""
    deal = deal_of(game, ply, entry.step)
    is_over = len(game.deal_ends) >= deal
    ends_deal = ply in game.deal_ends
    return SeenEntry(
        ply=ply,
        deal=deal,
        seat=entry.seat,
        step=entry.step,
        drawn=entry.drawn if is_over or viewer.seat == entry.seat else None,
        ledger=game.ledgers[deal - 1] if ends_deal else None,
        at=entry.at,
    )


def hashes(game: Game, entries: Iterable[Entry]) -> Iterator[bytes]:
    """The hash of each entry from the first on, as the chain of this game has them."""
    return chained(game, first_hash(game.opening, game.draw), 1, entries)


def chained(game: Game, last: bytes, first_ply: int, entries: Iterable[Entry]) -> Iterator[bytes]:
    """The hashes of entries in a row, the first of which led to `first_ply`, after the `last`."""
    for ply, one in enumerate(entries, start=first_ply):
        last = link(last, canonical_entry(game, ply, one.seat, one.step))
        yield last


def _sees_all(game: Game, viewer: Viewer) -> bool:
    return viewer.kind == "organiser" and game.opening.organiser_sees_all
