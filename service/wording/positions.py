"""Positions: from what a client tells to what the engine judges, and back."""

from msgspec import UNSET, UnsetType

from engine.cards import CODES, Card, Seat, card
from engine.judging import position as play
from service.wire import position as wire
from service.wire.view import MeldCard
from service.wording.cards import code, ordered_codes, points

UNKNOWN = "??"


def to_engine(told: wire.Position) -> play.Position:
    """The position that was told; its codes have been checked."""
    a, b, c, d = (_hand(hand) for hand in told.hands)
    return play.Position(
        deal=told.deal,
        dealer=Seat(told.dealer),
        turn=None if told.turn is None else Seat(told.turn),
        phase=told.phase,
        must_use=None if told.must_use is None else card(told.must_use),
        passes=told.passes,
        partial=told.partial or False,
        hands=(a, b, c, d),
        stock=told.stock if isinstance(told.stock, int) else _listed(told.stock),
        pile=_listed(told.pile),
        melds=tuple(_meld(meld) for meld in told.melds),
        totals=(told.totals.A, told.totals.B),
        barred=card(told.barred) if told.barred else None,
        idle_turns=None if isinstance(told.idle_turns, UnsetType) else told.idle_turns,
    )


def _hand(told: wire.Hand) -> play.Hand:
    if isinstance(told, int):
        return told
    return tuple(None if code == UNKNOWN else card(code) for code in told)


def _listed(told: tuple[str, ...]) -> bytes:
    return bytes(card(code) for code in told)


def _meld(told: wire.PositionMeld) -> play.PositionMeld:
    return play.PositionMeld(
        id=told.id,
        cards=tuple(play.MeldCard(card(one.card), Seat(one.seat)) for one in told.cards),
        doubled=told.doubled,
        laid_this_turn=None if isinstance(told.laid_this_turn, UnsetType) else told.laid_this_turn,
    )


def to_wire(position: play.Position) -> wire.Position:
    """A position as it is answered; what no option asks for is left out."""
    return wire.Position(
        deal=position.deal,
        dealer=position.dealer,
        turn=position.turn,
        phase=position.phase,
        must_use=code(position.must_use),
        passes=position.passes,
        partial=position.partial or UNSET,
        hands=tuple(_told_hand(hand) for hand in position.hands),
        stock=(
            position.stock if isinstance(position.stock, int) else ordered_codes(position.stock)
        ),
        pile=ordered_codes(position.pile),
        melds=tuple(_told_meld(meld) for meld in position.melds),
        totals=points(position.totals),
        barred=UNSET if position.barred is None else CODES[position.barred],
        idle_turns=UNSET if position.idle_turns is None else position.idle_turns,
    )


def _told_hand(hand: play.Hand) -> wire.Hand:
    if isinstance(hand, int):
        return hand
    return tuple(_told_card(one) for one in hand)


def _told_card(one: Card | None) -> str:
    return UNKNOWN if one is None else CODES[one]


def _told_meld(meld: play.PositionMeld) -> wire.PositionMeld:
    return wire.PositionMeld(
        id=meld.id,
        cards=tuple(MeldCard(card=CODES[one.card], seat=one.seat) for one in meld.cards),
        doubled=meld.doubled,
        laid_this_turn=UNSET if meld.laid_this_turn is None else meld.laid_this_turn,
    )
