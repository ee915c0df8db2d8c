"""The hash chain of a game: 32 bytes that stand for all that everybody saw happen in it.

Each entry of a log is hashed with the hash before it, so two services that have the same last hash
have the same game. Nothing that one viewer knows and another does not goes in, nor times, ids and
names: the chain tells nothing, and is the same for everyone.

The bytes. *Canonical* is JSON in UTF-8 with the keys of every object sorted and no space.

- The hash before the first entry is SHA-256 of the canonical opening, an object of
  `chance` (`drawn` or `given`), `commitment` (64 hex digits, null for given packs), `dealer` (the
  seat that deals first), `draw` (null, or a list by player of objects of `player`, `card` and
  `seat`), `rules_version`, and `ruleset` (an object of every option with its value; `game_end` is
  an object of one member, `deals` or `target`).
- The hash of an entry is SHA-256 of the 32 bytes of the hash before it and then the canonical
  entry, an object of `action` (null for an event; else as in the log, its cards by suit C D H S,
  then rank, the jokers last), `deal`, `deal_ended` (null, or an object of `ended`, `out_seat` and
  `scores`, these null or an object of `A` and `B`), `event` (null, `seat_taken` or `forfeit`),
  `ply` and `seat`.

For example `{"action":{"card":"KC","type":"discard"},"deal":1,"deal_ended":null,"event":null,
"ply":3,"seat":1}`, on one line.
"""

from hashlib import sha256
from typing import Final, Literal

import msgspec

from engine.actions import Action, Discard, DrawDiscard, DrawStock, LayOff, Meld, Pass
from engine.cards import CODES, TEAMS, Card, Seat, in_order
from engine.deal import seats_drawn
from engine.ruleset import RULES_VERSION, Ruleset, options_of
from engine.scoring import Ledger

HASH_SIZE: Final = 32

Event = Literal["seat_taken", "forfeit"]
"""What an entry may be that is no action."""

_encode: Final = msgspec.json.Encoder(order="sorted").encode


def link(previous: bytes, canonical: bytes) -> bytes:
    """The hash of an entry that comes after the entry with the hash `previous`."""
    return sha256(previous + canonical).digest()


def first(canonical: bytes) -> bytes:
    """The hash of a canonical opening, from which the chain starts."""
    return sha256(canonical).digest()


def canonical_opening(
    ruleset: Ruleset,
    dealer: Seat,
    draw: tuple[Card, ...] | None,
    commitment: bytes | None,
    *,
    given: bool,
) -> bytes:
    """The bytes that stand for an opening; `given` says that its chance was brought along."""
    return _encode(
        {
            "chance": "given" if given else "drawn",
            "commitment": None if commitment is None else commitment.hex(),
            "dealer": dealer,
            "draw": None if draw is None else _drawn(draw),
            "rules_version": RULES_VERSION,
            "ruleset": options_of(ruleset),
        }
    )


def canonical_entry(
    ply: int, deal: int, seat: Seat, step: Action | Event, account: Ledger | None
) -> bytes:
    """The bytes that stand for an entry; `account` is that of the deal that it ended."""
    return _encode(
        {
            "action": None if isinstance(step, str) else _action(step),
            "deal": deal,
            "deal_ended": None if account is None else _ended(account),
            "event": step if isinstance(step, str) else None,
            "ply": ply,
            "seat": seat,
        }
    )


def _drawn(draw: tuple[Card, ...]) -> list[dict[str, object]]:
    seats = seats_drawn(draw)
    return [
        {"player": player, "card": CODES[card], "seat": seats[player]}
        for player, card in enumerate(draw)
    ]


def _ended(account: Ledger) -> dict[str, object]:
    scores = account.scores
    return {
        "ended": account.ended,
        "out_seat": account.out_seat,
        "scores": None if scores is None else dict(zip(TEAMS, scores, strict=True)),
    }


def _action(action: Action) -> dict[str, object]:
    match action:
        case DrawStock():
            return {"type": "draw_stock"}
        case DrawDiscard(card):
            return {"type": "draw_discard", "card": CODES[card]}
        case Meld(cards):
            return {"type": "meld", "cards": _listed(cards)}
        case LayOff(cards, meld):
            return {"type": "lay_off", "cards": _listed(cards), "meld": meld}
        case Discard(card):
            return {"type": "discard", "card": CODES[card]}
        case Pass():
            return {"type": "pass"}


def _listed(cards: tuple[Card, ...]) -> list[str]:
    return [CODES[card] for card in in_order(cards)]
