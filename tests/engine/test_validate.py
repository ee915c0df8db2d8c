"""Judging positions written down: what is certain, what is not, and what the answer then says."""

import pytest
from msgspec.structs import replace

from engine.cards import CODES, Seat, card, sequence
from engine.judging.judgement import Contradiction, Judgement, judge
from engine.judging.position import Position
from engine.notation import action, text
from engine.rulebook import Violation
from engine.ruleset import PERSIAN, Ruleset
from tests.engine.tables import house
from tests.engine.told import told_hand, written

FREE = house(top_discard="free")


def asked(
    position: Position, *lines: str, ruleset: Ruleset = PERSIAN, seat: int | None = None
) -> Judgement:
    """The judgement of these actions."""
    chosen = [action(line) for line in lines]
    return judge(position, ruleset, chosen, None if seat is None else Seat(seat))


def listed(found: Judgement) -> list[str] | None:
    """The certain actions, as people write them."""
    if found.legal_actions is None:
        return None
    return [text(one) for one in found.legal_actions]


def refused(found: Judgement) -> tuple[int, str, str]:
    """Which action is refused, why, and the cards it points at."""
    assert found.legal is False
    assert found.refusal is not None
    cards = " ".join(CODES[one] for one in found.refusal.cards)
    return found.refusal.index, found.refusal.violation, cards


# --- everything known ---


def test_a_turn_as_it_goes() -> None:
    told = written(hands=["4S 4D 4H 9C", "KC"], stock="2S 3S", pile="7C")
    found = asked(told, "draw_stock", "meld 4S 4D 4H", "discard 2S")
    assert (found.legal, found.unknown, found.deal_ended) == (True, False, None)
    after = found.position
    assert (after.turn, after.phase, after.pile) == (1, "draw", sequence("7C 2S"))
    assert after.hands[0] == (card("9C"),)
    assert after.stock == sequence("3S")
    assert [one.card for one in after.melds[0].cards] == [card("4D"), card("4H"), card("4S")]
    assert found.table_points == (12, 0)
    assert listed(found) == ["draw_stock"]


def test_no_actions_ask_what_is_legal_now() -> None:
    found = asked(written(hands=["9S 9C"], stock="2S", pile="7C 9D"))
    assert (found.legal, listed(found)) == (True, ["draw_stock", "draw_discard 9D"])


def test_the_first_refusal_counts_and_the_position_is_the_one_before_it() -> None:
    told = written(hands=["4S 4D 4H 9C 9D"], stock="2S", pile="7C")
    found = asked(told, "draw_stock", "meld 9C 9D 2S", "discard KS")
    assert refused(found) == (1, "bad_meld", "9C 9D 2S")
    assert found.position.phase == "play"
    assert found.position.stock == b""
    assert found.refusal is not None
    assert text(found.refusal.alternatives[0]) == "discard 9C"
    assert "discard 2S" in (listed(found) or [])


def test_a_refusal_leaves_the_position_as_it_was_told() -> None:
    told = written(hands=["4S 9C"], stock="2S", pile="7C")
    found = asked(told, "meld 4S 9C")
    assert refused(found) == (0, "draw_first", "9C 4S")
    assert found.position == replace(told, hands=(told_hand("9C 4S"), (), (), ()))


def test_each_action_is_by_the_seat_to_act_whoever_that_is() -> None:
    told = written(hands=["4S", "KC KD"], stock="KH 2S", pile="7C")
    found = asked(told, "draw_stock", "discard 4S", "draw_stock", "meld KC KD 2S")
    assert refused(found) == (3, "bad_meld", "KC KD 2S")
    assert found.position.turn == 1


def test_with_a_seat_all_actions_are_by_that_seat() -> None:
    told = written(hands=["4S", "KC KD"], stock="KH 2S", pile="7C")
    found = asked(told, "draw_stock", "discard 4S", "draw_stock", seat=0)
    assert refused(found) == (2, "not_your_turn", "")
    assert found.refusal is not None
    assert found.refusal.alternatives == ()
    assert found.legal_actions is None
    assert refused(asked(told, "draw_stock", seat=2))[:2] == (0, "not_your_turn")


def test_the_list_is_for_the_seat_asked_for() -> None:
    told = written(hands=["4S"], stock="KH", pile="7C")
    assert listed(asked(told, seat=0)) == ["draw_stock"]
    assert listed(asked(told, seat=1)) is None
    assert listed(asked(told, "draw_stock", "discard 4S", seat=0)) is None
    assert asked(told, "draw_stock", "discard 4S", seat=0).unknown is False


def test_going_out_ends_the_deal_with_its_ledger() -> None:
    told = written(hands=["9S 9C", "KH", "2H 7C", "QD AC"], stock="2S", pile="3D 9D", phase="draw")
    told = replace(told, totals=(100, 50))
    found = asked(told, "draw_discard 9D", "meld 9S 9C 9D")
    assert found.deal_ended is not None
    assert found.deal_ended.scores == (43, -35)
    assert found.position.totals == (143, 15)
    assert (found.position.turn, found.position.phase) == (None, "over")
    assert (found.legal_actions, found.unknown) == (None, False)


def test_after_the_end_every_action_is_game_over() -> None:
    told = written(hands=["9S 9C"], stock="2S", pile="3D 9D")
    found = asked(told, "draw_discard 9D", "meld 9S 9C 9D", "discard 3D")
    assert refused(found) == (2, "game_over", "3D")
    assert found.refusal is not None
    assert found.refusal.alternatives == ()
    assert found.position.phase == "over"
    assert found.deal_ended is not None
    over = written(phase="over")
    assert refused(asked(over, "pass", seat=3)) == (0, "game_over", "")
    assert listed(asked(over)) is None


def test_four_passes_block_the_deal() -> None:
    told = written(hands=["KH", "5D", "2H", "AC"], pile="3D", passes=3)
    found = asked(told, "pass")
    assert found.deal_ended is not None
    assert (found.deal_ended.ended, found.position.totals) == ("blocked", (-12, -20))


def test_options_that_a_position_has_to_tell() -> None:
    kept = written(FREE, hands=["9D KC"], stock="2S", pile="3D", phase="play", barred="9D")
    assert refused(asked(kept, "discard 9D", ruleset=FREE)) == (0, "must_use_pickup", "9D")
    late = written(
        FREE, hands=["9D KC"], stock="2S", pile="3D", phase="play", barred="9D", idle_turns=12
    )
    assert asked(late, "discard KC", ruleset=FREE).position.phase == "over"
    assert asked(kept, "discard KC", ruleset=FREE).position.idle_turns == 1
    same_turn = house(quad_bonus="same_turn")
    laid = written(
        same_turn, hands=["4S KC"], pile="3D", melds=["4C 4D 4H @0"], phase="play", laid=(1,)
    )
    assert asked(laid, "lay_off 4S on 1", ruleset=same_turn).table_points == (32, 0)
    earlier = replace(laid, melds=(replace(laid.melds[0], laid_this_turn=None),))
    assert asked(earlier, "lay_off 4S on 1", ruleset=same_turn).table_points == (16, 0)


def test_marks_of_this_turn_go_when_the_turn_goes() -> None:
    told = written(hands=["4S KC QC"], pile="3D", melds=["4C 4D 4H @0"], phase="play", laid=(1,))
    found = asked(told, "lay_off 4S on 1", "discard KC")
    assert found.position.melds[0].laid_this_turn is False
    assert asked(told, "lay_off 4S on 1").position.melds[0].laid_this_turn is True


def test_an_ace_first_in_a_complete_run_is_low() -> None:
    either = house("partnership-500")
    run = "AS 2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS @0"
    low = written(either, pile="2C", melds=[run + " low"])
    assert asked(low, ruleset=either).table_points == (85, 0)
    assert asked(written(either, pile="2C", melds=[run]), ruleset=either).table_points == (99, 0)
    assert asked(low, ruleset=either).position.melds[0].cards[0].card == card("AS")
    turned = replace(low, melds=(replace(low.melds[0], cards=low.melds[0].cards[::-1]),))
    assert asked(turned, ruleset=either).table_points == (99, 0)


def test_a_contradiction_is_not_judged() -> None:
    with pytest.raises(Contradiction) as raised:
        asked(written(hands=["4S", "4S"], pile="2C", passes=9))
    assert [fault.path for fault in raised.value.faults] == [("hands", 1, 0), ("passes",)]
    assert "4S lies at /hands/0/0 too" in str(raised.value)


# --- one seat's view ---


def seen(hand: str, pile: str, **told: object) -> Position:
    """A view of seat 0: the stock and the other hands are counts."""
    stock = told.pop("stock", 20)
    # Any keyword of `written`.
    return written(hands=[hand, 7, 7, 7], stock=stock, pile=pile, **told)  # type: ignore[arg-type]


def test_a_card_drawn_from_a_counted_stock_is_unknown() -> None:
    found = asked(seen("4S 4D 4H 9C", "7C"), "draw_stock")
    assert (found.legal, found.unknown) == (True, True)
    assert found.position.hands == (told_hand("9C 4D 4H 4S ??"), 7, 7, 7)
    assert found.position.stock == 19
    assert listed(found) == [
        "meld 4D 4H 4S", "discard 9C", "discard 4D", "discard 4H", "discard 4S",
    ]  # fmt: skip


def test_an_answer_can_be_asked_again() -> None:
    drawn = asked(seen("4S 4D 4H 9C", "7C"), "draw_stock").position
    found = asked(drawn, "meld 4S 4D 4H", "discard 9C", seat=0)
    assert (found.legal, found.position.hands[0]) == (True, (None,))
    assert found.unknown is False


def test_known_cards_are_judged_whatever_was_drawn() -> None:
    told = seen("4S 4D 4H 9C", "7C")
    found = asked(told, "draw_stock", "meld 4S 4D 4H", "discard 9C", seat=0)
    assert (found.legal, found.unknown) == (True, True)
    assert refused(asked(told, "draw_stock", "meld 4S 4D 9C")) == (1, "bad_meld", "9C 4D 4S")
    assert refused(asked(told, "draw_stock", "discard 7C")) == (1, "card_not_in_hand", "7C")


def test_a_verdict_that_hangs_on_the_card_drawn_is_not_known() -> None:
    found = asked(seen("4S 4D 9C", "7C"), "draw_stock", "meld 4S 4D 4H")
    assert (found.legal, found.unknown, found.refusal) == (None, True, None)
    assert found.deal_ended is None
    assert found.position.hands[0] == told_hand("9C 4D 4S ??")
    assert found.position.melds == ()


def test_it_is_certain_that_one_drawn_card_is_not_two() -> None:
    told = seen("4S 9C", "7C")
    assert refused(asked(told, "draw_stock", "meld 4S 4D 4H")) == (1, "card_not_in_hand", "4D 4H")


def test_only_cards_certainly_elsewhere_are_pointed_at() -> None:
    found = asked(seen("4S 4D", "7C"), "draw_stock", "meld 4S 4H 7C")
    assert refused(found) == (1, "card_not_in_hand", "7C")


def test_a_card_that_may_be_the_one_drawn_is_not_pointed_at() -> None:
    found = asked(seen("4S 9C", "7C"), "draw_stock", "meld 4D 4H 7C")
    assert refused(found) == (1, "card_not_in_hand", "7C")


def test_the_last_cards_known_do_not_go_out_while_one_is_unknown() -> None:
    told = seen("8S", "7C", melds=["5S 6S 7S @1"])
    found = asked(told, "draw_stock", "lay_off 8S on 1")
    assert found.position.phase == "play"
    assert found.position.hands[0] == (None,)


def test_going_out_on_a_view_is_legal_but_its_account_is_not_known() -> None:
    told = replace(seen("9S 9C", "3D 9D"), totals=(10, 20))
    found = asked(told, "draw_discard 9D", "meld 9S 9C 9D")
    assert (found.legal, found.unknown, found.deal_ended) == (True, True, None)
    assert (found.position.phase, found.position.totals) == ("over", (10, 20))
    assert found.legal_actions is None
    assert found.table_points == (27, 0)


def test_a_take_needs_only_what_the_seat_knows() -> None:
    told = seen("9S 9C 2H", "5C 9D")
    assert listed(asked(told)) == ["draw_stock", "draw_discard 9D"]
    assert asked(told).unknown is False
    assert refused(asked(told, "draw_discard 5C")) == (0, "pickup_unusable", "5C")


# --- a hand that is not known ---


def unseen(size: int, pile: str, **told: object) -> Position:
    """Seat 0 is to act, and nobody has told its hand."""
    # Any keyword of `written`.
    return written(hands=[size, "KC"], pile=pile, stock="2S", **told)  # type: ignore[arg-type]


def test_another_seats_take_hangs_on_its_hand() -> None:
    found = asked(unseen(2, "5C 9D"), "draw_discard 9D")
    assert (found.legal, found.unknown) == (None, True)
    assert listed(asked(unseen(2, "5C 9D"))) == ["draw_stock"]
    assert asked(unseen(2, "5C 9D")).unknown is True


def test_a_take_that_too_few_cards_can_support_is_refused() -> None:
    assert refused(asked(unseen(1, "5C 9D"), "draw_discard 9D")) == (0, "pickup_unusable", "9D")
    assert asked(unseen(1, "5C 9D"), "draw_discard 5C").legal is False
    assert asked(unseen(1, "9C 9D"), "draw_discard 9C").legal is None


def test_a_take_that_the_pile_supports_is_certain() -> None:
    found = asked(unseen(2, "6C 7C 8C 2D"), "draw_discard 6C")
    assert found.legal is True
    assert found.position.hands[0] == told_hand("6C 7C 8C 2D ?? ??")
    assert found.position.must_use == card("6C")
    assert listed(found) == ["meld 6C 7C 8C"]


def test_cards_seen_elsewhere_support_no_take() -> None:
    told = written(hands=[2, "9S 8D TD"], pile="5C 9D", stock="9C 2S")
    assert refused(asked(told, "draw_discard 9D")) == (0, "pickup_unusable", "9D")


def all_but(these: str) -> str:
    return " ".join(code for code in CODES if code not in these.split())


def test_enough_cards_from_a_small_pool_must_support_a_take() -> None:
    """Four cards of KD KH KS QH QS hold two kings or more."""
    others = all_but("KC KD KH KS QH QS")
    told = written(hands=[4], stock=1, pile=f"{others} KC")
    assert asked(replace(told, partial=True), "draw_discard KC").legal is True
    fewer = written(hands=[3], stock=2, pile=f"{others} KC")
    assert asked(fewer, "draw_discard KC").legal is None


def test_a_pool_that_may_lack_the_one_card_that_matters_leaves_a_take_open() -> None:
    """Of 7D 8D TD two are in the hand; 7D TD support no 9D, the others do."""
    told = written(hands=[2], stock=1, pile=f"{all_but('7D 8D 9D TD')} 9D")
    assert asked(told, "draw_discard 9D").legal is None


def test_the_only_card_left_for_the_stock_is_known() -> None:
    told = written(hands=["4S"], stock=1, pile=all_but("4S KC"))
    found = asked(told, "draw_stock", "discard KC")
    assert (found.legal, found.unknown) == (True, False)
    assert found.position.stock == 0


def test_what_is_left_over_for_one_hand_is_known() -> None:
    """Two cards are told nowhere, and one hand has two: so it has them."""
    others = all_but("KC KD KH")
    told = written(hands=[2], stock="", pile=f"{others} KC")
    found = asked(told, "draw_discard KC", "meld KC KD KH")
    assert (found.legal, found.unknown) == (True, False)
    assert found.deal_ended is not None
    assert found.deal_ended.scores == (55, 0)


def test_a_card_taken_for_all_to_see_is_in_the_hand() -> None:
    told = written(hands=[3, "KC"], pile="5C", stock="2S", phase="play", must_use="9D")
    assert refused(asked(told, "discard 9D")) == (0, "must_use_pickup", "9D")
    assert asked(told, "meld 9D 9C 9S").legal is None
    kept = written(FREE, hands=[3, "KC"], pile="5C", stock="2S", phase="play", barred="9D")
    assert refused(asked(kept, "discard 9D", ruleset=FREE)) == (0, "must_use_pickup", "9D")


def test_what_alone_supports_a_take_is_known() -> None:
    """Only with both other nines can the nine have been taken."""
    elsewhere = "9S 8D TD"
    told = written(
        hands=["9D ?? ?? ??", elsewhere], pile="5C", stock="2S", phase="play", must_use="9D"
    )
    with pytest.raises(Contradiction):
        asked(
            written(hands=["9D ??", elsewhere], pile="5C", stock="2S", phase="play", must_use="9D")
        )
    told = written(
        hands=["9D ?? ??", "8D TD 9C"], pile="5C", stock="2S", phase="play", must_use="9D"
    )
    found = asked(told, "meld 9D 9H 9S")
    assert (found.legal, found.position.hands[0]) == (True, ())
    assert listed(asked(told)) == ["meld 9D 9H 9S"]
    assert asked(told).unknown is False
    assert asked(told, "meld 9D 9H 9S").position.phase == "over"


def test_cards_that_were_played_are_no_longer_unknown() -> None:
    told = written(
        hands=["9D ?? ?? ??", "8D TD 9C"], pile="5C", stock="2S", phase="play", must_use="9D"
    )
    found = asked(told, "meld 9D 9H 9S", "discard 9H")
    assert refused(found) == (1, "card_not_in_hand", "9H")
    assert found.position.hands[0] == (None,)


def test_both_ways_of_playing_a_card_taken_stay_open() -> None:
    told = written(hands=["9D ?? ??", "8D TD"], pile="5C", stock="2S", phase="play", must_use="9D")
    assert asked(told, "meld 9D 9H 9S").legal is None
    assert (listed(asked(told)), asked(told).unknown) == ([], True)


def test_a_refusal_for_one_reason_here_and_another_there_is_not_known() -> None:
    told = written(hands=["4S 9D ??"], pile="5C", stock="2S", phase="play")
    assert asked(told, "meld 4S 9D KC").legal is None
    assert asked(told, "meld 4S 4S KC").refusal is not None
    assert refused(asked(told, "lay_off KC on 3"))[1] == Violation.NO_SUCH_MELD


def test_a_count_stays_a_count_until_a_card_of_it_is_known() -> None:
    told = written(hands=["4S", 7, 7, 7], stock=20, pile="6C 7C 8C", melds=["4C 5C @0 3C @0"])
    found = asked(told, "draw_stock", "discard 4S", "draw_stock")
    assert found.position.hands == ((None,), 8, 7, 7)
    assert found.position.stock == 18
    taken = asked(told, "draw_stock", "discard 4S", "draw_discard 6C")
    assert taken.position.hands[1] == told_hand("6C 7C 8C 4S ?? ?? ?? ?? ?? ?? ??")
