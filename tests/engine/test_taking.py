"""Taking from the pile: how deep, what comes along, and the duty that comes with it."""

import pytest

from tests.engine.both import Table

PILE = "5C 9D KH 2S"
FITS_ALL = "5D 5H 9C 9S KD KC 2D 2H"


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
    assert table.ended() == ("out", 0)
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
