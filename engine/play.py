"""Playing: one action leads from a state to the next, and a state knows what may be done in it."""

from collections.abc import Iterator

from msgspec.structs import replace

from engine.actions import (
    Action,
    Discard,
    DrawDiscard,
    DrawStock,
    LayOff,
    Meld,
    Pass,
    lay_off,
    meld,
)
from engine.cards import (
    NO_CARDS,
    SEATS,
    Card,
    Cards,
    Seat,
    bit,
    each,
    in_order,
    left_of,
    mask_of,
)
from engine.melds import begins_with_ace, extensions, kind_of, low_ace_after, melds_within
from engine.rulebook import Violation
from engine.rules import is_free, is_usable, meld_numbered, violation
from engine.state import NOTHING, BySeat, Ended, State, TableMeld

MOST_IDLE_TURNS = 12
"""So many turns in a row without a card from the stock or onto the table block a deal (G-67)."""


class IllegalAction(Exception):  # noqa: N818 - a verdict of the game, not a fault of the program
    """An action that a rule forbids; nothing has changed."""

    def __init__(self, broken: Violation) -> None:
        super().__init__(broken.value)
        self.violation = broken


def apply(state: State, seat: Seat, action: Action) -> State:
    """The state after this seat's action; IllegalAction where a rule forbids it."""
    if broken := violation(state, seat, action):
        raise IllegalAction(broken)
    match action:
        case DrawStock():
            return _draw(state)
        case DrawDiscard(card):
            return _take(state, state.pile.index(card))
        case Meld(cards):
            return _meld(state, mask_of(cards))
        case LayOff(cards, number):
            return _lay_off(state, mask_of(cards), number)
        case Discard(card):
            return _discard(state, card)
        case Pass():
            return _pass(state)


def legal_actions(state: State) -> list[Action]:
    """All that the seat to act may do now, each once; empty when the deal is over."""
    match state.phase:
        case "draw":
            return list(_draws(state))
        case "play":
            return list(_plays(state))
        case "over":
            return []


# --- what may be done ---


def _draws(state: State) -> Iterator[Action]:
    yield DrawStock() if state.stock else Pass()
    held = state.hand
    for at in range(len(state.pile) - 1, -1, -1):
        target = Card(state.pile[at])
        held = Cards(held | bit(target))
        if is_free(state, at) or is_usable(state, target, held):
            yield DrawDiscard(target)


def _plays(state: State) -> Iterator[Action]:
    hand, ruleset, wanted = state.hand, state.ruleset, NO_CARDS
    if state.must_use is not None:
        wanted = bit(state.must_use)
    for cards in melds_within(hand, ruleset):
        if cards & wanted == wanted:
            yield meld(cards)
    if not wanted or ruleset.pickup_use == "meld_or_layoff":
        for on_table in state.melds:
            for added in extensions(on_table, hand, ruleset):
                if added & wanted == wanted:
                    yield lay_off(added, on_table.id)
    if not wanted:
        yield from _discards(state)


def _discards(state: State) -> Iterator[Action]:
    hand = in_order(each(state.hand))
    return (Discard(card) for card in hand if card != state.barred or len(hand) == 1)


# --- what it leads to ---


def _draw(state: State) -> State:
    card = Card(state.stock[0])
    return replace(
        state,
        stock=state.stock[1:],
        hands=_with(state.hands, state.turn, bit(card)),
        passes=0,
        idle_turns=0,
        phase="play",
    )


def _take(state: State, at: int) -> State:
    taken = mask_of(state.pile[at:])
    target = Card(state.pile[at])
    free = is_free(state, at)
    return replace(
        state,
        pile=state.pile[:at],
        hands=_with(state.hands, state.turn, taken),
        known=_with(state.known, state.turn, taken),
        must_use=None if free else target,
        barred=target if free else None,
        passes=0,
        idle_turns=state.idle_turns + 1,
        phase="play",
    )


def _meld(state: State, cards: Cards) -> State:
    kind = kind_of(cards, state.ruleset)
    assert kind is not None
    number = max((meld.id for meld in state.melds), default=0) + 1
    laid = TableMeld(
        id=number,
        kind=kind,
        credit=_with(NOTHING, state.turn, cards),
        doubled=_is_four_at_once(state, kind, cards),
        low_ace=begins_with_ace(cards, kind),
    )
    laid_this_turn = (*state.laid_this_turn, number)
    return _played(state, cards, (*state.melds, laid), laid_this_turn)


def _lay_off(state: State, cards: Cards, number: int) -> State:
    meld = meld_numbered(state, number)
    assert meld is not None
    grown = replace(
        meld,
        credit=_with(meld.credit, state.turn, cards),
        doubled=meld.doubled or _fills_four_this_turn(state, meld),
        low_ace=low_ace_after(meld, cards),
    )
    melds = tuple(grown if meld.id == number else meld for meld in state.melds)
    return _played(state, cards, melds, state.laid_this_turn)


def _is_four_at_once(state: State, kind: str, cards: Cards) -> bool:
    """Four of a rank in one lay count double (R-31, G-50, G-51)."""
    return kind == "set" and cards.bit_count() == 4 and state.ruleset.quad_bonus != "none"


def _fills_four_this_turn(state: State, meld: TableMeld) -> bool:
    """Where the table plays so, three and one by the same seat in one turn do too (G-50)."""
    is_fresh = meld.kind == "set" and meld.id in state.laid_this_turn
    return is_fresh and state.ruleset.quad_bonus == "same_turn"


def _played(
    state: State, cards: Cards, melds: tuple[TableMeld, ...], laid_this_turn: tuple[int, ...]
) -> State:
    """Cards have gone from the hand to the table; with the last one the seat is out (R-24)."""
    after = replace(
        state,
        hands=_without(state.hands, state.turn, cards),
        known=_without(state.known, state.turn, cards),
        melds=melds,
        laid_this_turn=laid_this_turn,
        must_use=None,
        barred=None if state.barred is None or bit(state.barred) & cards else state.barred,
        idle_turns=0,
    )
    return after if after.hand else _ended(after, "out", state.turn)


def _discard(state: State, card: Card) -> State:
    after = replace(
        state,
        hands=_without(state.hands, state.turn, bit(card)),
        known=_without(state.known, state.turn, bit(card)),
        pile=state.pile + bytes((card,)),
    )
    if not after.hand and state.ruleset.go_out_by_discard:
        return _ended(after, "out", state.turn)
    return _next_turn(after)


def _pass(state: State) -> State:
    after = replace(state, passes=state.passes + 1, idle_turns=state.idle_turns + 1)
    if after.passes == len(SEATS) or state.ruleset.stock_out == "first_pass":
        return _ended(after, "blocked", None)
    return _next_turn(after)


def _next_turn(state: State) -> State:
    if state.idle_turns >= MOST_IDLE_TURNS:
        return _ended(state, "blocked", None)
    return replace(
        state,
        turn=left_of(state.turn),
        phase="draw",
        barred=None,
        laid_this_turn=(),
        turn_no=state.turn_no + 1,
    )


def _ended(state: State, ended: Ended, out_seat: Seat | None) -> State:
    return replace(
        state, phase="over", ended=ended, out_seat=out_seat, barred=None, laid_this_turn=()
    )


def _with(by_seat: BySeat, seat: Seat, added: Cards) -> BySeat:
    return _replaced(by_seat, seat, Cards(by_seat[seat] | added))


def _without(by_seat: BySeat, seat: Seat, gone: Cards) -> BySeat:
    return _replaced(by_seat, seat, Cards(by_seat[seat] & ~gone))


def _replaced(by_seat: BySeat, seat: Seat, cards: Cards) -> BySeat:
    hands = [*by_seat]
    hands[seat] = cards
    a, b, c, d = hands
    return a, b, c, d
