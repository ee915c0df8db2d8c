"""The state of one deal: what lies where, and who is to do what."""

from typing import Literal

from msgspec import Struct

from engine.cards import NO_CARDS, Card, Cards, Points, Seat
from engine.ruleset import PERSIAN, Ruleset

Phase = Literal["draw", "play", "over"]
Ended = Literal["out", "blocked", "forfeit"]
Kind = Literal["set", "run"]
BySeat = tuple[Cards, Cards, Cards, Cards]
"""A set of cards for each seat."""

NOTHING: BySeat = (NO_CARDS, NO_CARDS, NO_CARDS, NO_CARDS)


class TableMeld(Struct, frozen=True, array_like=True):
    """A meld on the table.

    `credit` says which seat played which of its cards; `doubled` that it was laid as four at
    once (R-31); `low_ace` that its ace stands below the two.
    """

    id: int
    kind: Kind
    credit: BySeat
    doubled: bool = False
    low_ace: bool = False

    @property
    def cards(self) -> Cards:
        """All its cards, whoever played them (G-22)."""
        a, b, c, d = self.credit
        return Cards(a | b | c | d)


class State(Struct, frozen=True, array_like=True):
    """One deal, from the first turn to its end.

    `stock[0]` is drawn next and `pile[-1]` is the top. `turn` is the seat to act, and once the
    deal is over the seat that acted last. `must_use` is the card taken from the pile that has to
    be played now; `barred` a card freely taken that may not be thrown back this turn. `passes`
    counts passes in a row, `idle_turns` the turns in a row without a card from the stock or onto
    the table. `laid_this_turn` numbers the melds put down in this turn. `known` holds, for each
    seat, the cards that everybody saw it take from the pile and has not seen since.
    """

    ruleset: Ruleset = PERSIAN
    deal: int = 1
    dealer: Seat = Seat(3)
    turn: Seat = Seat(0)
    phase: Phase = "draw"
    hands: BySeat = NOTHING
    stock: bytes = b""
    pile: bytes = b""
    melds: tuple[TableMeld, ...] = ()
    must_use: Card | None = None
    barred: Card | None = None
    passes: int = 0
    idle_turns: int = 0
    turn_no: int = 1
    laid_this_turn: tuple[int, ...] = ()
    known: BySeat = NOTHING
    ended: Ended | None = None
    out_seat: Seat | None = None

    @property
    def hand(self) -> Cards:
        """The cards of the seat to act."""
        return self.hands[self.turn]


class Result(Struct, frozen=True, array_like=True):
    """How a game ended; `winner` is None where it is drawn."""

    winner: Literal["A", "B"] | None
    reason: Literal["score", "forfeit"]
    totals: Points
