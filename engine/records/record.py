"""The record of a whole game, as somebody tells it: all that is needed to play it again.

It claims much that follows from the rest: the cards drawn, the accounts, the result, the hashes.
`verdict` plays the game again and holds every claim against it.
"""

from collections.abc import Mapping, Sequence
from typing import Final, Literal

from msgspec import Struct

from engine.actions import Action
from engine.cards import SEATS, Card, Seat
from engine.chain import Event
from engine.deal import seats_drawn
from engine.fault import Fault
from engine.game import BySeatText, Entry, Formation, Game, named
from engine.ruleset import RULES_VERSION
from engine.scoring import Ledger
from engine.shuffle import commitment
from engine.state import Result
from engine.view import SPECTATOR, hashes, seen_entry

FORMAT: Final = "persian-rummy-record/1"
"""The name of the form in which records are written down."""

Chance = Literal["drawn", "given"]


class DrawnCard(Struct, frozen=True):
    """A card drawn for teams, and the seat that its player took."""

    player: int
    card: Card
    seat: Seat


class Claim(Struct, frozen=True, kw_only=True):
    """An entry of the log as the record has it; `account` where it says that a deal ended."""

    ply: int
    deal: int
    seat: Seat
    step: Action | Event
    drawn: Card | None = None
    account: Ledger | None = None
    at: int = 0
    hash: bytes | None = None


class Record(Struct, frozen=True, kw_only=True):
    """A game from its opening to its result.

    `dealer` dealt first. `names` and `client_seeds` go by seat. Chance is a `secret` of 32 bytes
    with its `commitment`, or the `packs` of all deals. `slips` are members of the written form
    that repeat what another says, and say it otherwise, such as the team of a seat.
    """

    rules_version: str
    preset: str
    options: Mapping[str, object]
    team_formation: Formation
    dealer: Seat
    draw: tuple[DrawnCard, ...] | None
    names: BySeatText
    chance: Chance
    commitment: bytes | None
    secret: bytes | None
    client_seeds: BySeatText
    packs: tuple[bytes, ...] | None
    log: Sequence[Claim]
    ledgers: tuple[Ledger, ...]
    result: Result
    slips: tuple[Fault, ...] = ()


def record_of(game: Game, log: Sequence[Entry]) -> Record:
    """The record of a game that is over."""
    opening = game.opening
    assert game.result is not None
    a, b, c, d = (game.names[seat] or "" for seat in SEATS)
    return Record(
        rules_version=RULES_VERSION,
        preset=opening.preset,
        options=opening.options,
        team_formation=opening.team_formation,
        dealer=opening.dealer,
        draw=None if game.draw is None else drawn(game.draw),
        names=(a, b, c, d),
        chance="given" if opening.given else "drawn",
        commitment=commitment(opening.secret) if opening.secret else None,
        secret=opening.secret,
        client_seeds=game.client_seeds,
        packs=opening.packs,
        log=_claims(game, log),
        ledgers=game.ledgers,
        result=game.result,
    )


def drawn(cards: tuple[Card, ...]) -> tuple[DrawnCard, ...]:
    """The draw for teams, player by player."""
    seats = seats_drawn(cards)
    return tuple(DrawnCard(player, card, seats[player]) for player, card in enumerate(cards))


def _claims(game: Game, log: Sequence[Entry]) -> tuple[Claim, ...]:
    claims = []
    for ply, (one, hashed) in enumerate(zip(log, hashes(game, log), strict=True), start=1):
        seen = seen_entry(game, SPECTATOR, ply, one)
        claims.append(
            Claim(
                ply=ply,
                deal=seen.deal,
                seat=seen.seat,
                step=named(seen.step),
                drawn=seen.drawn,
                account=seen.ledger,
                at=seen.at,
                hash=hashed,
            )
        )
    return tuple(claims)
