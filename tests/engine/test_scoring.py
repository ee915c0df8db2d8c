"""What a deal is worth: who gets which card, what is doubled, what counts against a team."""

from random import Random

import pytest
from msgspec.structs import replace

from engine.cards import codes, team_of
from engine.play import apply, legal_actions
from engine.scoring import RULE_OF, Item, ledger, table_points
from engine.state import State
from tests.engine.both import Table
from tests.engine.random_play import choose, fresh_deal, tempers
from tests.engine.rulesets import RULESETS
from tests.engine.tables import house, position, twin_of
from tests.engine.twin_scoring import Item as TwinItem
from tests.engine.twin_scoring import ledger as twin_ledger
from tests.engine.twin_scoring import sums, table_items

DEALS = 6


def test_a_whole_account_adds_up_for_the_right_teams() -> None:
    """North goes out; east's partner has laid off on east's meld; three hands count against."""
    table = Table(
        hands=["TH JH QH KH", "KD 2C", "AS X1", "7D"],
        stock="AH",
        melds=["5S 5H 5D @2", "9C 9D 9H @1 9S @3"],
    ).play("draw_stock", "meld TH JH QH KH AH")
    assert table.ended() == ("out", 0)
    assert table.scores == (55 + 15 + 25 - 35, 27 + 9 - 12 - 7)
    assert table.scores == (60, 17)


def test_nobody_melded_and_a_hand_of_jokers_is_a_debt() -> None:
    table = Table(hands=["X1 X2 X3 AS", "2C"], passes=3, turn=3, pile="KD").play("pass")
    assert table.scores == (-75, -2)


def test_going_out_is_not_winning() -> None:
    table = Table(
        hands=["2C 2D", "3C", "AS AD", "4C"], stock="2H", melds=["KS KD KH @1", "QS QD QH QC @3"]
    ).play("draw_stock", "meld 2C 2D 2H")
    assert table.scores == (6 + 25 - 30, 30 + 40 - 3 - 4)


def test_g57_the_bonus_goes_to_who_went_out_and_not_to_whose_turn_it_was() -> None:
    table = Table(hands=["2D", "3C 3D", "4D", "5D"], turn=1, stock="3H")
    table.play("draw_stock", "meld 3C 3D 3H")
    assert table.scores == (-6, 9 + 25 - 5)


@pytest.mark.parametrize("bonus", [0, 25, 1000])
def test_g57_the_bonus_is_as_the_table_plays(bonus: int) -> None:
    table = Table(ruleset=house(go_out_bonus=bonus), hands=["3C 3D"], stock="3H")
    table.play("draw_stock", "meld 3C 3D 3H")
    assert table.scores == (9 + bonus, 0)


def test_g57_nobody_has_a_bonus_for_a_blocked_deal() -> None:
    table = Table(hands=["2D", "2C"], passes=3, turn=3, pile="KD", melds=["3C 3D 3H @0"])
    assert table.play("pass").scores == (7, -2)


def test_g52_each_card_counts_for_the_team_that_played_it() -> None:
    state = position(melds=["5C 6C 7C @0 8C @1 9C TC @2 JC @3 4C @1"])
    assert table_points(state) == (18 + 19, 8 + 10 + 4)


@pytest.mark.parametrize(
    ("by", "points"), [(0, (40, 0)), (1, (30, 10)), (2, (40, 0)), (3, (30, 10))]
)
def test_g53_a_fourth_added_later_doubles_nothing(by: int, points: tuple[int, int]) -> None:
    hands = ["JS JD JH 9D", "2C", "2D", "2H"]
    hands[by] += " JC"
    table = Table(hands=hands, stock="3C 4C 5C 6C 7C", pile="KD")
    table.play("draw_stock", "meld JS JD JH", "discard 9D")
    while table.state.turn != by:
        table.play("draw_stock", f"discard {table.hand(table.state.turn).split()[0]}")
    table.play("draw_stock", "lay_off JC on 1")
    assert table.table_points == points


def test_g54_a_four_completed_by_the_take_is_doubled() -> None:
    table = Table(hands=["JS JD JH 9D"], stock="3C", pile="JC")
    table.play("draw_discard JC", "meld JS JD JH JC")
    assert table.table_points == (80, 0)


def test_g55_a_four_out_of_the_pile_alone_is_doubled() -> None:
    table = Table(hands=["9D"], stock="3C", pile="JC JS JD JH")
    table.play("draw_discard JC", "meld JS JD JH JC")
    assert table.table_points == (80, 0)


@pytest.mark.parametrize("rank", "23456789TJQKAX")
def test_g51_fours_of_every_rank_are_doubled(rank: str) -> None:
    four = "X1 X2 X3 X4" if rank == "X" else " ".join(rank + suit for suit in "CDHS")
    left = "9D" if rank != "9" else "8D"
    worth = {"T": 10, "J": 10, "Q": 10, "K": 10, "A": 15, "X": 20}.get(rank) or int(rank)
    table = Table(hands=[f"{four} {left}"], phase="play").play(f"meld {four}")
    assert table.table_points == (8 * worth, 0)
    plain = Table(ruleset=house(quad_bonus="none"), hands=[f"{four} {left}"], phase="play")
    assert plain.play(f"meld {four}").table_points == (4 * worth, 0)


def test_g50_same_turn_means_the_same_seat_and_the_same_turn() -> None:
    same = house(quad_bonus="same_turn")
    table = Table(ruleset=same, hands=["JS JD JH 2C JC", "3C", "4C", "5C"], stock="6C 7C 8C 9C TC")
    table.play("draw_stock", "meld JS JD JH", "discard 2C")
    for card in ("3C", "4C", "5C"):
        table.play("draw_stock", f"discard {card}")
    table.play("draw_stock", "lay_off JC on 1")
    assert table.table_points == (40, 0)


def test_g50_a_fourth_with_the_card_taken_counts_as_the_same_turn() -> None:
    same = house(quad_bonus="same_turn")
    table = Table(ruleset=same, hands=["JS JD JH 9D 2C"], stock="3C", pile="JC")
    table.play("draw_discard JC", "meld JC JD JH", "lay_off JS on 1")
    assert table.table_points == (80, 0)


def test_runs_of_four_are_never_doubled_in_the_same_turn_either() -> None:
    same = house(quad_bonus="same_turn")
    table = Table(ruleset=same, hands=["TS JS QS KS 2C"], phase="play")
    table.play("meld TS JS QS", "lay_off KS on 1")
    assert table.table_points == (40, 0)


def test_g56_four_aces_in_hand_are_a_debt_of_sixty() -> None:
    table = Table(hands=["AC AD AH AS"], passes=3, turn=3, pile="KD").play("pass")
    assert table.scores == (-60, 0)


@pytest.mark.parametrize(("value", "points"), [(1, 6), (15, 20)])
def test_a_low_ace_is_worth_what_the_table_says(value: int, points: int) -> None:
    either = house(ace_in_runs="high_or_low", ace_low_value=value)
    table = Table(ruleset=either, hands=["AS 2S 3S 9D"], phase="play").play("meld AS 2S 3S")
    assert table.table_points == (points, 0)


def test_an_ace_high_in_a_set_or_in_hand_is_worth_fifteen() -> None:
    base = house("partnership-500")
    melds = ["AS KS QS @0", "AD AH AC @1"]
    assert table_points(position(ruleset=base, melds=melds)) == (35, 45)
    table = Table(ruleset=base, hands=["AS", "2C"], pile="KD").play("pass")
    assert table.scores == (-15, -2)


def test_a_low_ace_laid_off_by_another_is_that_ones() -> None:
    base = house("partnership-500")
    table = Table(ruleset=base, hands=["AS 9D"], phase="play", melds=["2S 3S 4S @1"])
    assert table.play("lay_off AS on 1").table_points == (1, 9)


def test_the_whole_suit_is_worth_99_and_85_with_a_low_ace() -> None:
    base = house("partnership-500")
    suit = "2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS AS @0"
    assert table_points(position(ruleset=base, melds=[suit])) == (99, 0)
    assert table_points(position(ruleset=base, melds=[suit + " low"])) == (85, 0)


def test_r27_the_items_of_an_account_in_order() -> None:
    table = Table(hands=["QH", "KC", "4C", "AC"], stock="KH", melds=["9H TH JH @1"], dealer=3).play(
        "draw_stock", "lay_off QH KH on 1"
    )
    account = ledger(table.state)
    assert account.scores == table.scores == (41, 4)
    assert [
        (team_of(one.seat), one.seat, one.kind, one.meld, " ".join(codes(one.cards)), one.points)
        for one in account.items
    ] == [
        ("B", 1, "melded", 1, "9H TH JH", 29),
        ("A", 0, "melded", 1, "QH KH", 20),
        ("A", 0, "went_out", None, "", 25),
        ("A", 2, "in_hand", None, "4C", -4),
        ("B", 1, "in_hand", None, "KC", -10),
        ("B", 3, "in_hand", None, "AC", -15),
    ]


def test_the_share_with_the_low_ace_comes_first() -> None:
    base = house("partnership-500")
    table = Table(ruleset=base, pile="KD", melds=["2S 3S @1 AS 4S @2", "QH KH @3 AH @0"])
    table.play("pass")
    assert [(one.meld, one.seat, one.points) for one in ledger(table.state).items] == [
        (1, 2, 1 + 4),
        (1, 1, 5),
        (2, 3, 20),
        (2, 0, 15),
    ]


def test_each_kind_of_item_names_its_rule() -> None:
    assert RULE_OF == {"melded": "R-27", "doubled": "R-31", "in_hand": "R-28", "went_out": "R-29"}


@pytest.mark.parametrize("name", RULESETS)
def test_accounts_of_random_deals_are_the_twins_item_by_item(name: str) -> None:
    chance = Random(f"scoring {name}")
    for _ in range(DEALS):
        state = end_of_a_deal(name, chance)
        twin = twin_of(state)
        assert items(ledger(state).items) == {one for one in twin_ledger(twin) if one.points}
        assert dict(zip("AB", ledger(state).scores or (), strict=True)) == sums(twin_ledger(twin))
        assert dict(zip("AB", table_points(state), strict=True)) == sums(table_items(twin))


def end_of_a_deal(name: str, chance: Random) -> State:
    state = fresh_deal(RULESETS[name], chance)
    seats = tempers(chance)
    while state.phase != "over":
        state = apply(state, state.turn, choose(legal_actions(state), seats[state.turn], chance))
    return state


def items(found: tuple[Item, ...]) -> set[TwinItem]:
    return {
        TwinItem(one.seat, one.kind, one.meld, frozenset(codes(one.cards)), one.points)
        for one in found
    }


def test_a_low_ace_comes_first_in_its_item() -> None:
    low, high = (
        replace(
            position(
                hands=["KC", "3C", "4C", "AC"], melds=[meld], ruleset=house("partnership-500")
            ),
            phase="over",
            ended="blocked",
        )
        for meld in ("AS 2S 3S @0", "QS KS AS @0")
    )
    assert ledger(low).items[0].low_ace
    assert not ledger(high).items[0].low_ace
