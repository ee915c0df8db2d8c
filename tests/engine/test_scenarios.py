"""The worked scenarios of the rulebook, each played by the engine and by the slow twin.

Hands that a scenario does not mention hold a card or two where the end of the deal needs it.
"""

import pytest
from msgspec.structs import replace

from engine.cards import Card, Seat, sequence
from engine.deal import seats_drawn
from engine.game import Game, Opening, advance, open_game
from engine.notation import action
from tests.engine.both import Table
from tests.engine.tables import house, position
from tests.engine.twin_scoring import draw_order


def test_s01_a_set_is_laid_in_any_order() -> None:
    table = Table(hands=["4S 4D 4H 9C"], stock="2S")
    table.play("draw_stock", "meld 4H 4S 4D")
    assert table.credit(1, seat=0) == "4D 4H 4S"
    assert table.table_points == (12, 0)
    assert table.where == (0, "play")
    assert table.hand(0) == "9C 2S"


def test_s02_a_run_ends_with_the_ace() -> None:
    table = Table(hands=["JS QS KS AS 3D"], stock="5C").play("draw_stock", "meld JS QS KS AS")
    assert table.table_points == (45, 0)


@pytest.mark.parametrize(
    ("cards", "why"),
    [
        ("AS 2S 3S", "bad_meld"),
        ("KS AS 2S", "bad_meld"),
        ("QS KS AH", "bad_meld"),
        ("3S 4S 6S", "bad_meld"),
        ("3S 4S", "bad_meld"),
        ("4S 4S 4D", "duplicate_card"),
    ],
)
def test_s03_bad_melds(cards: str, why: str) -> None:
    table = Table(hands=["AS 2S 3S KS QS AH 4S 6S 4D"], stock="9C").play("draw_stock")
    table.refused(f"meld {cards}", why)


@pytest.mark.parametrize(("cards", "points"), [("TS TH TD", 30), ("TS TH TD TC", 80)])
def test_s04_tens_count_ten(cards: str, points: int) -> None:
    table = Table(hands=["TS TH TD TC 2S"], stock="3C").play("draw_stock", f"meld {cards}")
    assert table.table_points == (points, 0)


def test_s05_three_jacks_and_the_partners_fourth_are_forty() -> None:
    table = Table(hands=["JS JD JH 2S", "3D", "JC 4D"], stock="9C 8C 7C")
    table.play("draw_stock", "meld JS JD JH", "discard 2S")
    table.play("draw_stock", "discard 3D")
    table.play("draw_stock", "lay_off JC on 1")
    assert table.table_points == (40, 0)


def test_s06_four_jacks_in_one_lay_are_eighty() -> None:
    table = Table(hands=["JS JD JH JC 2S"], stock="9C").play("draw_stock", "meld JS JD JH JC")
    assert table.table_points == (80, 0)


@pytest.mark.parametrize(
    ("quad_bonus", "points"), [("single_lay", 40), ("same_turn", 80), ("none", 40)]
)
def test_s08_three_and_one_in_the_same_turn(quad_bonus: str, points: int) -> None:
    table = Table(ruleset=house(quad_bonus=quad_bonus), hands=["JS JD JH JC 2S"], stock="9C")
    table.play("draw_stock", "meld JS JD JH", "lay_off JC on 1")
    assert table.table_points == (points, 0)


def test_s09_four_jokers_in_one_lay() -> None:
    table = Table(hands=["X1 X2 X3 X4 2S"], stock="9C").play("draw_stock", "meld X4 X2 X1 X3")
    assert table.table_points == (160, 0)


@pytest.mark.parametrize(("fourth_by", "points"), [(1, (60, 20)), (2, (80, 0)), (3, (60, 20))])
def test_s09_the_fourth_joker_counts_for_who_adds_it(
    fourth_by: int, points: tuple[int, int]
) -> None:
    hands = ["X1 X2 X3 2S", "2D", "3D", "4D"]
    hands[fourth_by] += " X4"
    table = Table(hands=hands, stock="9C 8C 7C 6C")
    table.play("draw_stock", "meld X1 X2 X3", "discard 2S")
    assert table.table_points == (60, 0)
    for seat in range(1, fourth_by):
        table.play("draw_stock", f"discard {seat + 1}D")
    table.play("draw_stock", "lay_off X4 on 1")
    assert table.table_points == points


@pytest.mark.parametrize("cards", ["X1 X2 KS", "KS KD X1", "QS KS X1", "JS X1 KS", "X1 X2"])
def test_s10_jokers_are_not_wild(cards: str) -> None:
    table = Table(hands=["X1 X2 KS KD QS JS"], stock="9C").play("draw_stock")
    table.refused(f"meld {cards}", "bad_meld")


@pytest.mark.parametrize(
    ("cards", "points"),
    [
        ("AS AD AH AC", 120),
        ("2S 2D 2H 2C", 16),
        ("TS JS QS KS", 40),
        ("2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS AS", 99),
    ],
)
def test_s11_fours_are_doubled_and_runs_never(cards: str, points: int) -> None:
    table = Table(hands=[cards + " 3D"], stock="9C").play("draw_stock", f"meld {cards}")
    assert table.table_points == (points, 0)


def test_s12_the_top_card_taken_must_be_used() -> None:
    table = Table(hands=["9S 9C 3H 4H"], pile="7H 2C 9D", stock="5C")
    table.play("draw_discard 9D")
    assert table.must_use == "9D"
    table.refused("discard 3H", "must_use_pickup")
    table.play("meld 9S 9C 9D", "discard 3H")
    assert table.pile == "7H 2C 3H"
    assert table.where == (1, "draw")


def test_s13_a_top_card_of_no_use_stays() -> None:
    table = Table(hands=["9S KC 3H 4H"], pile="7H 2C 9D", stock="5C")
    table.refused("draw_discard 9D", "pickup_unusable")
    assert table.where == (0, "draw")
    table.play("draw_stock")


def test_s14_a_deep_take_brings_all_that_lies_above() -> None:
    table = Table(hands=["8S 8D 5C AH"], pile="8H KC 3S QD", stock="2C")
    assert table.takes == "8H"
    table.play("draw_discard 8H")
    assert table.hand(0) == "5C KC 8D QD 8H AH 3S 8S"
    assert table.pile == ""
    table.play("meld 8S 8D 8H", "discard AH")
    assert table.pile == "AH"


def test_s15_all_the_support_may_lie_in_the_pile() -> None:
    table = Table(hands=["KH JD"], pile="6C 7C 8C 2D", stock="2C")
    assert table.takes == "6C"
    table.play("draw_discard 6C", "meld 6C 7C 8C")
    assert table.hand(0) == "2D JD KH"


def test_s17_a_lay_off_uses_the_card_taken() -> None:
    table = Table(hands=["KH JD 2D"], pile="3C 8S", stock="2C", melds=["5S 6S 7S @1"])
    table.play("draw_discard 8S", "lay_off 8S on 1", "discard 2D")
    assert table.table_points == (8, 18)


def test_s17_where_only_a_new_meld_will_do() -> None:
    only_new = house(pickup_use="new_meld_only")
    table = Table(
        ruleset=only_new, hands=["KH JD 2D"], pile="3C 8S", stock="2C", melds=["5S 6S 7S @1"]
    )
    table.refused("draw_discard 8S", "pickup_unusable")


def test_s18_the_card_taken_goes_down_with_a_card_of_the_hand() -> None:
    table = Table(hands=["8H KD 2S"], pile="4C 9H", stock="2C", melds=["5H 6H 7H @3"])
    table.play("draw_discard 9H")
    table.refused("lay_off 9H on 1", "bad_lay_off")
    table.refused("lay_off 8H on 1", "must_use_pickup")
    table.play("lay_off 9H 8H on 1")
    assert table.meld(1) == "5H 6H 7H 8H 9H"


def test_s19_the_target_first_and_then_a_floating_player() -> None:
    table = Table(hands=["9S 9C 3H 3C 3D KD", "2C"], pile="9D", stock="4C")
    table.play("draw_discard 9D")
    table.refused("meld 3H 3C 3D", "must_use_pickup")
    table.play("meld 9D 9S 9C", "meld 3H 3C 3D", "discard KD")
    assert table.hand(0) == ""
    assert table.ended() == (None, None)
    assert table.where == (1, "draw")
    assert table.pile == "KD"


def test_s22_a_floating_player_draws_junk_and_floats_on() -> None:
    table = Table(hands=["", "2C"], stock="5C 6D", melds=["JS JD JC @0"])
    table.play("draw_stock")
    assert table.hand(0) == "5C"
    assert table.legal("discard") == {"discard 5C"}
    table.play("discard 5C")
    assert table.ended() == (None, None)
    assert table.where == (1, "draw")


def test_s23_out_on_the_forced_play() -> None:
    table = Table(hands=["9S 9C", "KH", "2H 7C", "QD AC"], pile="3D 9D", stock="2C")
    table.play("draw_discard 9D", "meld 9D 9S 9C")
    assert table.ended() == ("out", 0)
    assert table.scores == (43, -35)
    table.refused("discard 3D", "game_over")


def test_s23_a_card_above_the_target_keeps_the_player_in() -> None:
    table = Table(hands=["9S 9C", "KH", "2H 7C", "QD AC"], pile="9D 3D", stock="2C")
    table.play("draw_discard 9D", "meld 9D 9S 9C")
    assert table.hand(0) == "3D"
    table.play("discard 3D")
    assert table.ended() == (None, None)


BLOCKED = {
    "hands": ["KH 3C", "5D 9C", "2H 7C", "QD AC"],
    "pile": "3D",
    "melds": ["JS JD JH JC @0 doubled", "6S 7S 8S @1"],
}


def test_s25_four_passes_block_the_deal() -> None:
    table = Table(**BLOCKED)
    table.refused("draw_stock", "stock_empty")
    assert table.takes == ""
    table.play("pass", "pass", "pass")
    assert table.ended() == (None, None)
    table.play("pass")
    assert table.ended() == ("blocked", None)
    assert table.scores == (58, -18)


def test_s25_the_first_pass_blocks_where_the_table_plays_so() -> None:
    table = Table(ruleset=house(stock_out="first_pass"), **BLOCKED).play("pass")
    assert table.ended() == ("blocked", None)
    assert table.scores == (58, -18)


def test_s25_hands_may_be_excused_in_a_blocked_deal() -> None:
    table = Table(ruleset=house(blocked_hand_penalty=False), **BLOCKED)
    table.play("pass", "pass", "pass", "pass")
    assert table.scores == (80, 21)


def test_s27_before_the_draw() -> None:
    table = Table(hands=["4S 4D 4H 9C", "2D"], stock="2S 3S", pile="KD")
    table.refused("pass", "pass_not_allowed")
    table.refused("meld 4S 4D 4H", "draw_first")
    table.refused("discard 9C", "draw_first")
    table.refused("draw_stock", "not_your_turn", seat=1)


def test_s27_after_the_draw() -> None:
    table = Table(hands=["4S 4D 4H 9C", "2D"], stock="2S 3S", pile="KD").play("draw_stock")
    table.refused("draw_stock", "already_drawn")
    table.refused("draw_discard KD", "already_drawn")
    table.refused("lay_off 9C on 7", "no_such_meld")
    table.refused("discard 2D", "card_not_in_hand")


def test_s29_a_card_that_fits_a_set_and_a_run_goes_where_it_is_put() -> None:
    melds = ["7H 7D 7C @0", "4S 5S 6S @1"]
    table = Table(hands=["7S 8S KC"], stock="2C", melds=melds).play("draw_stock")
    table.refused("lay_off 7S 8S on 1", "bad_lay_off")
    table.play("lay_off 7S on 1")
    table.refused("lay_off 8S on 2", "bad_lay_off")
    table.refused("lay_off 7S on 2", "card_not_in_hand")


def test_s29_or_both_go_on_the_run() -> None:
    melds = ["7H 7D 7C @0", "4S 5S 6S @1"]
    table = Table(hands=["7S 8S KC"], stock="2C", melds=melds)
    table.play("draw_stock", "lay_off 8S 7S on 2")
    assert table.meld(2) == "4S 5S 6S 7S 8S"


def test_s30_nothing_follows_an_ace() -> None:
    table = Table(hands=["AH 2H 5C"], stock="2C", melds=["JH QH KH @1"]).play("draw_stock")
    table.refused("lay_off 2H on 1", "bad_lay_off")
    table.play("lay_off AH on 1")
    table.refused("lay_off 2H on 1", "bad_lay_off")


def test_s30_an_ace_does_not_go_below_a_two() -> None:
    table = Table(hands=["AH 5C"], stock="2C", melds=["2H 3H 4H @1"]).play("draw_stock")
    table.refused("lay_off AH on 1", "bad_lay_off")


def test_s33_out_on_the_first_turn() -> None:
    table = Table(hands=["4S 4D 4H 4C 9S 9D 9H", "2C", "", "2D"], stock="9C", pile="KD")
    table.play("draw_stock", "meld 4S 4D 4H 4C", "meld 9S 9D 9H 9C")
    assert table.ended() == ("out", 0)
    assert table.scores == (129, -4)


def drawn(codes: str) -> tuple[Card, ...]:
    return tuple(Card(one) for one in sequence(codes))


def test_s35_the_draw_for_teams() -> None:
    assert seats_drawn(drawn("5S AC X2 5D")) == (1, 0, 3, 2)
    assert draw_order(["5S", "AC", "X2", "5D"]) == [1, 3, 0, 2]


def test_s35_a_draw_of_jokers_alone() -> None:
    assert seats_drawn(drawn("X3 X1 X4 X2")) == (1, 0, 3, 2)
    assert draw_order(["X3", "X1", "X4", "X2"]) == [1, 3, 0, 2]


A_230 = ["X1 X2 X3 X4 @0 doubled", "JS JD JH @0", "KS KD KH @2 KC @0"]
B_33 = ["6C 7C 8C @1", "3D 4D 5D @3"]
B_157 = ["AS AD AH AC @1 doubled", "9C TC JC @3", "2C 2D 2H @1 2S @3"]


def two_deals(hands_of_a: str, options: dict[str, object]) -> Game:
    """A first deal of 230 to 33, and a second in which B makes 157 and A holds these cards."""
    opening = Opening(options=options, players=("n", "e", "s", "w"), secret=bytes(32))
    game = open_game(opening)
    game = ended_with(game, 1, 0, "", A_230 + B_33)
    return ended_with(game, 2, 1, hands_of_a, B_157)


def ended_with(game: Game, number: int, dealer: int, hand: str, melds: list[str]) -> Game:
    """The game after the last pass of this deal, which that seat deals."""
    state = game.state
    assert state is not None
    assert (state.deal, state.dealer, state.turn) == (number, dealer, dealer + 1)
    last = position(
        ruleset=state.ruleset,
        deal=number,
        dealer=dealer,
        hands=[hand],
        pile="6D",
        melds=melds,
        passes=3,
    )
    return advance(replace(game, state=last), Seat(0), action("pass"))


def test_s36_equal_totals_are_a_drawn_game() -> None:
    game = two_deals("X1 X2", {})
    assert game.totals == (190, 190)
    assert game.status == "finished"
    assert game.result is not None
    assert game.result.winner is None


def test_s36_or_lead_to_a_third_deal_where_the_table_plays_so() -> None:
    game = two_deals("X1 X2", {"tie_break": "extra_deal"})
    assert game.status == "playing"
    assert game.state is not None
    assert (game.state.deal, game.state.dealer, game.state.turn) == (3, 2, 3)


def test_s36_one_point_decides() -> None:
    game = two_deals("X1 KD 8H 3C", {})
    assert game.totals == (189, 190)
    assert game.result is not None
    assert game.result.winner == "B"
