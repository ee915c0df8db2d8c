"""A whole game as text, one line a turn: for logs, forums and reports of faults.

    persian-rummy-game/1
    rules 1
    ruleset persian {"go_out_bonus":0}
    teams assigned
    dealer 0
    player "north"
    player open
    player "south"
    player "west"
    chance drawn
    secret 000102…1f
    seat 1 00ff "east"
    deal 1
    1. 1 +5C =4D4H4S -KC
    2. 2 <KC 8S9S>1 -2D
    forfeit A 2

The players stand in the order of the opening; an open seat is taken by a line of its own, with the
seed of who sits down if there is one. Instead of a secret there may be a line `pack` for each deal,
its cards in order of dealing. A line of a turn has its number in the deal, the seat, and what it
did: `+5C` draws (that card, if it is told), `<9D` takes from the pile, `=4D4H4S` melds, `8S9S>1`
lays off on meld 1, `-KC` discards. Empty lines, and those that begin with `#`, are for people.
Times are not kept, nor who may watch the game.
"""

from collections.abc import Iterator, Sequence
from typing import Final

import msgspec

from engine.cards import CODES
from engine.game import Entry, Forfeit, Game, Opening, SeatTaken, advance, entry, open_game
from engine.notation import token
from engine.ruleset import RULES_VERSION
from engine.scoring import Ledger

TITLE: Final = "persian-rummy-game/1"

_encode: Final = msgspec.json.Encoder(order="sorted").encode


def written(opening: Opening, entries: Sequence[Entry]) -> str:
    """The text of a game; it shows all hands, so it is for games that are over, or one's own.

    Raises IllegalAction where an entry does not follow from those before it.
    """
    return "\n".join([*_head(opening), *_body(opening, entries), ""])


def _head(opening: Opening) -> Iterator[str]:
    options = f" {_json(opening.options)}" if opening.options else ""
    yield TITLE
    yield f"rules {RULES_VERSION}"
    yield f"ruleset {opening.preset}{options}"
    yield f"teams {opening.team_formation}"
    yield f"dealer {opening.dealer}"
    for name in opening.players:
        yield "player open" if name is None else f"player {_json(name)}"
    yield f"chance {'given' if opening.given else 'drawn'}"
    if opening.secret is not None:
        yield f"secret {opening.secret.hex()}"
    for pack in opening.packs or ():
        yield "pack " + " ".join(CODES[card] for card in pack)


def _body(opening: Opening, entries: Sequence[Entry]) -> Iterator[str]:
    game, line, at = open_game(opening), "", (0, 0)
    for one in entries:
        place = _place(game)
        if line and place != at:
            yield line
            line = ""
        if place[0] != at[0]:
            yield f"deal {place[0]}"
        at = place
        if isinstance(one.step, SeatTaken | Forfeit):
            yield from filter(None, [line, _event(one, one.step)])
            line = ""
        else:
            drawn = entry(game, one.seat, one.step, one.at).drawn
            line = f"{line or f'{place[1]}. {one.seat}'} {token(one.step, drawn)}"
        before, game = game, advance(game, one.seat, one.step)
        if len(game.ledgers) > len(before.ledgers):
            yield from filter(None, [line, _told(game.ledgers[-1])])
            line = ""
    if line:
        yield line


def _place(game: Game) -> tuple[int, int]:
    """The number of the deal, and of the turn in it."""
    return (game.state.deal, game.state.turn_no) if game.state else (0, 0)


def _event(one: Entry, step: SeatTaken | Forfeit) -> str:
    if isinstance(step, Forfeit):
        return f"forfeit {step.team} {one.seat}"
    seed = f" {step.client_seed}" if step.client_seed else ""
    return f"seat {one.seat}{seed} {_json(step.name)}"


def _told(account: Ledger) -> str:
    out = "" if account.out_seat is None else f" {account.out_seat}"
    if account.scores is None:
        return f"# {account.ended}"
    a, b = account.scores
    return f"# {account.ended}{out}: A {a}, B {b}"


def _json(value: object) -> str:
    return _encode(value).decode()
