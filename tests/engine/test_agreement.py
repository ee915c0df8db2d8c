"""The list of legal actions, the law, and the slow twin say the same at every state of random play.

For each ruleset a few deals are played by seats of random temper. At every state a universe of
actions is put to all three: whatever the law lets pass stands in the list, and nothing else does;
engine and twin name the same fault; and what is legal leads both to the same state.
`TEST_DEALS` says how many deals each ruleset plays.
"""

import os
from collections.abc import Iterator
from itertools import combinations
from random import Random

import msgspec
import pytest

from engine.actions import Action, Discard, DrawDiscard, DrawStock, LayOff, Meld, Pass
from engine.cards import PACK_SIZE, Card, Seat, card, in_order
from engine.play import IllegalAction, apply, legal_actions
from engine.rules import violation
from engine.state import State
from tests.engine.random_play import choose, fresh_deal, tempers, wild_action
from tests.engine.rulesets import RULESETS
from tests.engine.tables import outline, twin_action_of, twin_of
from tests.engine.twin import Twin
from tests.engine.twin_cards import possible_melds, whole_pack
from tests.engine.twin_state import TwinAction

DEALS = int(os.environ.get("TEST_DEALS", "2"))
SMALL_HAND = 6
EVERY_MELD = [tuple(sorted(cards)) for cards in possible_melds(whole_pack(4), "high_or_low")]


@pytest.mark.parametrize("name", RULESETS)
def test_list_law_and_twin_agree(name: str) -> None:
    chance = Random(f"agreement {name}")
    positions = 0
    for _ in range(DEALS):
        seats = tempers(chance)
        state = fresh_deal(RULESETS[name], chance)
        while state.phase != "over":
            check(state, chance)
            positions += 1
            state = apply(
                state, state.turn, choose(legal_actions(state), seats[state.turn], chance)
            )
        check(state, chance)
    assert positions > DEALS


def check(state: State, chance: Random) -> None:
    """All that is claimed about one state."""
    twin = twin_of(state)
    legal = legal_actions(state)
    listed = {twin_action_of(one) for one in legal}
    assert len(listed) == len(legal), "an action is listed twice"
    assert listed == set(twin.legal())
    asked = {twin_action_of(one) for one in universe(state, twin, chance)} | listed
    for told in asked:
        chosen = action_of(told)
        broken = violation(state, state.turn, chosen)
        assert broken == twin.violation(state.turn, told), told
        assert (broken is None) == (told in listed), told
    before = msgspec.msgpack.encode(state)
    for told in chance.sample(sorted(listed), min(len(listed), 6)):
        check_step(state, twin, told)
    for told in chance.sample(sorted(asked - listed), min(len(asked - listed), 3)):
        with pytest.raises(IllegalAction):
            apply(state, state.turn, action_of(told))
    other = Seat((state.turn + 1 + chance.randrange(3)) % 4)
    for told in chance.sample(sorted(asked), min(len(asked), 3)):
        assert violation(state, other, action_of(told)) == twin.violation(other, told)
    assert msgspec.msgpack.encode(state) == before


def check_step(state: State, twin: Twin, told: TwinAction) -> None:
    """A legal action leads both to the same place."""
    after = apply(state, state.turn, action_of(told))
    assert outline(twin_of(after)) == outline(twin.after(told)), told


def universe(state: State, twin: Twin, chance: Random) -> Iterator[Action]:
    """Far more actions than can be legal: all of a kind where that is few, else many."""
    yield from (DrawStock(), Pass(), Meld(()))
    yield from (kind(Card(one)) for kind in (DrawDiscard, Discard) for one in range(PACK_SIZE))
    yield from (wild_action(state, chance) for _ in range(20))
    if state.phase != "play":
        return
    if chance.random() < 0.1:
        yield from (action_of(("meld", cards)) for cards in EVERY_MELD)
    hand = sorted(twin.hands[twin.turn])
    if len(hand) <= SMALL_HAND:
        yield from (action_of(told) for told in twin.every_subset())
    for number, meld in twin.melds.items():
        near = [
            held
            for held in hand
            if any(held[0] == other[0] or held[1] == other[1] for other in meld.played)
        ]
        for some in subsets(near, chance):
            yield action_of(("lay_off", some, number))
            yield action_of(("meld", some))


def subsets(cards: list[str], chance: Random) -> Iterator[tuple[str, ...]]:
    """All subsets of a few cards; of many cards all small ones and some large ones."""
    full = 3 if len(cards) > SMALL_HAND else len(cards)
    few = cards if len(cards) <= 9 else chance.sample(cards, 9)
    for size in range(1, full + 1):
        yield from combinations(few, size)
    for _ in range(10 if len(cards) > SMALL_HAND else 0):
        yield tuple(chance.sample(cards, chance.randint(4, len(cards))))


def action_of(told: TwinAction) -> Action:
    """The engine's form of a twin's action."""
    match told:
        case ("draw_stock",):
            return DrawStock()
        case ("pass",):
            return Pass()
        case ("draw_discard", one):
            return DrawDiscard(card(one))
        case ("discard", one):
            return Discard(card(one))
        case ("meld", some):
            return Meld(in_order([card(one) for one in some]))
        case ("lay_off", some, number):
            return LayOff(in_order([card(one) for one in some]), number)
    raise AssertionError(told)
