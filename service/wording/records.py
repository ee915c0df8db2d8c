"""The record of a game that is over: all that is needed to play it again."""

from collections.abc import Sequence

from engine.cards import SEATS, team_of
from engine.game import Entry, Game
from engine.ruleset import RULES_VERSION
from engine.shuffle import commitment
from engine.view import SPECTATOR
from service.wire import record as wire
from service.wording import entries, ledgers, views
from service.wording.cards import ordered_codes


def to_wire(game_id: str, game: Game, log: Sequence[Entry]) -> wire.Record:
    """The record; nothing is hidden any more, so it is the same for every viewer."""
    opening = game.opening
    assert game.result is not None
    return wire.Record(
        format="persian-rummy-record/1",
        rules_version=RULES_VERSION,
        game=game_id,
        ruleset=views.ruleset(opening),
        team_formation=opening.team_formation,
        dealer=opening.dealer,
        draw=views.drawn(game.draw),
        seats=tuple(
            wire.RecordSeat(seat=seat, team=team_of(seat), name=game.names[seat] or "")
            for seat in SEATS
        ),
        chance="given" if opening.given else "drawn",
        commitment=commitment(opening.secret).hex() if opening.secret else None,
        secret=opening.secret.hex() if opening.secret else None,
        client_seeds=game.client_seeds,
        packs=tuple(ordered_codes(pack) for pack in opening.packs) if opening.packs else None,
        log=entries.show_log(game, SPECTATOR, log),
        deals=tuple(ledgers.to_wire(account) for account in game.ledgers),
        result=views.result(game.result),
    )
