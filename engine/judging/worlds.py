"""What may lie behind a position: the worlds that its unknown cards leave open.

A verdict hangs on unknown cards only through what the acting hand holds, and there only in a few
ways: it has the cards that an action names or lacks one, it can play a card of the pile or cannot.
So a few worlds, one for each way, stand for all of them, and `rules.violation` judges each.
"""

from collections.abc import Sequence
from functools import lru_cache, reduce
from operator import and_
from typing import Final

from msgspec.structs import replace

from engine.actions import Action, DrawDiscard, DrawStock, cards_named
from engine.cards import NO_CARDS, Card, Cards, bit, each, mask_of
from engine.judging.table import Table, settled, with_hand, with_more
from engine.play import apply, legal_actions
from engine.state import State

FREE: Final = (NO_CARDS,)
"""Nothing is asked of the unknown cards of a hand."""


def worlds(table: Table, action: Action) -> list[State]:
    """A world for each way in which unknown cards could decide about an action of the seat to act.

    Whatever `violation` says of the action in any possible world, it says in one of these; and in
    every possible world a card that was taken from the pile, and has yet to be played, can be.
    """
    if not table.doubt:
        return [any_world(table)]
    if table.state.phase == "play":
        found = _by_named_cards(table, Cards(mask_of(cards_named(action)) & table.pool))
    elif isinstance(action, DrawDiscard) and action.card in table.state.pile:
        found = _by_use(table, action.card)
    else:
        found = [any_world(table)]
    return [world for world in found if world is not None]


def any_world(table: Table) -> State:
    """One of the worlds; the only one where the hand of the seat to act is known."""
    world = _drawn_up(table, _needed(table))
    assert world is not None
    return world


def certain_cards(table: Table) -> Cards:
    """The unknown cards that the acting hand must hold: without them it could not have taken."""
    return reduce(and_, _needed(table))


def after(table: Table, action: Action) -> Table:
    """The table after an action that is legal in every world."""
    world = worlds(table, action)[0]
    stepped = apply(world, world.turn, action)
    guessed = Cards(world.hand & ~table.state.hand)
    shown = Cards(guessed & mask_of(cards_named(action)))
    is_blind = isinstance(action, DrawStock) and table.hidden_stock > 0
    drawn = Cards(stepped.hands[world.turn] & ~world.hand) if is_blind else NO_CARDS
    known = Cards(stepped.hands[world.turn] & ~guessed & ~drawn)
    return settled(
        Table(
            state=replace(
                stepped,
                hands=with_hand(stepped.hands, world.turn, known),
                stock=table.state.stock if table.hidden_stock else stepped.stock,
            ),
            unknown=with_more(table.unknown, world.turn, is_blind - shown.bit_count()),
            hidden_stock=table.hidden_stock - is_blind,
            pool=Cards(table.pool & ~shown),
        )
    )


def widest(table: Table) -> State:
    """A state in which the seat to act can do all that it could do in any world."""
    state = table.state
    return replace(
        state,
        hands=with_hand(state.hands, state.turn, Cards(state.hand | table.pool)),
        stock=_stock(table, table.pool),
    )


def supports(state: State, target: Card, held: Cards, pool: Cards, most: int) -> list[Cards]:
    """The least sets of at most so many cards of the pool with which `target` can be played.

    `held` is what the seat to act holds for certain, the target with it. No set at all where the
    target could never be played at once; one empty set where it always can.
    """
    holding_all = replace(
        state,
        phase="play",
        must_use=target,
        hands=with_hand(state.hands, state.turn, Cards(held | pool)),
    )
    uses = {Cards(mask_of(cards_named(use)) & ~held) for use in legal_actions(holding_all)}
    least: list[Cards] = []
    for use in sorted(uses, key=int.bit_count):
        if use.bit_count() <= most and not any(use & other == other for other in least):
            least.append(use)
    return least


def _by_named_cards(table: Table, named: Cards) -> list[State | None]:
    """The hand holds all the cards that are named, or holds each of them, or lacks each."""
    needed = _needed(table)
    found = [_drawn_up(table, needed, holding=named)]
    for card in each(named):
        found.append(_drawn_up(table, needed, holding=bit(card)))
        found.append(_drawn_up(table, needed, lacking=bit(card)))
    return found


@lru_cache(maxsize=4)  # the same table is asked about one action after another
def _needed(table: Table) -> tuple[Cards, ...]:
    """The least sets of unknown cards one of which the acting hand must hold."""
    state = table.state
    if state.must_use is None or not table.doubt:
        return FREE
    return tuple(supports(state, state.must_use, state.hand, table.pool, table.doubt))


def _by_use(table: Table, target: Card) -> list[State | None]:
    """The hand holds what it takes to play a card of the pile, or does not."""
    state = table.state
    held = Cards(state.hand | mask_of(state.pile[state.pile.index(target) :]))
    ways = supports(state, target, held, table.pool, table.doubt)
    spoiling = _spoiling(ways)
    return [
        _drawn_up(table, ways),
        None if spoiling is None else _drawn_up(table, FREE, lacking=spoiling),
    ]


def _spoiling(ways: Sequence[Cards]) -> Cards | None:
    """The fewest cards without which none of these ways is left; None where one always is."""
    if not ways:
        return NO_CARDS
    tried = []
    for card in each(ways[0]):
        others = _spoiling([way for way in ways if not way & bit(card)])
        if others is not None:
            tried.append(Cards(bit(card) | others))
    return min(tried, key=int.bit_count, default=None)


def _drawn_up(
    table: Table,
    needed: Sequence[Cards],
    *,
    holding: Cards = NO_CARDS,
    lacking: Cards = NO_CARDS,
) -> State | None:
    """A world in which the acting hand holds some unknown cards and lacks others, if there is one.

    It holds at least one of the sets that are `needed`, too.
    """
    for one in needed:
        chosen = Cards(holding | one)
        spare = Cards(table.pool & ~chosen & ~lacking)
        missing = table.doubt - chosen.bit_count()
        if not chosen & lacking and 0 <= missing <= spare.bit_count():
            return _world(table, Cards(chosen | _some(spare, missing)))
    return None


def _world(table: Table, chosen: Cards) -> State:
    """The state in which these are the unknown cards of the acting hand."""
    state = table.state
    return replace(
        state,
        hands=with_hand(state.hands, state.turn, Cards(state.hand | chosen)),
        stock=_stock(table, Cards(table.pool & ~chosen)),
    )


def _stock(table: Table, spare: Cards) -> bytes:
    if not table.hidden_stock:
        return table.state.stock
    return bytes(each(_some(spare, table.hidden_stock)))


def _some(cards: Cards, number: int) -> Cards:
    """So many of these cards."""
    return mask_of(list(each(cards))[:number])
