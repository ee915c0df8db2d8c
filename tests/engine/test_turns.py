"""Drawing, taking from the pile, discarding, passing, going out: the rulings, one by one."""

import pytest

from tests.engine.both import Table
from tests.engine.tables import house

FREE = house(top_discard="free")
PILE = "5C 9D KH 2S"
FITS_ALL = "5D 5H 9C 9S KD KC 2D 2H"


# --- taking from the pile ---


@pytest.mark.parametrize(
    ("card", "taken", "left"),
    [
        ("2S", "2S", "5C 9D KH"),
        ("KH", "KH 2S", "5C 9D"),
        ("9D", "9D KH 2S", "5C"),
        ("5C", "5C 9D KH 2S", ""),
    ],
)
def test_r17_a_take_brings_the_card_and_all_above_it(card: str, taken: str, left: str) -> None:
    table = Table(hands=[FITS_ALL], stock="3C", pile=PILE).play(f"draw_discard {card}")
    assert set(table.hand(0).split()) == set(FITS_ALL.split()) | set(taken.split())
    assert table.pile == left
    assert table.must_use == card


def test_r17_again_after_two_deep_takes() -> None:
    table = Table(hands=[FITS_ALL, "QC QD 3D 3H", "7S 7D 8C"], stock="3C", pile="7H QS 3S " + PILE)
    table.play("draw_discard KH", "meld KH KD KC", "discard 2S")
    table.play("draw_discard QS", "meld QS QC QD", "discard 5C")
    assert table.pile == "7H 5C"
    assert table.hand(1) == "3D 9D 3H 2S 3S"
    table.play("draw_discard 7H", "meld 7H 7S 7D", "discard 8C")
    assert table.pile == "8C"
    assert table.hand(2) == "5C"


def test_g38_after_the_whole_pile_only_the_discard_starts_a_new_one() -> None:
    table = Table(hands=[FITS_ALL, "3D"], stock="3C", pile=PILE)
    table.play("draw_discard 5C", "meld 5C 5D 5H", "discard KH")
    assert table.pile == "KH"
    assert table.legal("draw_stock") == {"draw_stock"}
    assert table.takes == ""


def test_g38_who_goes_out_with_the_whole_pile_leaves_none() -> None:
    table = Table(hands=["5D 5H"], stock="3C", pile="5C").play("draw_discard 5C", "meld 5C 5D 5H")
    assert table.ended == ("out", 0)
    assert table.pile == ""


def test_which_depths_are_usable_does_not_hang_together() -> None:
    table = Table(hands=["5D 5H KS"], stock="3C", pile="5C 9D JD TD QD 2H")
    assert table.takes == "5C 9D JD"


def test_g36_ones_own_discard_may_be_taken_back() -> None:
    table = Table(hands=["9S 9C KD 9D", "4C", "5C", "6C"], stock="2C 2D 2H 3H", pile="7H").play(
        "draw_stock", "discard 9D"
    )
    for _ in range(3):
        table.play("draw_stock", f"discard {table.hand(table.state.turn).split()[0]}")
    assert "9D" in table.takes


def test_g36_the_partners_discard_may_be_taken() -> None:
    table = Table(hands=["9D 2C", "4C", "9S 9C"], stock="2D 2H", pile="7H")
    table.play("draw_stock", "discard 9D", "draw_stock", "discard 2H")
    table.play("draw_discard 9D", "meld 9D 9S 9C", "discard 2H")


def test_g37_a_take_of_no_use_moves_nothing() -> None:
    table = Table(hands=["4S KD"], stock="3C", pile=PILE)
    for card in PILE.split():
        table.refused(f"draw_discard {card}", "pickup_unusable")
    assert table.pile == PILE
    assert table.hand(0) == "KD 4S"


def test_g32_two_cards_below_the_run_go_with_the_card_taken() -> None:
    """The taken card reaches the run only over a card of the hand, at the low end too."""
    table = Table(hands=["4H KD", "2C"], stock="3C", pile="3H", melds=["5H 6H 7H @3"])
    table.play("draw_discard 3H", "lay_off 3H 4H on 1", "discard KD")


def test_g34_a_lay_off_may_lean_on_cards_of_the_pile() -> None:
    table = Table(hands=["KD"], stock="3C", pile="9H 8H QC", melds=["5H 6H 7H @3"])
    assert table.takes == "9H 8H"
    table.play("draw_discard 9H", "lay_off 8H 9H on 1")


def test_g35_what_lay_above_may_be_discarded() -> None:
    table = Table(hands=["KS KD"], stock="3C", pile="KH 2S")
    table.play("draw_discard KH", "meld KH KS KD", "discard 2S")


def test_r18_the_card_taken_may_go_down_with_less_or_more() -> None:
    table = Table(hands=["JS JD JH 2C"], stock="3C", pile="JC").play("draw_discard JC")
    assert table.legal("meld") == {
        "meld JC JD JH",
        "meld JC JD JS",
        "meld JC JH JS",
        "meld JC JD JH JS",
    }
    assert table.legal("discard") == set()


OPEN = {"hands": ["KS KD 3C 4D 4H 4S", "2C"], "stock": "3H", "pile": "QD KH 2S"}


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("meld 4D 4H 4S", "must_use_pickup"),
        ("discard 3C", "must_use_pickup"),
        ("discard KH", "must_use_pickup"),
        ("discard 2S", "must_use_pickup"),
        ("discard QD", "must_use_pickup"),
        ("pass", "already_drawn"),
        ("draw_stock", "already_drawn"),
        ("draw_discard QD", "already_drawn"),
    ],
)
def test_r18_the_turn_does_not_end_with_the_card_in_hand(line: str, why: str) -> None:
    Table(**OPEN).play("draw_discard KH").refused(line, why)


def test_r18_after_it_play_is_free() -> None:
    table = Table(**OPEN).play("draw_discard KH", "meld KH KS KD", "meld 4D 4H 4S", "discard 2S")
    assert table.pile == "QD 2S"


def test_g62_without_stock_any_depth_may_be_taken_still() -> None:
    table = Table(hands=["5D 5H KS", "2C"], pile="5C 9D JD TD QD 2H")
    assert table.takes == "5C 9D JD"
    table.play("draw_discard 5C", "meld 5C 5D 5H", "discard KS")


# --- the house rule: the top card is free ---


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
        assert table.ended == (None, None), turn
        table.play(f"draw_discard {table.pile.split()[-1]}", f"discard {card}")
    assert table.ended == ("blocked", None)


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
    assert table.ended == (None, None)
    assert table.state.idle_turns == 0


# --- discards, going out, floating ---


def test_g41_a_turn_ends_with_a_discard_and_with_nothing_else() -> None:
    table = Table(hands=["4S 4D 4H KC", "2C"], stock="3C").play("draw_stock", "meld 4S 4D 4H")
    assert table.where == (0, "play")
    table.play("discard KC")
    assert table.where == (1, "draw")


def test_r24_out_with_a_meld_and_no_discard() -> None:
    table = Table(hands=["4S 4D", "2C"], stock="4H").play("draw_stock", "meld 4S 4D 4H")
    assert table.ended == ("out", 0)
    assert table.pile == ""


def test_r24_out_with_a_lay_off_on_an_opponents_meld() -> None:
    table = Table(hands=["8S", "2C"], stock="9S", melds=["5S 6S 7S @1"])
    table.play("draw_stock", "lay_off 8S 9S on 1")
    assert table.ended == ("out", 0)
    assert table.scores == (17 + 25, 18 - 2)


def test_r25_the_last_card_discarded_does_not_end_the_deal() -> None:
    table = Table(hands=["4S 4D 4H", "2C"], stock="KC").play("draw_stock", "meld 4S 4D 4H")
    table.play("discard KC")
    assert table.ended == (None, None)
    assert table.hand(0) == ""


def test_g43_or_it_does_where_the_table_plays_so() -> None:
    table = Table(
        ruleset=house(go_out_by_discard=True), hands=["4S 4D 4H", "2C", "9C"], stock="KC"
    ).play("draw_stock", "meld 4S 4D 4H", "discard KC")
    assert table.ended == ("out", 0)
    assert table.pile == "KC"
    assert table.scores == (12 + 25 - 9, -2)


def test_g43_a_discard_with_a_card_left_ends_nothing() -> None:
    table = Table(ruleset=house(go_out_by_discard=True), hands=["4S", "2C"], stock="KC")
    table.play("draw_stock", "discard KC")
    assert table.ended == (None, None)


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
    assert table.ended == ("out", 0)


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
    assert table.ended == ("out", 0)


def test_g45_a_floating_player_may_pass_without_stock_and_is_never_skipped() -> None:
    table = Table(hands=["", "2C", "", "3C"], pile="KD").play("pass", "pass", "pass")
    assert table.where == (3, "draw")


def test_g46_out_at_once_though_more_was_taken() -> None:
    table = Table(hands=["9S 9C", "2C"], stock="3C", pile="9D 9H")
    table.play("draw_discard 9D", "meld 9S 9C 9D 9H")
    assert table.ended == ("out", 0)


@pytest.mark.parametrize("seat", [0, 1, 2, 3])
def test_g48_after_somebody_is_out_nobody_plays(seat: int) -> None:
    table = Table(hands=["8S", "9S", "TS", "4S"], stock="2C", melds=["5S 6S 7S @1"], phase="play")
    table.play("lay_off 8S on 1").refused("lay_off 9S on 1", "game_over", seat=seat)
    assert table.state.hands[2] != 0


# --- the stock is gone ---


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
    assert table.ended == (None, None)
    table.play("pass")
    assert table.ended == ("blocked", None)


def test_g64_in_the_base_game_the_first_pass_ends_the_deal() -> None:
    table = Table(ruleset=house("partnership-500"), hands=["2C", "3C", "4C", "5C"], pile="KD")
    table.play("pass")
    assert table.ended == ("blocked", None)
    assert table.scores == (-6, -8)
