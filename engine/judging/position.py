"""A position: a deal as somebody tells it, whole or as one seat sees it.

Unlike a state it may contradict itself, and what its teller does not know is a count: a hand, or
the stock; `None` among the cards of a hand stands for one that is not known. `faults` says whether
it can be, `judgement` what may be done in it.
"""

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from engine.cards import ACE, LANE, SEATS, Card, Cards, Points, Seat, each, in_order, mask_of
from engine.game import Game
from engine.melds import begins_with_ace, kind_of
from engine.ruleset import Ruleset
from engine.state import BySeat, Phase, State, TableMeld
from engine.view import Viewer, view

Hand = int | tuple[Card | None, ...]
"""The cards of a hand, None for each that is not known; or only how many there are."""

Stock = int | bytes
"""The stock, the card to be drawn next first; or only how many cards it has."""

LONGEST_RUN = 13


class MeldCard(Struct, frozen=True):
    """A card of a meld and the seat that played it."""

    card: Card
    seat: Seat


class PositionMeld(Struct, frozen=True):
    """A meld as it is told.

    The order of its cards means nothing, but that an ace first in a complete run is low.
    `laid_this_turn` need be said only where the fourth card of a set may yet double it.
    """

    id: int
    cards: tuple[MeldCard, ...]
    doubled: bool = False
    laid_this_turn: bool | None = None

    @property
    def mask(self) -> Cards:
        """Its cards as a set."""
        return Cards(sum({1 << one.card for one in self.cards}))


class Position(Struct, frozen=True, kw_only=True):
    """A deal in the middle, as it is told; the members mean what they mean in a state.

    `partial` says that cards may be missing. `turn` is None once the deal is over. `barred` and
    `idle_turns` need be said only where the top of the pile may be taken freely.
    """

    deal: int = 1
    dealer: Seat
    turn: Seat | None
    phase: Phase
    must_use: Card | None = None
    passes: int = 0
    partial: bool = False
    hands: tuple[Hand, Hand, Hand, Hand]
    stock: Stock
    pile: bytes
    melds: tuple[PositionMeld, ...] = ()
    totals: Points = (0, 0)
    barred: Card | None = None
    idle_turns: int | None = None


def size_of(hand: Hand) -> int:
    """How many cards a hand has."""
    return hand if isinstance(hand, int) else len(hand)


def known_in(hand: Hand) -> tuple[Card, ...]:
    """The cards of a hand that are named, repeats kept."""
    return () if isinstance(hand, int) else tuple(card for card in hand if card is not None)


# --- from what the referee knows ---


def full_position(state: State, totals: Points) -> Position:
    """All of a deal, nothing hidden."""
    return _told(state, totals, _listed(state.hands), state.stock)


def seen_position(game: Game, viewer: Viewer) -> Position:
    """The deal as this viewer may know it: the stock is a count until the whole game is over.

    A seat has its own hand, an organiser who was promised so all four. The game must have begun.
    """
    state, seen = game.state, view(game, viewer)
    assert state is not None
    if game.status == "finished":
        return full_position(state, game.totals)
    a, b, c, d = (
        _seen_hand(seat, viewer, seen.hand, seen.hands, seen.hand_sizes) for seat in SEATS
    )
    return _told(state, game.totals, (a, b, c, d), seen.stock_size)


def position_then(then: Game, now: Game, viewer: Viewer) -> Position:
    """The deal at an earlier ply of a game, as this viewer may know it now.

    That is as the viewer could see it then, and everything once the whole game is over.
    """
    if now.status == "finished" and then.state is not None:
        return full_position(then.state, then.totals)
    return seen_position(then, viewer)


def _told(
    state: State, totals: Points, hands: tuple[Hand, Hand, Hand, Hand], stock: Stock
) -> Position:
    says_idle = state.ruleset.top_discard == "free"
    says_laid = state.ruleset.quad_bonus == "same_turn"
    return Position(
        deal=state.deal,
        dealer=state.dealer,
        turn=None if state.phase == "over" else state.turn,
        phase=state.phase,
        must_use=state.must_use,
        passes=state.passes,
        hands=hands,
        stock=stock,
        pile=state.pile,
        melds=told_melds(state.melds, state.laid_this_turn if says_laid else None),
        totals=totals,
        barred=state.barred,
        idle_turns=state.idle_turns if says_idle else None,
    )


def _listed(hands: BySeat) -> tuple[Hand, Hand, Hand, Hand]:
    a, b, c, d = (in_order(each(hand)) for hand in hands)
    return a, b, c, d


def _seen_hand(
    seat: Seat, viewer: Viewer, own: Cards | None, every: BySeat | None, sizes: Sequence[int]
) -> Hand:
    if every is not None:
        return in_order(each(every[seat]))
    if seat == viewer.seat and own is not None:
        return in_order(each(own))
    return sizes[seat]


def told_melds(
    melds: Sequence[TableMeld], laid_this_turn: tuple[int, ...] | None
) -> tuple[PositionMeld, ...]:
    """Melds of the table as they are told; None where nothing is said of this turn."""
    return tuple(
        PositionMeld(
            id=meld.id,
            cards=_with_seats(meld),
            doubled=meld.doubled,
            laid_this_turn=None if laid_this_turn is None else meld.id in laid_this_turn,
        )
        for meld in melds
    )


def _with_seats(meld: TableMeld) -> tuple[MeldCard, ...]:
    cards = [MeldCard(card, seat) for seat in SEATS for card in each(meld.credit[seat])]
    return _as_they_lie(cards, meld.low_ace)


def _as_they_lie(cards: Sequence[MeldCard], low_ace: bool) -> tuple[MeldCard, ...]:
    """By suit and rank, a low ace first."""
    place = {card: at for at, card in enumerate(in_order([one.card for one in cards]))}
    return tuple(
        sorted(cards, key=lambda one: (not (low_ace and is_ace(one.card)), place[one.card]))
    )


# --- to what can be judged ---


def table_meld(meld: PositionMeld, ruleset: Ruleset) -> TableMeld | None:
    """The meld as it lies on the table; None where its cards are neither a set nor a run."""
    kind = kind_of(meld.mask, ruleset)
    if kind is None:
        return None
    a, b, c, d = (mask_of([one.card for one in meld.cards if one.seat == seat]) for seat in SEATS)
    is_complete = len(meld.cards) == LONGEST_RUN and ruleset.ace_in_runs == "high_or_low"
    return TableMeld(
        id=meld.id,
        kind=kind,
        credit=(a, b, c, d),
        doubled=meld.doubled,
        low_ace=begins_with_ace(meld.mask, kind) or (is_complete and is_ace(meld.cards[0].card)),
    )


def is_ace(card: Card) -> bool:
    """Whether this is one of the four aces."""
    return card % LANE == ACE


def in_answer_order(position: Position, ruleset: Ruleset) -> Position:
    """The same position with its hands and melds in the order in which answers list them."""
    a, b, c, d = (_sorted_hand(hand) for hand in position.hands)
    return replace(
        position,
        hands=(a, b, c, d),
        melds=tuple(_sorted_meld(meld, ruleset) for meld in position.melds),
    )


def _sorted_hand(hand: Hand) -> Hand:
    if isinstance(hand, int):
        return hand
    return (*in_order(known_in(hand)), *[card for card in hand if card is None])


def _sorted_meld(meld: PositionMeld, ruleset: Ruleset) -> PositionMeld:
    lies = table_meld(meld, ruleset)
    return replace(meld, cards=_as_they_lie(meld.cards, lies is not None and lies.low_ace))
