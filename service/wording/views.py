"""Views: a game as its viewer may know it."""

import msgspec

from engine.cards import CODES, SEATS, Card, Seat, each, team_of
from engine.deal import seats_drawn
from engine.game import Game, Opening
from engine.ruleset import RULES_VERSION
from engine.state import Result, TableMeld
from engine.view import View, Viewer, view
from service.wire import view as wire
from service.wire.option import Options
from service.wire.ruleset import GameRuleset
from service.wording import ledgers
from service.wording.actions import list_to_wire
from service.wording.cards import (
    as_they_lie,
    code,
    codes_by_seat,
    ordered_codes,
    points,
    sorted_codes,
)


def show(game_id: str, game: Game, viewer: Viewer) -> wire.View:
    """The game in the words of the contract, through the one projection there is."""
    return to_wire(game_id, game.opening, view(game, viewer))


def to_wire(game_id: str, opening: Opening, seen: View) -> wire.View:
    """A view, with what the opening says to everybody."""
    return wire.View(
        id=game_id,
        status=seen.status,
        ruleset=ruleset(opening),
        rules_version=RULES_VERSION,
        ply=seen.ply,
        visibility=opening.visibility,
        viewer=wire.Viewer(kind=seen.viewer.kind, seat=seen.viewer.seat),
        organiser_sees_all=opening.organiser_sees_all,
        require_if_match=opening.require_if_match,
        draw=drawn(seen.draw),
        seats=tuple(_seat(seen, seat) for seat in SEATS),
        deal=seen.deal,
        dealer=seen.dealer,
        turn=seen.turn,
        phase=seen.phase,
        must_use=code(seen.must_use),
        passes=seen.passes,
        stock_size=seen.stock_size,
        pile=ordered_codes(seen.pile),
        melds=tuple(_meld(meld) for meld in seen.melds),
        table_points=points(seen.table_points),
        totals=points(seen.totals),
        deals=tuple(ledgers.summary(account) for account in seen.ledgers),
        hand=None if seen.hand is None else sorted_codes(seen.hand),
        hands=None if seen.hands is None else codes_by_seat(seen.hands),
        legal_actions=list_to_wire(seen.legal_actions),
        clock=None,
        chance="given" if opening.given else "drawn",
        commitment=seen.commitment.hex() if seen.commitment else None,
        secret=seen.secret.hex() if seen.secret else None,
        result=result(seen.result) if seen.result else None,
    )


def drawn(cards: tuple[Card, ...] | None) -> wire.Draw | None:
    """The draw for teams, by player; None where teams were assigned."""
    if cards is None:
        return None
    return tuple(
        wire.DrawnCard(player=player, card=CODES[card], seat=seat)
        for player, (card, seat) in enumerate(zip(cards, seats_drawn(cards), strict=True))
    )


def ruleset(opening: Opening) -> GameRuleset:
    """The preset and options that a game was opened with."""
    return GameRuleset(preset=opening.preset, options=msgspec.convert(opening.options, Options))


def result(ended: Result) -> wire.Result:
    """How a game ended."""
    return wire.Result(winner=ended.winner, reason=ended.reason, totals=points(ended.totals))


def _seat(seen: View, seat: Seat) -> wire.SeatView:
    name = seen.names[seat]
    return wire.SeatView(
        seat=seat,
        team=team_of(seat),
        name=name,
        kind="open" if name is None else "client",
        hand_size=seen.hand_sizes[seat],
        known_cards=sorted_codes(seen.known_cards[seat]),
    )


def _meld(meld: TableMeld) -> wire.TableMeld:
    seat_of = {card: seat for seat in SEATS for card in each(meld.credit[seat])}
    return wire.TableMeld(
        id=meld.id,
        kind=meld.kind,
        cards=tuple(
            wire.MeldCard(card=CODES[card], seat=seat_of[card])
            for card in as_they_lie(meld.cards, meld.low_ace)
        ),
        doubled=meld.doubled,
    )
