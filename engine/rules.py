"""The laws of a turn: every reason for an action to be refused, in the order in which it is named.

Nothing here changes a state. `play` asks `violation` before each step, and its list of legal
actions is proved against it by the tests.
"""

from collections.abc import Sequence

from engine.actions import (
    Action,
    Discard,
    DrawDiscard,
    DrawStock,
    LayOff,
    Meld,
    Pass,
    cards_named,
)
from engine.cards import Card, Cards, Seat, bit, mask_of
from engine.melds import can_lay_off, in_new_meld, kind_of, takes
from engine.rulebook import Violation
from engine.state import State, TableMeld


def violation(state: State, seat: Seat, action: Action) -> Violation | None:
    """The first rule that this seat's action would break; None where it is legal."""
    if state.phase == "over":
        return Violation.GAME_OVER
    if seat != state.turn:
        return Violation.NOT_YOUR_TURN
    match action:
        case DrawStock() | DrawDiscard() | Pass():
            if state.phase == "play":
                return Violation.ALREADY_DRAWN
            return _of_draw(state, action)
        case Meld() | LayOff() | Discard():
            if state.phase == "draw":
                return Violation.DRAW_FIRST
            return _of_play(state, action)


def _of_draw(state: State, action: DrawStock | DrawDiscard | Pass) -> Violation | None:
    match action:
        case DrawStock():
            return None if state.stock else Violation.STOCK_EMPTY
        case Pass():
            return Violation.PASS_NOT_ALLOWED if state.stock else None
        case DrawDiscard(card):
            at = state.pile.find(card)
            if at < 0:
                return Violation.CARD_NOT_IN_PILE
            return None if may_take(state, at) else Violation.PICKUP_UNUSABLE


def _of_play(state: State, action: Meld | LayOff | Discard) -> Violation | None:
    if isinstance(action, Discard):
        return _of_discard(state, action.card)
    meld = None
    if isinstance(action, LayOff):
        meld = meld_numbered(state, action.meld)
        if meld is None:
            return Violation.NO_SUCH_MELD
    named = mask_of(action.cards)
    if len(action.cards) != named.bit_count():
        return Violation.DUPLICATE_CARD
    if named & ~state.hand:
        return Violation.CARD_NOT_IN_HAND
    if meld is None:
        if kind_of(named, state.ruleset) is None:
            return Violation.BAD_MELD
    elif not named or not takes(meld, named, state.ruleset):
        return Violation.BAD_LAY_OFF
    return _of_target(state, action, named)


def _of_discard(state: State, card: Card) -> Violation | None:
    if state.must_use is not None:
        return Violation.MUST_USE_PICKUP
    if not bit(card) & state.hand:
        return Violation.CARD_NOT_IN_HAND
    if card == state.barred and state.hand != bit(card):
        return Violation.MUST_USE_PICKUP
    return None


def _of_target(state: State, action: Meld | LayOff, named: Cards) -> Violation | None:
    """A card taken from the pile comes first (R-18, G-31); for some tables in a new meld (G-30)."""
    if state.must_use is None:
        return None
    wants_new_meld = state.ruleset.pickup_use == "new_meld_only" and isinstance(action, LayOff)
    if not bit(state.must_use) & named or wants_new_meld:
        return Violation.MUST_USE_PICKUP
    return None


def may_take(state: State, at: int) -> bool:
    """Whether the seat to act may take the pile from place `at` upwards (R-17, R-18, G-29)."""
    if is_free(state, at):
        return True
    held = Cards(state.hand | mask_of(state.pile[at:]))
    return is_usable(state, Card(state.pile[at]), held)


def is_free(state: State, at: int) -> bool:
    """Whether this place of the pile may be taken without playing its card (G-29)."""
    is_top = at == len(state.pile) - 1
    return is_top and state.ruleset.top_discard == "free" and bool(state.stock)


def is_usable(state: State, target: Card, held: Cards) -> bool:
    """Whether a hand that holds `target` among `held` could play it at once (G-30, G-32)."""
    if in_new_meld(target, held, state.ruleset):
        return True
    if state.ruleset.pickup_use == "new_meld_only":
        return False
    return can_lay_off(target, held, state.melds, state.ruleset)


def meld_numbered(state: State, number: int) -> TableMeld | None:
    """The meld on the table with this number."""
    return next((meld for meld in state.melds if meld.id == number), None)


def offending_cards(state: State, action: Action, broken: Violation) -> tuple[Card, ...]:
    """The cards that a refusal points at: repeats, cards not held, the target, else all named."""
    named = cards_named(action)
    match broken:
        case Violation.DUPLICATE_CARD:
            return _repeats(named)
        case Violation.CARD_NOT_IN_HAND:
            return tuple(card for card in named if not bit(card) & state.hand)
        case Violation.MUST_USE_PICKUP:
            target = state.barred if state.must_use is None else state.must_use
            return named if target is None else (target,)
        case _:
            return named


def _repeats(named: Sequence[Card]) -> tuple[Card, ...]:
    return tuple(sorted({card for card in named if named.count(card) > 1}, key=named.index))
