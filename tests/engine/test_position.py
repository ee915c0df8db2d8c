"""Positions of real games are without fault, and tell what their viewer may know and no more."""

from random import Random

import pytest
from msgspec.structs import replace

from engine.cards import SEATS, Seat, each, in_order
from engine.game import Forfeit, Game, Opening, advance, open_game
from engine.judging.faults import faults
from engine.judging.position import full_position, in_answer_order, seen_position
from engine.judging.table import table_of
from engine.ruleset import resolve
from engine.state import State
from engine.view import ORGANISER, SPECTATOR, Viewer
from tests.engine.rulesets import RULESETS
from tests.engine.told import blanked, random_game, random_states, written

VIEWERS = (*(Viewer("seat", seat) for seat in SEATS), SPECTATOR, ORGANISER)


@pytest.mark.parametrize("name", RULESETS)
def test_a_real_deal_has_no_fault_told_in_full_or_half_and_is_judged_as_it_stands(
    name: str,
) -> None:
    chance = Random(f"told in full {name}")
    for state in random_states(RULESETS[name], chance):
        position = full_position(state, (0, 0))
        assert faults(position, state.ruleset) == []
        assert comparable(table_of(position, state.ruleset).state) == comparable(state)
        assert in_answer_order(position, state.ruleset) == position
        seats = tuple(seat for seat in SEATS if chance.random() < 0.7)
        assert faults(blanked(position, seats, chance), state.ruleset) == []


def comparable(state: State) -> State:
    """A state without what no position tells: how it came about, and what others remember."""
    plain = State()
    is_free = state.ruleset.top_discard == "free"
    says_laid = state.ruleset.quad_bonus == "same_turn"
    return replace(
        state,
        known=plain.known,
        turn_no=plain.turn_no,
        ended=None,
        out_seat=None,
        turn=Seat(0) if state.phase == "over" else state.turn,
        laid_this_turn=state.laid_this_turn if says_laid else (),
        idle_turns=state.idle_turns if is_free else plain.idle_turns,
    )


@pytest.mark.parametrize("name", ["persian", "persian top_discard=free"])
def test_whatever_a_viewer_sees_of_a_real_deal_has_no_fault(name: str) -> None:
    for game in random_game(name, Random(f"viewers {name}")):
        assert game.state is not None
        for viewer in VIEWERS:
            assert faults(seen_position(game, viewer), game.state.ruleset) == []


def a_game(**opening: object) -> Game:
    return open_game(
        # Any keyword of `Opening`.
        Opening(players=("n", "e", "s", "w"), secret=b"s" * 32, **opening)  # type: ignore[arg-type]
    )


def test_a_seat_sees_its_own_hand_and_counts() -> None:
    game = a_game()
    assert game.state is not None
    seen = seen_position(game, Viewer("seat", Seat(2)))
    assert seen.hands == (7, 7, in_order(each(game.state.hands[2])), 7)
    assert seen.stock == 27
    assert seen.pile == game.state.pile


@pytest.mark.parametrize("viewer", [SPECTATOR, ORGANISER])
def test_who_has_no_hand_sees_four_counts(viewer: Viewer) -> None:
    assert seen_position(a_game(), viewer).hands == (7, 7, 7, 7)


def test_an_organiser_who_sees_all_sees_the_hands_but_not_the_stock() -> None:
    game = a_game(organiser_sees_all=True)
    assert game.state is not None
    seen = seen_position(game, ORGANISER)
    assert seen.hands == tuple(in_order(each(hand)) for hand in game.state.hands)
    assert seen.stock == 27
    assert seen_position(game, SPECTATOR).hands == (7, 7, 7, 7)


@pytest.mark.parametrize("viewer", VIEWERS)
def test_everybody_sees_all_once_the_game_is_over(viewer: Viewer) -> None:
    game = advance(a_game(), Seat(1), Forfeit("B"))
    assert game.state is not None
    seen = seen_position(game, viewer)
    assert seen == full_position(game.state, game.totals)
    assert (seen.turn, seen.phase, seen.stock) == (None, "over", game.state.stock)


def test_what_an_option_needs_is_told_where_it_is_needed_only() -> None:
    free, same_turn = resolve("persian", {"top_discard": "free"}), {"quad_bonus": "same_turn"}
    plain = written(melds=["4C 4D 4H @0"], idle_turns=0)
    assert plain.melds[0].laid_this_turn is None
    state = State(ruleset=free, idle_turns=3)
    assert full_position(state, (0, 0)).idle_turns == 3
    assert full_position(State(idle_turns=3), (0, 0)).idle_turns is None
    laid = table_of(written(melds=["4C 4D 4H @0"], laid=(1,)), resolve("persian", same_turn)).state
    assert full_position(laid, (0, 0)).melds[0].laid_this_turn is True
