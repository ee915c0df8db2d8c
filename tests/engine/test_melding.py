"""What makes a meld, and how melds grow on the table."""

from itertools import combinations, permutations

import pytest

from engine.actions import LayOff, Meld
from engine.cards import Card, Seat, card, mask_of
from engine.melds import HIGH_RUNS, LOW_RUNS, SETS, kind_of
from engine.play import apply
from engine.rules import violation
from engine.ruleset import PRESETS, Ruleset
from tests.engine import twin_cards
from tests.engine.both import Table
from tests.engine.tables import house, position

# --- what is a meld ---


def test_r11_r12_there_are_70_sets_and_264_runs() -> None:
    assert len(SETS) == 70
    assert len(HIGH_RUNS) == 264
    assert len(LOW_RUNS) == 40


@pytest.mark.parametrize("ruleset", PRESETS.values(), ids=PRESETS)
def test_the_table_of_melds_is_the_twins(ruleset: Ruleset) -> None:
    by_twin = twin_cards.possible_melds(twin_cards.whole_pack(4), ruleset.ace_in_runs)
    masks = {mask_of([card(one) for one in meld]) for meld in by_twin}
    every = SETS | HIGH_RUNS | LOW_RUNS
    assert masks == {mask for mask in every if kind_of(mask, ruleset)}


@pytest.mark.parametrize("ruleset", PRESETS.values(), ids=PRESETS)
def test_r03_nothing_with_a_joker_is_a_meld_but_jokers(ruleset: Ruleset) -> None:
    jokers = [Card(suit * 14 + 13) for suit in range(4)]
    for size in (1, 2, 3):
        for some in combinations(jokers, size):
            for others in combinations([Card(c) for c in range(56) if c not in jokers], 4 - size):
                assert kind_of(mask_of([*some, *others]), ruleset) is None
            plain = mask_of(list(some))
            assert kind_of(plain, ruleset) == ("set" if size == 3 else None)


@pytest.mark.parametrize("ruleset", PRESETS.values(), ids=PRESETS)
def test_r10_any_three_cards_are_judged_as_the_twin_judges_them(ruleset: Ruleset) -> None:
    codes = twin_cards.whole_pack(4)
    for three in combinations(codes, 3):
        mask = mask_of([card(one) for one in three])
        assert kind_of(mask, ruleset) == twin_cards.kind_of(three, ruleset.ace_in_runs)


@pytest.mark.parametrize("cards", ["8S 9S TS", "9S TS JS", "TS JS QS"])
def test_tens_follow_nines(cards: str) -> None:
    Table(hands=[cards + " 2D"], stock="3C").play("draw_stock", f"meld {cards}")


# --- orders and repeats ---


def orders(cards: str) -> list[tuple[Card, ...]]:
    return [tuple(order) for order in permutations(card(one) for one in cards.split())]


@pytest.mark.parametrize("cards", ["7S 7H 7D 7C", "TS JS QS KS AS"])
def test_every_order_of_a_meld_is_the_same_meld(cards: str) -> None:
    state = position(hands=[cards + " 2D"], phase="play")
    after = {apply(state, Seat(0), Meld(order)) for order in orders(cards)}
    assert len(after) == 1


def test_every_order_of_no_meld_is_refused() -> None:
    state = position(hands=["7S 7H 7D 8C 2D"], phase="play")
    faults = {violation(state, Seat(0), Meld(order)) for order in orders("7S 7H 7D 8C")}
    assert faults == {"bad_meld"}


def test_every_order_of_a_lay_off_is_the_same_lay_off() -> None:
    state = position(hands=["5H 6H TH JH 2D"], phase="play", melds=["7H 8H 9H @1"])
    after = {apply(state, Seat(0), LayOff(order, 1)) for order in orders("5H 6H TH JH")}
    assert len(after) == 1


@pytest.mark.parametrize(
    ("hand", "line"),
    [
        ("7S 7H 2C", "meld 7S 7S 7H"),
        ("7D 2C", "lay_off 7D 7D on 1"),
        ("X1 X2 2C", "meld X1 X2 X2"),
        ("X1 X2 2C", "meld X1 X1 X2 X2"),
        ("7S 7H 7D", "meld 7S 7H 7D 7D"),
        ("7S 7H 7D", "meld " + " ".join(["7S"] * 56)),
    ],
)
def test_g71_a_card_counts_once(hand: str, line: str) -> None:
    table = Table(hands=[hand], stock="3C", melds=["7C 8C 9C @1"]).play("draw_stock")
    table.refused(line, "duplicate_card")


def test_g71_a_card_is_not_played_twice_in_one_turn() -> None:
    table = Table(hands=["7S 7H 7D 8S 9S 2C"], stock="3C").play("draw_stock", "meld 7S 7H 7D")
    table.refused("meld 7S 8S 9S", "card_not_in_hand")


# --- growing ---


def test_g22_a_run_grows_card_by_card_by_all_hands() -> None:
    table = Table(hands=["6H 5H KC", "TH 2S", "JH 2D"], stock="3C 3D 3S", melds=["7H 8H 9H @3"])
    table.play("draw_stock").refused("lay_off 5H on 1", "bad_lay_off")
    table.play("lay_off 6H on 1", "lay_off 5H on 1", "discard KC")
    table.play("draw_stock", "lay_off TH on 1", "discard 2S")
    table.play("draw_stock", "lay_off JH on 1")
    assert table.meld(1) == "5H 6H 7H 8H 9H TH JH"
    assert table.credit(1, seat=0) == "5H 6H"
    assert table.credit(1, seat=3) == "7H 8H 9H"
    assert table.table_points == (5 + 6 + 10, 24 + 10)


def test_g21_both_ends_at_once() -> None:
    table = Table(hands=["6H TH KC"], stock="3C", melds=["7H 8H 9H @1"])
    table.play("draw_stock", "lay_off 6H TH on 1")
    assert table.meld(1) == "6H 7H 8H 9H TH"


def test_g21_all_or_nothing() -> None:
    table = Table(hands=["6H JH KC"], stock="3C", melds=["7H 8H 9H @1"]).play("draw_stock")
    table.refused("lay_off 6H JH on 1", "bad_lay_off")
    assert table.legal("lay_off") == {"lay_off 6H on 1"}


def test_g21_the_list_has_the_new_ends_at_once() -> None:
    table = Table(hands=["5H 6H TH KC"], stock="3C", melds=["7H 8H 9H @1"]).play("draw_stock")
    assert len(table.legal("lay_off")) == 5  # 6; 5 6; 10; 6 10; 5 6 10
    table.play("lay_off 6H on 1")
    assert table.legal("lay_off") == {"lay_off 5H on 1", "lay_off TH on 1", "lay_off 5H TH on 1"}


def test_g13_a_run_grows_to_thirteen_and_no_further() -> None:
    rest = "2H 3H 4H 5H 6H TH JH QH KH AH"
    table = Table(hands=[rest + " 2D"], stock="3C", melds=["7H 8H 9H @1"])
    table.play("draw_stock", f"lay_off {rest} on 1").refused("lay_off 2D on 1", "bad_lay_off")
    assert table.legal("lay_off") == set()


def test_g14_a_set_grows_to_four_and_no_further() -> None:
    table = Table(hands=["7C 8C KC"], stock="3C", melds=["7S 7H 7D @1"]).play("draw_stock")
    table.refused("lay_off 7C 8C on 1", "bad_lay_off").play("lay_off 7C on 1")
    table.refused("lay_off 8C on 1", "bad_lay_off")


def test_g16_a_joker_goes_on_jokers_alone() -> None:
    melds = ["X1 X2 X3 @1", "KS KD KH @1", "5S 6S 7S @1"]
    table = Table(hands=["X4 KC 8S"], stock="3C", melds=melds).play("draw_stock")
    table.refused("lay_off X4 on 2", "bad_lay_off").refused("lay_off X4 on 3", "bad_lay_off")
    table.refused("lay_off KC on 1", "bad_lay_off").play("lay_off X4 on 1")


def test_g17_runs_beside_each_other_stay_two() -> None:
    table = Table(hands=["3S 4S 5S 6S 7S 8S KD"], stock="3C")
    table.play("draw_stock", "meld 3S 4S 5S", "meld 6S 7S 8S")
    assert (table.meld(1), table.meld(2)) == ("3S 4S 5S", "6S 7S 8S")


@pytest.mark.parametrize("number", [1, 2])
def test_g18_a_card_between_two_runs_goes_on_the_one_named(number: int) -> None:
    table = Table(hands=["6S KD"], stock="3C", melds=["3S 4S 5S @1", "7S 8S 9S @0"])
    table.play("draw_stock", f"lay_off 6S on {number}")
    assert table.credit(number, seat=0).startswith("6S")
    assert len(table.state.melds) == 2


def test_g20_a_set_of_four_gives_no_card_back() -> None:
    table = Table(hands=["8S 9S KD"], stock="3C", melds=["7S 7H 7D 7C @0 doubled"])
    table.play("draw_stock").refused("meld 7S 8S 9S", "card_not_in_hand")


def test_g23_g25_a_lay_off_needs_no_meld_of_ones_own_and_one_made_now_will_do() -> None:
    table = Table(hands=["8S 4D 4H 4S 4C KD"], stock="3C", melds=["5S 6S 7S @1"])
    table.play("draw_stock", "lay_off 8S on 1", "meld 4D 4H 4S", "lay_off 4C on 2")


def test_g26_nothing_need_be_melded() -> None:
    Table(hands=["4D 4H 4S 8S"], stock="3C", melds=["5S 6S 7S @1"]).play("draw_stock", "discard 8S")


# --- aces ---

EITHER = house(ace_in_runs="high_or_low")


@pytest.mark.parametrize("cards", ["AS 2S 3S", "KS AS 2S", "QS KS AS 2S"])
def test_g12_r13_an_ace_is_high(cards: str) -> None:
    table = Table(hands=[cards + " 9D"], stock="3C").play("draw_stock")
    table.refused(f"meld {cards}", "bad_meld")


@pytest.mark.parametrize(
    ("cards", "why"),
    [("AS 2S 3S", None), ("QS KS AS", None), ("KS AS 2S", "bad_meld"), ("AS 3S 4S", "bad_meld")],
)
def test_g12_or_high_and_low_but_never_round_the_corner(cards: str, why: str | None) -> None:
    table = Table(ruleset=EITHER, hands=[cards + " 9D"], stock="3C").play("draw_stock")
    if why:
        table.refused(f"meld {cards}", why)
    else:
        table.play(f"meld {cards}")
        assert table.state.melds[0].low_ace == ("2S" in cards)


def test_a_low_ace_stays_low() -> None:
    table = Table(
        ruleset=EITHER, hands=["KS 9D"], stock="3C", melds=["AS 2S 3S @1 4S 5S 6S 7S 8S 9S TS @2"]
    )
    table.play("draw_stock").refused("lay_off KS on 1", "bad_lay_off")
    assert table.state.melds[0].low_ace


def test_a_low_ace_stays_low_in_the_whole_suit() -> None:
    twelve = "AS 2S 3S 4S 5S 6S 7S 8S 9S TS JS QS @1"
    table = Table(ruleset=EITHER, hands=["KS 9D"], stock="3C", melds=[twelve])
    table.play("draw_stock", "lay_off KS on 1")
    assert table.state.melds[0].low_ace


def test_a_high_ace_stays_high_in_the_whole_suit() -> None:
    twelve = "3S 4S 5S 6S 7S 8S 9S TS JS QS KS AS @1"
    table = Table(ruleset=EITHER, hands=["2S 9D"], stock="3C", melds=[twelve])
    table.play("draw_stock", "lay_off 2S on 1")
    assert not table.state.melds[0].low_ace


@pytest.mark.parametrize(
    ("on_table", "added", "low"),
    [
        ("2S 3S 4S", "AS", True),
        ("JS QS KS", "AS", False),
        ("2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS", "AS", False),
        ("3S 4S 5S 6S 7S 8S 9S TS JS QS KS", "AS 2S", False),
        ("2S 3S 4S 5S 6S 7S 8S 9S TS JS QS", "AS", True),
        ("2S 3S 4S 5S 6S 7S 8S 9S TS JS QS", "AS KS", False),
        ("3S 4S 5S", "AS 2S", True),
    ],
)
def test_an_ace_that_fits_both_ends_is_high(on_table: str, added: str, low: bool) -> None:
    table = Table(ruleset=EITHER, hands=[added + " 9D"], stock="3C", melds=[f"{on_table} @1"])
    table.play("draw_stock", f"lay_off {added} on 1")
    assert table.state.melds[0].low_ace == low


def test_the_whole_suit_in_one_lay_has_its_ace_high() -> None:
    suit = "2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS AS"
    table = Table(ruleset=EITHER, hands=[suit + " 9D"], stock="3C")
    table.play("draw_stock", f"meld {suit}")
    assert not table.state.melds[0].low_ace
    assert table.table_points == (99, 0)


def test_nothing_goes_above_a_low_ace_run_or_below_a_high_one_but_its_neighbour() -> None:
    table = Table(
        ruleset=EITHER, hands=["KS 2H TH 4S 9D"], stock="3C", melds=["AS 2S 3S @1", "QH KH AH @1"]
    )
    table.play("draw_stock").refused("lay_off KS on 1", "bad_lay_off")
    table.refused("lay_off 2H on 2", "bad_lay_off").refused("lay_off TH on 2", "bad_lay_off")
    assert table.legal("lay_off") == {"lay_off 4S on 1"}
