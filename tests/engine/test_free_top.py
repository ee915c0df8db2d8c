"""The house rule of the free top card, and the guard that ends a deal in which nothing stirs."""

import pytest

from tests.engine.both import Table
from tests.engine.tables import house

FREE = house(top_discard="free")


def test_g29_the_top_card_may_be_kept() -> None:
    table = Table(ruleset=FREE, hands=["4S KD", "2C"], stock="3C", pile="7H 2S")
    assert table.takes == "2S"
    table.play("draw_discard 2S")
    assert table.must_use is None
    table.refused("discard 2S", "must_use_pickup").play("discard KD")
    assert table.hand(0) == "2S 4S"


def test_g29_thrown_back_in_a_later_turn() -> None:
    table = Table(ruleset=FREE, hands=["4S KD", "2C", "2D", "2H"], stock="3C 4C 5C 6C", pile="2S")
    table.play("draw_discard 2S", "discard KD")
    for card in ("2C", "2D", "2H"):
        table.play("draw_stock", f"discard {card}")
    table.play("draw_stock", "discard 2S")


def test_g29_deeper_cards_must_be_used_still() -> None:
    table = Table(ruleset=FREE, hands=["7S 7D KD", "2C"], stock="3C", pile="7H 2S")
    assert table.takes == "7H 2S"
    table.play("draw_discard 7H").refused("discard KD", "must_use_pickup")


def test_g29_without_stock_the_top_card_must_be_used_too() -> None:
    table = Table(ruleset=FREE, hands=["4S KD", "2C"], pile="7H 2S")
    table.refused("draw_discard 2S", "pickup_unusable")


def test_g29_everything_else_was_melded() -> None:
    table = Table(ruleset=FREE, hands=["7S 7D 7C", "2C"], stock="3C", pile="2S")
    table.play("draw_discard 2S").refused("discard 2S", "must_use_pickup")
    table.play("meld 7S 7D 7C", "discard 2S")


def test_g67_twelve_idle_turns_block_the_deal() -> None:
    """Everybody takes the card before it and throws another; eleven turns are no block yet."""
    table = Table(ruleset=FREE, hands=["2C 4C", "6C 8C", "TC QC", "2D 4D"], stock="3H", pile="KS")
    thrown = ["2C", "6C", "TC", "2D", "4C", "8C", "QC", "4D", "KS", "2C", "6C", "TC"]
    for turn, card in enumerate(thrown):
        assert table.ended() == (None, None), turn
        table.play(f"draw_discard {table.pile.split()[-1]}", f"discard {card}")
    assert table.ended() == ("blocked", None)


@pytest.mark.parametrize("stir", ["draw_stock", "lay_off"])
def test_g67_a_card_from_the_stock_or_to_the_table_begins_the_count_again(stir: str) -> None:
    table = Table(
        ruleset=FREE,
        hands=["8H 2C", "4C"],
        stock="3H 3D",
        pile="KS",
        melds=["5H 6H 7H @1"],
        idle_turns=11,
    )
    if stir == "draw_stock":
        table.play("draw_stock", "discard 2C")
    else:
        table.play("draw_discard KS", "lay_off 8H on 1", "discard 2C")
    assert table.ended() == (None, None)
    assert table.state.idle_turns == 0
