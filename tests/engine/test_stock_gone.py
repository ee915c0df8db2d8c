"""The stock is gone: take what can be played, or pass, until nobody wants to."""

from tests.engine.both import Table
from tests.engine.tables import house


def test_g62_who_draws_the_last_card_finishes_the_turn() -> None:
    table = Table(hands=["4S 4D 4H 2C", "KC"], stock="9C", pile="KD")
    table.play("draw_stock", "meld 4S 4D 4H", "discard 2C").refused("draw_stock", "stock_empty")
    table.play("pass")


def test_g63_a_pass_is_the_whole_turn() -> None:
    table = Table(hands=["4S 4D 4H", "KC"], pile="KD").play("pass")
    assert table.where == (1, "draw")
    assert table.hand(0) == "4D 4H 4S"


def test_g63_passing_is_free_though_a_take_is_legal() -> None:
    table = Table(hands=["KS KC", "2C"], pile="KD")
    assert table.takes == "KD"
    table.play("pass")


def test_g64_a_take_begins_the_count_of_passes_again() -> None:
    table = Table(hands=["2C", "3C", "4C", "KS KC 5C"], pile="KD")
    table.play("pass", "pass", "pass", "draw_discard KD", "meld KD KS KC", "discard 5C")
    assert table.state.passes == 0
    table.play("pass", "pass", "pass")
    assert table.ended() == (None, None)
    table.play("pass")
    assert table.ended() == ("blocked", None)


def test_g64_in_the_base_game_the_first_pass_ends_the_deal() -> None:
    table = Table(ruleset=house("partnership-500"), hands=["2C", "3C", "4C", "5C"], pile="KD")
    table.play("pass")
    assert table.ended() == ("blocked", None)
    assert table.scores == (-6, -8)


def test_g62_without_stock_any_depth_may_be_taken_still() -> None:
    table = Table(hands=["5D 5H KS", "2C"], pile="5C 9D JD TD QD 2H")
    assert table.takes == "5C 9D JD"
    table.play("draw_discard 5C", "meld 5C 5D 5H", "discard KS")


def test_r26_a_draw_from_the_stock_leaves_no_pass_in_a_row() -> None:
    table = Table(hands=["2C", "3C"], stock="4C", pile="KD", passes=2).play("draw_stock")
    assert table.state.passes == 0
