"""Card codes and action lines: exactly one spelling each, and never another card."""

import pytest

from engine.actions import DrawDiscard, LayOff, Meld
from engine.cards import CODES, Cards, card, cards, code, codes, each, in_order, sequence
from engine.notation import action, text
from engine.scoring import worth
from tests.engine.tables import written
from tests.engine.twin_cards import whole_pack
from tests.engine.twin_cards import worth as twin_worth


def test_there_are_fifty_six_cards_each_with_its_code() -> None:
    assert sorted(CODES) == sorted(whole_pack(4))
    assert [card(one) for one in CODES] == list(range(56))
    assert [code(card(one)) for one in whole_pack(4)] == whole_pack(4)


@pytest.mark.parametrize(
    "spelling",
    [
        *("10S", "ts", "Ts", "tS", " TS", "TS ", "T♠", "1S", "0S", "TSTS", "nothing", "", "T", "S"),
        # Look-alikes are the point.
        *("ＴＳ", "T\u0000S", "XS", "X5", "X0", "x1", "AS\n", "\nAS", "TS TS", "ST", "1X", "11"),  # noqa: RUF001
        # Look-alikes are the point.
        *("X", "X11", "A♥", "٢S", "２S", "JOKER", "4s", "XX", "XC"),  # noqa: RUF001
    ],
)
def test_no_other_spelling_is_a_card(spelling: str) -> None:
    with pytest.raises(ValueError, match="no card"):
        card(spelling)


def test_cards_are_listed_by_suit_then_rank_with_the_jokers_last() -> None:
    everything = Cards(2**56 - 1)
    assert codes(everything) == whole_pack(4)
    assert written(cards("X2 AS 2S KD X1 TC 9C")) == "9C TC KD 2S AS X1 X2"


def test_a_set_of_cards_names_none_twice() -> None:
    with pytest.raises(ValueError, match="twice"):
        cards("4S 4D 4S")


def test_an_ordered_list_keeps_its_order() -> None:
    assert [CODES[one] for one in sequence("5C 9D 2C X4")] == ["5C", "9D", "2C", "X4"]


@pytest.mark.parametrize("one", whole_pack(4))
def test_what_a_card_is_worth(one: str) -> None:
    assert worth(card(one)) == twin_worth(one)


def test_the_whole_pack_is_worth_476() -> None:
    assert sum(worth(one) for one in each(Cards(2**56 - 1))) == 476


@pytest.mark.parametrize(
    "line",
    [
        "draw_stock",
        "pass",
        "draw_discard 9D",
        "discard X3",
        "meld 4C 4D 4S",
        "lay_off 8S on 1",
        "lay_off 5S 9S on 12",
    ],
)
def test_a_line_of_notation_reads_back(line: str) -> None:
    assert text(action(line)) == line


def test_the_order_in_a_line_does_not_matter_and_repeats_stay() -> None:
    assert action("meld 4S 4C 4D") == action("meld 4C 4D 4S")
    assert action("lay_off 9S 5S on 2") == action("lay_off 5S 9S on 2")
    assert action("meld 4S 4S 4D") == Meld(in_order([card("4D"), card("4S"), card("4S")]))
    assert action("lay_off 5S on 2") == LayOff((card("5S"),), 2)
    assert action("draw_discard 5S") == DrawDiscard(card("5S"))


@pytest.mark.parametrize(
    "line",
    [
        "",
        "draw",
        "draw_stock 5S",
        "pass now",
        "draw_discard",
        "draw_discard 5S 6S",
        "discard",
        "discard 10S",
        "meld",
        "meld 4S 4D on 1x",
        "lay_off 8S",
        "lay_off 8S on",
        "lay_off 8S on -1",
        "lay_off 8S on 1.0",
        "lay_off 8S on ²",
        "lay_off on 1",
        "MELD 4S 4D 4H",
    ],
)
def test_what_is_no_line_of_notation(line: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        action(line)
