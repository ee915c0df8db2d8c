"""Every way to be refused: one test for each violation, the order of the checks, the cards shown.

Each refusal is the engine's and the twin's, and leaves the state as it was.
"""

from collections.abc import Callable

import pytest

from engine.actions import LayOff, Meld
from engine.cards import Seat
from engine.rulebook import Violation
from engine.rules import violation
from tests.engine.both import Table
from tests.engine.tables import house

FREE = house(top_discard="free")
ONLY_NEW = house(pickup_use="new_meld_only")


def before_draw(**changes: object) -> Table:
    """Seat 0 is to draw: it holds four fours and a three, and 9D on the pile is of no use."""
    usual = {
        "hands": ["4S 4D 4H 4C 3H", "7C"],
        "stock": "2S 3S",
        "pile": "KC 9D",
        "melds": ["5S 6S 7S @1"],
    }
    return Table(**usual | changes)


def after_draw(**changes: object) -> Table:
    """Seat 0 has drawn 2S."""
    return before_draw(**changes).play("draw_stock")


def after_take() -> Table:
    """Seat 0 has taken 9D and must use it."""
    return Table(
        hands=["9S 9C 3H 3C 3D KD 8S", "7C"], stock="2S", pile="7H 9D", melds=["5S 6S 7S @1"]
    ).play("draw_discard 9D")


def after_free_take() -> Table:
    """Seat 0 has taken 9D, which it may keep but not throw back."""
    table = Table(ruleset=FREE, hands=["3H KD", "7C"], stock="2S", pile="7H 9D")
    return table.play("draw_discard 9D")


def over() -> Table:
    """Seat 0 has gone out."""
    table = Table(hands=["4S 4D 4H"], pile="4C", stock="2S")
    return table.play("draw_discard 4C", "meld 4S 4D 4H 4C")


# --- one for each ---


@pytest.mark.parametrize("line", ["draw_stock", "pass", "draw_discard KC", "discard 4S"])
@pytest.mark.parametrize("seat", [0, 1, 2, 3])
def test_r32_game_over(line: str, seat: int) -> None:
    over().refused(line, "game_over", seat=seat)


@pytest.mark.parametrize("seat", [1, 2, 3])
@pytest.mark.parametrize("line", ["draw_stock", "pass", "discard 7C", "meld 4S 4D 4H"])
def test_r15_not_your_turn(line: str, seat: int) -> None:
    before_draw().refused(line, "not_your_turn", seat=seat)


@pytest.mark.parametrize("line", ["meld 4S 4D 4H", "lay_off 4S on 1", "discard 3H"])
def test_r14_draw_first(line: str) -> None:
    before_draw().refused(line, "draw_first")


@pytest.mark.parametrize("line", ["draw_stock", "draw_discard KC", "pass"])
def test_r14_already_drawn(line: str) -> None:
    after_draw().refused(line, "already_drawn")
    after_take().refused(line, "already_drawn")


def test_r26_stock_empty() -> None:
    before_draw(stock="").refused("draw_stock", "stock_empty")


def test_r26_pass_not_allowed() -> None:
    before_draw().refused("pass", "pass_not_allowed")


@pytest.mark.parametrize("line", ["draw_discard 4S", "draw_discard 2S", "draw_discard 7C"])
def test_r16_card_not_in_pile(line: str) -> None:
    before_draw().refused(line, "card_not_in_pile")


@pytest.mark.parametrize("line", ["draw_discard 9D", "draw_discard KC"])
def test_r18_pickup_unusable(line: str) -> None:
    before_draw().refused(line, "pickup_unusable")


@pytest.mark.parametrize("line", ["discard 3H", "discard 9D", "meld 3H 3C 3D", "lay_off 8S on 1"])
def test_r18_must_use_pickup(line: str) -> None:
    after_take().refused(line, "must_use_pickup")


def test_g29_a_card_freely_taken_is_not_thrown_back() -> None:
    after_free_take().refused("discard 9D", "must_use_pickup").play("discard KD")


def test_g29_unless_it_is_the_only_card() -> None:
    table = Table(ruleset=FREE, hands=["", "7C"], stock="2S", pile="7H 9D")
    table.play("draw_discard 9D", "discard 9D")
    assert table.where == (1, "draw")


def test_g30_a_lay_off_does_not_use_the_card_where_only_a_new_meld_does() -> None:
    table = Table(
        ruleset=ONLY_NEW, hands=["9S 9C KD"], stock="2S", pile="9D", melds=["6D 7D 8D @1"]
    )
    table.play("draw_discard 9D").refused("lay_off 9D on 1", "must_use_pickup")
    table.play("meld 9S 9C 9D", "discard KD")


@pytest.mark.parametrize("line", ["meld 4S 4S 4D", "meld 4S 4D 4H 4H", "lay_off 3H 3H on 1"])
def test_g71_duplicate_card(line: str) -> None:
    after_draw().refused(line, "duplicate_card")


@pytest.mark.parametrize(
    "line", ["meld 3C 3D 3H", "lay_off 8S on 1", "discard 7C", "discard 9D", "discard 5S"]
)
def test_g71_card_not_in_hand(line: str) -> None:
    after_draw().refused(line, "card_not_in_hand")


@pytest.mark.parametrize("line", ["meld 4S 4D 3H", "meld 4S 4D", "meld 4S", "meld 2S 4S 4D 4H 4C"])
def test_r11_bad_meld(line: str) -> None:
    after_draw().refused(line, "bad_meld")


@pytest.mark.parametrize("number", [0, 2, 99])
def test_r21_no_such_meld(number: int) -> None:
    after_draw().refused(f"lay_off 4S on {number}", "no_such_meld")


@pytest.mark.parametrize("line", ["lay_off 4D on 1", "lay_off 4S 3H on 1", "lay_off 2S on 1"])
def test_r20_bad_lay_off(line: str) -> None:
    after_draw().refused(line, "bad_lay_off")


def test_r20_no_card_at_all_is_no_lay_off() -> None:
    table = after_draw()
    assert violation(table.state, Seat(0), LayOff((), 1)) == "bad_lay_off"
    assert violation(table.state, Seat(0), Meld(())) == "bad_meld"


# --- the order of the checks: both faults are there, the first is named ---


def test_game_over_comes_before_the_wrong_seat() -> None:
    over().refused("draw_stock", "game_over", seat=2)


def test_the_wrong_seat_comes_before_the_phase() -> None:
    before_draw().refused("discard 3H", "not_your_turn", seat=1)
    after_draw().refused("draw_stock", "not_your_turn", seat=1)


@pytest.mark.parametrize(
    "line", ["lay_off 4D on 7", "meld 4S 4S", "meld 2C 3C 4C", "discard KH", "lay_off 9D 9D on 1"]
)
def test_the_draw_comes_before_what_is_wrong_with_the_cards(line: str) -> None:
    before_draw().refused(line, "draw_first")


@pytest.mark.parametrize("line", ["draw_discard 2H", "draw_discard 9D", "pass"])
def test_already_drawn_comes_before_what_is_wrong_with_the_draw(line: str) -> None:
    after_draw().refused(line, "already_drawn")


def test_already_drawn_comes_before_the_empty_stock() -> None:
    before_draw(stock="2S").play("draw_stock").refused("draw_stock", "already_drawn")


def test_a_discard_with_the_pickup_open_is_that_before_any_card_is_looked_at() -> None:
    after_take().refused("discard AH", "must_use_pickup")


def test_no_such_meld_comes_before_a_card_named_twice() -> None:
    after_draw().refused("lay_off 4S 4S on 7", "no_such_meld")


def test_no_such_meld_comes_before_a_card_not_held() -> None:
    after_draw().refused("lay_off KH on 7", "no_such_meld")


def test_no_such_meld_comes_before_the_pickup() -> None:
    after_take().refused("lay_off 8S on 7", "no_such_meld")


def test_a_card_named_twice_comes_before_a_card_not_held() -> None:
    after_draw().refused("meld KH KH QH", "duplicate_card")
    after_draw().refused("lay_off 8S 8S on 1", "duplicate_card")


def test_a_card_not_held_comes_before_a_bad_meld() -> None:
    after_draw().refused("meld 4S 4D KH", "card_not_in_hand")
    after_draw().refused("lay_off 3H KH on 1", "card_not_in_hand")


def test_a_bad_meld_comes_before_the_pickup() -> None:
    after_take().refused("meld 3H 3C KD", "bad_meld")
    after_take().refused("lay_off 3H on 1", "bad_lay_off")


def test_a_card_not_in_the_pile_comes_before_its_use() -> None:
    before_draw().refused("draw_discard 9C", "card_not_in_pile")


# --- the cards that a refusal points at ---


@pytest.mark.parametrize(
    ("table", "line", "cards"),
    [
        (after_draw, "meld 4S 4S 4D", "4S"),
        (after_draw, "meld 4S 4D KH", "KH"),
        (after_draw, "lay_off 4S 8S 9S on 1", "8S 9S"),
        (after_draw, "meld 4S 4D 3H", "4D 3H 4S"),
        (after_draw, "lay_off 3H on 1", "3H"),
        (after_draw, "lay_off 4S on 7", "4S"),
        (after_draw, "discard AH", "AH"),
        (after_draw, "draw_stock", ""),
        (after_draw, "draw_discard KC", "KC"),
        (before_draw, "draw_discard 9D", "9D"),
        (before_draw, "draw_discard AH", "AH"),
        (before_draw, "pass", ""),
        (before_draw, "meld 4S 4D 4H", "4D 4H 4S"),
        (after_take, "discard 3H", "9D"),
        (after_take, "meld 3H 3C 3D", "9D"),
        (after_take, "lay_off 8S on 1", "9D"),
        (after_free_take, "discard 9D", "9D"),
    ],
)
def test_cards_of_a_refusal(table: Callable[[], Table], line: str, cards: str) -> None:
    assert table().offending(line) == cards


def test_the_list_is_closed() -> None:
    assert {one.value for one in Violation} == {
        "game_over",
        "not_your_turn",
        "draw_first",
        "already_drawn",
        "stock_empty",
        "pass_not_allowed",
        "card_not_in_pile",
        "pickup_unusable",
        "must_use_pickup",
        "duplicate_card",
        "card_not_in_hand",
        "bad_meld",
        "no_such_meld",
        "bad_lay_off",
    }
