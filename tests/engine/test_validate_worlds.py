"""What is judged with cards unknown agrees with every world that those cards leave open.

`TEST_DEALS` says how many deals each ruleset plays.
"""

import os
from collections.abc import Iterator
from itertools import combinations
from random import Random

import pytest
from msgspec.structs import replace

from engine.actions import Action, DrawDiscard, DrawStock, cards_named
from engine.cards import SEATS, Card, Cards, Seat, each, mask_of
from engine.judging.faults import faults
from engine.judging.judgement import Judgement, judge
from engine.judging.position import Hand, Position, full_position, known_in, size_of
from engine.judging.table import given, state_of, table_of, whole_pack
from engine.play import apply, legal_actions
from engine.rules import violation
from engine.scoring import ledger, table_points
from engine.state import State
from tests.engine.random_play import wild_action
from tests.engine.rulesets import RULESETS
from tests.engine.told import blanked, random_states

DEALS = int(os.environ.get("TEST_DEALS", "1"))
FEW_CARDS = 7
"""So few unknown cards are tried in every way."""


@pytest.mark.parametrize("name", RULESETS)
def test_with_every_card_known_the_verdict_is_that_of_the_rules(name: str) -> None:
    chance = Random(f"all known {name}")
    for _ in range(DEALS):
        for state in random_states(RULESETS[name], chance):
            if chance.random() < 0.4:
                action = some_action(state, chance)
                found = judge(full_position(state, (5, -5)), state.ruleset, [action])
                check_against_rules(state, action, found)


def check_against_rules(state: State, action: Action, found: Judgement) -> None:
    """The judgement of an action says what `violation`, `apply` and `ledger` say."""
    broken = violation(state, state.turn, action)
    assert found.legal is (broken is None)
    assert not found.unknown
    assert (found.refusal.violation if found.refusal else None) == broken
    after = state if broken else apply(state, state.turn, action)
    totals = (5, -5)
    if after.ended and not broken:
        account = ledger(after)
        assert found.deal_ended == account
        assert account.scores is not None
        totals = (5 + account.scores[0], -5 + account.scores[1])
    else:
        assert found.deal_ended is None
    assert found.position == full_position(after, totals)
    assert found.table_points == table_points(after)
    listed = None if after.phase == "over" else tuple(legal_actions(after))
    assert found.legal_actions == listed


@pytest.mark.parametrize("name", RULESETS)
def test_a_verdict_holds_in_worlds_drawn_at_random(name: str) -> None:
    chance = Random(f"worlds {name}")
    for _ in range(DEALS):
        for state in random_states(RULESETS[name], chance):
            if state.phase == "over" or chance.random() < 0.7:
                continue
            seats = tuple(seat for seat in SEATS if seat == state.turn or chance.random() < 0.7)
            position = blanked(full_position(state, (0, 0)), seats, chance)
            sampled = [state, *(sample(position, state, chance) for _ in range(6))]
            check_verdict(position, some_action(state, chance), sampled)


@pytest.mark.parametrize("name", RULESETS)
def test_a_verdict_is_given_exactly_when_all_worlds_agree(name: str) -> None:
    chance = Random(f"every world {name}")
    for _ in range(DEALS):
        for state in random_states(RULESETS[name], chance):
            if state.phase == "over" or chance.random() < 0.8:
                continue
            position = nearly_told(state, chance)
            possible = list(every_world(position, state))
            assert possible
            for _ in range(3):
                action = some_action(state, chance)
                found = check_verdict(position, action, possible)
                verdicts = {violation(world, world.turn, action) for world in possible}
                assert (found.legal is None) == (len(verdicts) > 1), (position, action)
            check_list(position, judge(position, state.ruleset, []), possible)


@pytest.mark.parametrize("name", RULESETS)
def test_a_turn_judged_on_a_seats_view_goes_as_far_as_the_seat_can_know(name: str) -> None:
    chance = Random(f"turns {name}")
    for state in random_states(RULESETS[name], chance):
        if state.phase != "draw" or chance.random() < 0.5:
            continue
        others = tuple(seat for seat in SEATS if seat != state.turn)
        position = counted(full_position(state, (0, 0)), others)
        played, after = whole_turn(state, chance)
        found = judge(position, state.ruleset, played, seat=state.turn)
        drawn = mask_of(state.stock[:1]) if state.stock else 0
        uses_drawn = any(mask_of(cards_named(action)) & drawn for action in played[1:])
        if uses_drawn and isinstance(played[0], DrawStock):
            assert found.legal is None
        else:
            assert found.legal is True
            assert could_be(found.position, after)
            assert found.unknown == (isinstance(played[0], DrawStock) or after.phase == "over")


def whole_turn(state: State, chance: Random) -> tuple[list[Action], State]:
    """Legal actions up to the end of the turn, and where they lead."""
    played, seat = list[Action](), state.turn
    while state.phase != "over" and (state.turn == seat or not played):
        played.append(chance.choice(legal_actions(state)))
        state = apply(state, seat, played[-1])
    return played, state


def counted(position: Position, seats: tuple[Seat, ...]) -> Position:
    """The position with the stock and the hands of these seats told as counts."""
    a, b, c, d = (
        size_of(position.hands[seat]) if seat in seats else position.hands[seat] for seat in SEATS
    )
    assert not isinstance(position.stock, int)
    return replace(position, hands=(a, b, c, d), stock=len(position.stock))


def check_verdict(position: Position, action: Action, possible: list[State]) -> Judgement:
    """No world contradicts the verdict, nor what it says of the position after."""
    found = judge(position, possible[0].ruleset, [action])
    broken = found.refusal.violation if found.refusal else None
    for world in possible:
        if found.legal is not None:
            assert violation(world, world.turn, action) == broken, (position, action)
        if found.legal:
            after = apply(world, world.turn, action)
            assert could_be(found.position, after), (position, action)
            assert found.table_points == table_points(after)
            if found.deal_ended:
                assert found.deal_ended == ledger(after)
            if found.legal_actions is not None and after.turn != world.turn:
                assert set(found.legal_actions) <= set(legal_actions(after))
    if found.legal is None:
        assert found.unknown
        assert found.deal_ended is None
        assert found.refusal is None
    return found


def check_list(position: Position, found: Judgement, possible: list[State]) -> None:
    """The list holds what is legal in every world; `unknown` says that more is in some."""
    lists = [set(legal_actions(world)) for world in possible]
    assert found.legal_actions is not None
    certain = set.intersection(*lists)
    assert set(found.legal_actions) == certain, position
    assert found.unknown == any(listed != certain for listed in lists), position


def could_be(position: Position, state: State) -> bool:
    """Whether a position told of this state says nothing that is not so."""
    whole = full_position(state, position.totals)
    hands = all(
        size_of(told) == size_of(true) and set(known_in(told)) <= set(known_in(true))
        for told, true in zip(position.hands, whole.hands, strict=True)
    )
    assert not isinstance(whole.stock, int)
    stock = position.stock in (whole.stock, len(whole.stock))
    return (
        hands
        and stock
        and replace(whole, hands=position.hands, stock=position.stock)
        == replace(position, partial=False)
    )


def some_action(state: State, chance: Random) -> Action:
    """A legal action, a wild one, or a take."""
    kind = chance.randrange(4)
    if state.phase == "draw" and kind == 0 and state.pile:
        return DrawDiscard(Card(chance.choice(list(state.pile))))
    legal = legal_actions(state)
    return chance.choice(legal) if legal and kind < 3 else wild_action(state, chance)


def sample(position: Position, true: State, chance: Random) -> State:
    """A world at random that the position leaves open, if one turns up; else the true one."""
    table = table_of(position, true.ruleset)
    for _ in range(20):
        pool = list(each(table.pool))
        chance.shuffle(pool)
        world = filled(table.state, table.unknown, pool, table.hidden_stock)
        if not faults(full_position(world, (0, 0)), true.ruleset):
            return replace(world, idle_turns=true.idle_turns, laid_this_turn=true.laid_this_turn)
    return true


def filled(state: State, unknown: tuple[int, ...], pool: list[Card], hidden: int) -> State:
    """The state with cards of the pool in the places that are not known."""
    hands = []
    for seat in SEATS:
        hands.append(Cards(state.hands[seat] | mask_of(pool[: unknown[seat]])))
        pool = pool[unknown[seat] :]
    a, b, c, d = hands
    return replace(state, hands=(a, b, c, d), stock=bytes(pool[:hidden]) if hidden else state.stock)


def nearly_told(state: State, chance: Random) -> Position:
    """The position with a few cards unknown, of the hand to act and elsewhere.

    Other cards than these may be missing: then the stock has fewer cards than were there.
    """
    whole = full_position(state, (0, 0))
    hands: list[Hand] = list(whole.hands)
    for seat in {state.turn, Seat(chance.randrange(4))}:
        hand = known_in(hands[seat])
        hidden = chance.sample(range(len(hand)), min(len(hand), chance.randrange(1, 4)))
        hands[seat] = tuple(None if at in hidden else one for at, one in enumerate(hand))
    a, b, c, d = hands
    assert not isinstance(whole.stock, int)
    known = whole.stock[: max(1, len(whole.stock) - chance.randrange(3))]
    return replace(whole, hands=(a, b, c, d), stock=known, partial=True)


def every_world(position: Position, true: State) -> Iterator[State]:
    """All the worlds that the position leaves open: each hand to act, whatever the rest."""
    state, ruleset = state_of(position, true.ruleset), true.ruleset
    unknown = [size_of(hand) - len(known_in(hand)) for hand in position.hands]
    pool = list(each(Cards(whole_pack(ruleset) & ~given(state))))
    assert len(pool) <= FEW_CARDS + 2
    for chosen in combinations(pool, unknown[state.turn]):
        hands = list(state.hands)
        hands[state.turn] = Cards(hands[state.turn] | mask_of(chosen))
        others = [card for card in pool if card not in chosen]
        for seat in SEATS:
            if seat != state.turn:
                hands[seat] = Cards(hands[seat] | mask_of(others[: unknown[seat]]))
                others = others[unknown[seat] :]
        a, b, c, d = hands
        world = replace(state, hands=(a, b, c, d))
        if not faults(replace(full_position(world, (0, 0)), partial=True), ruleset):
            yield replace(world, idle_turns=true.idle_turns, laid_this_turn=true.laid_this_turn)
