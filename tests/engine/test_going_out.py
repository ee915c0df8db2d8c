"""Discards, the last card, going out, and players who hold no card and play on."""

import pytest

from tests.engine.both import Table
from tests.engine.tables import house


def test_g41_a_turn_ends_with_a_discard_and_with_nothing_else() -> None:
    table = Table(hands=["4S 4D 4H KC", "2C"], stock="3C").play("draw_stock", "meld 4S 4D 4H")
    assert table.where == (0, "play")
    table.play("discard KC")
    assert table.where == (1, "draw")


def test_r24_out_with_a_meld_and_no_discard() -> None:
    table = Table(hands=["4S 4D", "2C"], stock="4H").play("draw_stock", "meld 4S 4D 4H")
    assert table.ended() == ("out", 0)
    assert table.pile == ""


def test_r24_out_with_a_lay_off_on_an_opponents_meld() -> None:
    table = Table(hands=["8S", "2C"], stock="9S", melds=["5S 6S 7S @1"])
    table.play("draw_stock", "lay_off 8S 9S on 1")
    assert table.ended() == ("out", 0)
    assert table.scores == (17 + 25, 18 - 2)


def test_r25_the_last_card_discarded_does_not_end_the_deal() -> None:
    table = Table(hands=["4S 4D 4H", "2C"], stock="KC").play("draw_stock", "meld 4S 4D 4H")
    table.play("discard KC")
    assert table.ended() == (None, None)
    assert table.hand(0) == ""


def test_g43_or_it_does_where_the_table_plays_so() -> None:
    table = Table(
        ruleset=house(go_out_by_discard=True), hands=["4S 4D 4H", "2C", "9C"], stock="KC"
    ).play("draw_stock", "meld 4S 4D 4H", "discard KC")
    assert table.ended() == ("out", 0)
    assert table.pile == "KC"
    assert table.scores == (12 + 25 - 9, -2)


def test_g43_a_discard_with_a_card_left_ends_nothing() -> None:
    table = Table(ruleset=house(go_out_by_discard=True), hands=["4S", "2C"], stock="KC")
    table.play("draw_stock", "discard KC")
    assert table.ended() == (None, None)


def test_g44_one_card_is_laid_off_or_discarded() -> None:
    table = Table(hands=["", "2C"], stock="8S", melds=["5S 6S 7S @1"]).play("draw_stock")
    assert table.legal("lay_off") == {"lay_off 8S on 1"}
    assert table.legal("discard") == {"discard 8S"}
    assert table.legal("meld") == set()


def test_g45_a_floating_player_goes_out_with_the_card_it_draws() -> None:
    table = Table(hands=["", "2C"], stock="KC 5H", melds=["6H 7H 8H @1"])
    table.play("draw_stock", "discard KC", "draw_stock", "discard 2C")
    table = Table(hands=["", "2C"], stock="5H", melds=["6H 7H 8H @1"])
    table.play("draw_stock", "lay_off 5H on 1")
    assert table.ended() == ("out", 0)


@pytest.mark.parametrize(
    ("pile", "takes"),
    [("5H", "5H"), ("KC", ""), ("KC KD KH", "KC"), ("KC KD", ""), ("4H 5H 2C", "4H 5H")],
)
def test_g45_a_floating_player_takes_what_needs_no_hand_card(pile: str, takes: str) -> None:
    table = Table(hands=["", "2D"], stock="3C", pile=pile, melds=["6H 7H 8H @1"])
    assert table.takes == takes


def test_g45_a_floating_player_goes_out_with_cards_of_the_pile_alone() -> None:
    table = Table(hands=["", "2D"], stock="3C", pile="9C KC KD KH", melds=["6H 7H 8H @1"])
    table.play("draw_discard KC", "meld KC KD KH")
    assert table.ended() == ("out", 0)


def test_g45_a_floating_player_may_pass_without_stock_and_is_never_skipped() -> None:
    table = Table(hands=["", "2C", "", "3C"], pile="KD").play("pass", "pass", "pass")
    assert table.where == (3, "draw")


def test_g46_out_at_once_though_more_was_taken() -> None:
    table = Table(hands=["9S 9C", "2C"], stock="3C", pile="9D 9H")
    table.play("draw_discard 9D", "meld 9S 9C 9D 9H")
    assert table.ended() == ("out", 0)


@pytest.mark.parametrize("seat", [0, 1, 2, 3])
def test_g48_after_somebody_is_out_nobody_plays(seat: int) -> None:
    table = Table(hands=["8S", "9S", "TS", "4S"], stock="2C", melds=["5S 6S 7S @1"], phase="play")
    table.play("lay_off 8S on 1").refused("lay_off 9S on 1", "game_over", seat=seat)
    assert table.state.hands[2] != 0
