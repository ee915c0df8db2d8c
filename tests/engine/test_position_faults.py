"""Every way for a position to contradict itself is named, and all of them at once."""

from random import Random

import pytest
from msgspec.structs import replace

from engine.cards import ALL_CARDS, SEATS, Card, Seat, card, each
from engine.deal import deal
from engine.fault import Fault
from engine.judging.faults import faults
from engine.judging.position import MeldCard, Position, full_position
from engine.ruleset import PERSIAN, Ruleset
from tests.engine.rulesets import RULESETS
from tests.engine.tables import house
from tests.engine.told import blanked, random_states, written

DEALT = full_position(deal(PERSIAN, bytes(each(ALL_CARDS)), 1, Seat(3)), (0, 0))
"""A fresh deal of Persian Rummy, seat 0 to act; from the pack in order of number."""

FREE = house(top_discard="free")
FIRST_PASS = house(stock_out="first_pass")
SAME_TURN = house(quad_bonus="same_turn")
EITHER_ACE = house(ace_in_runs="high_or_low")
BY_DISCARD = house(go_out_by_discard=True)
NO_JOKERS = house(jokers=0)

USED = {"phase": "play", "must_use": "9D", "stock": "2S"}
KEPT = {"phase": "play", "barred": "9D", "stock": "2S", "ruleset": FREE}


def found(position: Position, ruleset: Ruleset = PERSIAN) -> list[str]:
    """Paths of the faults, as people read them."""
    return ["/".join(map(str, fault.path)) for fault in faults(position, ruleset)]


def in_notation(told: dict[str, object]) -> list[str]:
    ruleset = told.get("ruleset", PERSIAN)
    assert isinstance(ruleset, Ruleset)
    return found(written(**told), ruleset)  # type: ignore[arg-type]  # any keyword of `written`


def test_a_fresh_deal_has_no_fault() -> None:
    assert faults(DEALT, PERSIAN) == []


# --- the cards ---


def test_57_cards() -> None:
    assert DEALT.hands[0] != 7
    stock = bytes(DEALT.stock) + bytes([DEALT.pile[0]])
    wrong = faults(replace(DEALT, stock=stock), PERSIAN)
    assert Fault((), "there are 57 cards, and the pack has 56") in wrong
    assert [fault.path for fault in wrong] == [("pile", 0), (), ("stock",)]


def test_a_card_in_two_places_and_so_another_in_none() -> None:
    # A whole position lists its hands.
    hand = (DEALT.hands[1][0], *DEALT.hands[0][1:])  # type: ignore[index]
    wrong = faults(replace(DEALT, hands=(hand, *DEALT.hands[1:])), PERSIAN)
    assert wrong == [
        Fault(("hands", 1, 0), "3C lies at /hands/0/0 too"),
        Fault((), "missing: 2C"),
    ]


@pytest.mark.parametrize("zone", ["stock", "pile", "hands", "melds"])
def test_a_repeat_is_found_in_every_zone(zone: str) -> None:
    told = {
        "stock": written(hands=["KS"], stock="5C KS", pile="2C"),
        "pile": written(hands=["KS"], pile="KS 2C"),
        "hands": written(hands=["4C", "KS 4C"], pile="2C"),
        "melds": written(hands=["KS"], pile="2C", melds=["KS KD KC @1"]),
    }[zone]
    assert [path.split("/")[0] for path in found(told)] == [zone]


def test_a_missing_card() -> None:
    # A whole position lists its stock.
    assert found(replace(DEALT, stock=DEALT.stock[1:])) == [""]  # type: ignore[index]
    # A whole position lists its stock.
    assert found(replace(DEALT, stock=DEALT.stock[1:], partial=True)) == []  # type: ignore[index]


def test_counts_enter_the_sum() -> None:
    assert found(replace(DEALT, hands=(DEALT.hands[0], 7, 7, 7), stock=27)) == []
    assert found(replace(DEALT, hands=(DEALT.hands[0], 7, 7, 7), stock=26)) == [""]


def test_more_cards_than_the_pack_has_are_a_fault_of_a_partial_position_too() -> None:
    crowded = replace(DEALT, hands=(DEALT.hands[0], 17, 17, 14), partial=True)
    assert found(crowded) == [""]


def test_a_joker_where_there_are_none() -> None:
    assert found(written(NO_JOKERS, hands=["X1 2C"], pile="X3"), NO_JOKERS) == [
        "hands/0/0",
        "pile/0",
    ]


# --- sizes ---


def test_a_stock_is_never_greater_than_after_the_deal() -> None:
    small = replace(DEALT, hands=(7, 7, 7, 6), stock=28)
    assert found(small) == ["stock", "hands/3"]
    assert found(replace(small, partial=True)) == []


@pytest.mark.parametrize(("sizes", "at"), [((6, 7, 7, 7), "hands/0"), ((7, 7, 8, 7), "hands/2")])
def test_hands_keep_their_size_until_a_meld_lies(sizes: tuple[int, ...], at: str) -> None:
    rest = replace(DEALT, hands=sizes, stock=20, pile=DEALT.pile)
    assert at in found(rest)
    assert at not in found(replace(rest, partial=True))


@pytest.mark.parametrize(
    ("size", "must_use", "is_right"),
    [(8, None, True), (7, None, False), (9, None, False), (7, "2C", False), (12, "2C", True)],
)
def test_the_acting_hand_has_what_it_drew(size: int, must_use: str | None, is_right: bool) -> None:
    told = replace(
        DEALT,
        phase="play",
        hands=(size, 7, 7, 7),
        stock=27 - size + 7,
        must_use=card(must_use) if must_use else None,
        pile=DEALT.pile[:1],
    )
    assert ("hands/0" not in found(told)) is is_right


def test_after_the_end_without_a_meld_one_hand_may_have_more() -> None:
    over = replace(DEALT, turn=None, phase="over", stock=25)
    assert found(replace(over, hands=(7, 7, 9, 7))) == []
    assert found(replace(over, hands=(7, 7, 8, 8))) == ["hands"]
    assert found(replace(over, hands=(7, 7, 10, 6))) == ["hands/3"]


# --- melds ---


@pytest.mark.parametrize("cards", ["KS KD", "KS KD QC", "2S 3S 5S", "QS KS AS 2S", "X1 X2 KS"])
def test_a_meld_that_is_none(cards: str) -> None:
    assert found(with_meld(cards)) == ["melds/0/cards"]


def test_a_meld_without_cards() -> None:
    assert found(with_meld("")) == ["melds/0/cards"]


def with_meld(cards: str, seat: int = 0) -> Position:
    told = written(hands=["9C"], pile="7C", melds=["4C 4D 4H @0"])
    listed = tuple(MeldCard(card(code), Seat(seat)) for code in cards.split())
    return replace(told, melds=(replace(told.melds[0], cards=listed),))


def test_numbers_of_melds() -> None:
    told = written(pile="7C", melds=["4C 4D 4H @0", "5C 5D 5H @1"])
    one, other = told.melds
    assert found(replace(told, melds=(one, replace(other, id=1)))) == ["melds/1/id"]
    assert found(replace(told, melds=(one, replace(other, id=100)))) == ["melds/1/id"]
    assert found(replace(told, melds=(replace(one, id=0), other))) == ["melds/0/id"]


def test_two_sets_of_one_rank_need_a_card_twice() -> None:
    told = written(pile="7C", melds=["4C 4D 4H @0", "4C 4D 4S @1"])
    assert found(told) == ["melds/1/cards/0/card", "melds/1/cards/1/card", "melds/1/cards"]


@pytest.mark.parametrize(
    "meld", ["4C 4D @0 4H @1", "5C 6C @0 7C 8C @1", "4C 4D @0 4H 4S @1", "5C 7C 9C @0 6C 8C @1"]
)
def test_some_seat_must_have_laid_the_first_three(meld: str) -> None:
    assert in_notation({"pile": "2C", "melds": [meld]}) == ["melds/0/cards"]


@pytest.mark.parametrize("meld", ["5C 6C 7C @0 4C 8C @2", "JS JD JH @1 JC @1", "QC KC AC @3"])
def test_melds_that_grew(meld: str) -> None:
    assert in_notation({"pile": "2C", "melds": [meld]}) == []


ALL_BUT_ENDS = "4S 5S 6S 7S 8S 9S TS JS"


@pytest.mark.parametrize(
    ("meld", "is_right"),
    [
        (f"AS 2S 3S @0 {ALL_BUT_ENDS} QS KS @1 low", True),
        ("AS QS KS @0 2S 3S @1 4S 5S @2 6S 7S @3 8S 9S @2 TS JS @3 low", False),
        ("AS QS KS @0 2S 3S @1 4S 5S @2 6S 7S @3 8S 9S @2 TS JS @3", True),
        ("AS 2S 3S @0 4S 5S @2 6S 7S @3 8S 9S @2 TS JS @3 QS KS @1", False),
    ],
)
def test_the_first_cards_lie_where_the_ace_lies(meld: str, is_right: bool) -> None:
    told = {"pile": "2C", "melds": [meld], "ruleset": EITHER_ACE}
    assert in_notation(told) == ([] if is_right else ["melds/0/cards"])


@pytest.mark.parametrize(
    ("meld", "ruleset"),
    [
        ("4C 4D 4H @0 doubled", PERSIAN),
        ("4C 4D 4H @0 4S @2 doubled", PERSIAN),
        ("4C 5C 6C 7C @0 doubled", PERSIAN),
        ("4C 4D 4H 4S @0 doubled", house(quad_bonus="none")),
    ],
)
def test_doubled_without_four_at_once(meld: str, ruleset: Ruleset) -> None:
    assert in_notation({"pile": "2C", "melds": [meld], "ruleset": ruleset}) == ["melds/0/doubled"]


@pytest.mark.parametrize("meld", ["X1 X2 X3 X4 @2 doubled", "4C 4D 4H 4S @0", "4C 4D 4H @1"])
def test_doubled_or_not_as_it_may_be(meld: str) -> None:
    assert in_notation({"pile": "2C", "melds": [meld]}) == []


LAID = {"pile": "2C", "hands": ["9C"], "ruleset": SAME_TURN, "phase": "play", "laid": (1,)}


@pytest.mark.parametrize(
    ("change", "at"),
    [
        ({}, []),
        ({"phase": "draw"}, ["melds/0/laid_this_turn"]),
        ({"melds": ["4C 4D 4H @1"]}, ["melds/0/laid_this_turn"]),
        ({"melds": ["4C 4D 4H @0", "5C 5D 5H @1"]}, ["melds/0/laid_this_turn"]),
        ({"melds": ["4C 4D 4H 4S @0"]}, ["melds/0/doubled"]),
        ({"melds": ["4C 4D 4H 4S @0 doubled"]}, []),
        ({"hands": ["9C 9D 9H"], "must_use": "9C"}, ["melds/0/laid_this_turn"]),
        ({"hands": ["9C"], "idle_turns": 1}, ["idle_turns"]),
    ],
)
def test_a_meld_of_this_turn(change: dict[str, object], at: list[str]) -> None:
    assert in_notation({**LAID, "melds": ["4C 4D 4H @0"], **change}) == at


# --- the turn ---


def test_the_number_of_the_deal() -> None:
    assert found(replace(DEALT, deal=0)) == ["deal"]
    assert found(replace(DEALT, deal=51)) == ["deal"]


def test_somebody_is_to_act_until_the_deal_is_over() -> None:
    assert found(replace(DEALT, turn=None)) == ["turn"]
    assert found(replace(DEALT, phase="over")) == ["turn"]
    assert found(replace(DEALT, phase="over", turn=None)) == []


def test_who_has_drawn_holds_a_card() -> None:
    assert in_notation({"phase": "play", "pile": "2C", "hands": ["", "4C"]}) == ["hands/0"]


def test_an_empty_hand_ends_the_deal_where_any_last_card_does() -> None:
    told = written(BY_DISCARD, pile="2C", melds=["4C 4D 4H @0"])
    told = replace(told, hands=(0, 8, 8, 9), stock=27, partial=False)
    assert found(told, BY_DISCARD) == ["hands/0"]
    assert found(replace(told, partial=True), BY_DISCARD) == []
    assert found(told, PERSIAN) == []


def test_every_turn_leaves_a_card_on_the_pile() -> None:
    taken = replace(DEALT, pile=b"", stock=bytes(DEALT.stock) + DEALT.pile)
    assert found(taken) == ["stock", "pile"]
    assert found(replace(taken, partial=True)) == []


def test_a_pile_does_not_vanish_without_a_take() -> None:
    # A whole position lists its hands.
    hand = (*DEALT.hands[0], Card(DEALT.pile[0]))  # type: ignore[misc]
    drawn = replace(DEALT, phase="play", pile=b"", hands=(hand, *DEALT.hands[1:]))
    assert found(drawn) == ["pile"]
    assert found(replace(drawn, partial=True)) == []


@pytest.mark.parametrize(
    ("change", "at"),
    [
        ({"hands": ["9D 9S 9C KC"]}, []),
        ({"hands": ["9D 9S KC"]}, ["must_use"]),
        ({"hands": ["9S 9C KC"]}, ["must_use"]),
        ({"hands": ["9S 9C KC"], "pile": "9D"}, ["must_use"]),
        ({"hands": ["9D 9S 9C KC"], "phase": "draw"}, ["must_use"]),
        ({"hands": ["9D 9S 9C KC"], "phase": "over"}, ["must_use"]),
        ({"hands": ["9D KC"], "melds": ["6D 7D 8D @1"]}, []),
        ({"hands": ["9D KC"], "melds": ["5D 6D 7D @1"]}, ["must_use"]),
        ({"hands": ["9D 8D KC"], "melds": ["5D 6D 7D @1"]}, []),
        (
            {
                "hands": ["9D KC"],
                "melds": ["6D 7D 8D @1"],
                "ruleset": house(pickup_use="new_meld_only"),
            },
            ["must_use"],
        ),
        ({"hands": ["9D ?? ??"]}, []),
        ({"hands": ["9D ??"]}, ["must_use"]),
        ({"hands": [3]}, []),
        ({"hands": [2]}, ["must_use"]),
        ({"hands": [3, "9D"]}, ["must_use"]),
        ({"hands": ["9D ?? ??", "9S 9C", "8D TD"]}, ["must_use"]),
        ({"hands": ["9D ?? ??", "9S 9C", "8D"]}, []),
        ({"hands": ["9D 9S 9C"], "passes": 0, "idle_turns": 0}, ["idle_turns"]),
        ({"hands": ["9D 9S 9C"], "idle_turns": 2}, ["idle_turns"]),
        ({"hands": ["9D 9S 9C"], "idle_turns": 4, "stock": ""}, []),
        ({"hands": ["9D 9S 9C"], "idle_turns": 5, "stock": ""}, ["idle_turns"]),
    ],
)
def test_the_card_to_be_played(change: dict[str, object], at: list[str]) -> None:
    assert in_notation({**USED, **change}) == at


def test_a_single_top_card_is_barred_where_it_was_free() -> None:
    hand = (card("9D"), card("9S"), card("9C"), *[None] * 5)
    taken = replace(
        DEALT, phase="play", hands=(hand, 7, 7, 7), stock=26, pile=b"\x00", must_use=card("9D")
    )
    assert found(taken, FREE) == ["must_use"]
    assert found(replace(taken, hands=((*hand, None), 7, 7, 7), stock=25), FREE) == []
    assert found(taken, PERSIAN) == []


@pytest.mark.parametrize(
    ("change", "at"),
    [
        ({"hands": ["9D KC"]}, []),
        ({"hands": ["9D KC"], "ruleset": PERSIAN}, ["barred"]),
        ({"hands": ["9D KC"], "stock": ""}, ["barred"]),
        ({"hands": ["9D KC"], "phase": "draw"}, ["barred"]),
        ({"hands": ["KC"]}, ["barred"]),
        ({"hands": ["?? KC"]}, []),
        ({"hands": ["?? KC", "9D"]}, ["barred"]),
        ({"hands": ["9D 9S 9C"], "must_use": "9D"}, ["barred"]),
        ({"hands": ["9D KC"], "idle_turns": 12}, []),
        ({"hands": ["9D KC"], "idle_turns": 13}, ["idle_turns"]),
    ],
)
def test_the_card_that_may_not_be_thrown_back(change: dict[str, object], at: list[str]) -> None:
    assert in_notation({**KEPT, **change}) == at


@pytest.mark.parametrize(
    ("change", "at"),
    [
        ({"passes": 3}, []),
        ({"passes": 4}, ["passes"]),
        ({"passes": 1, "stock": "2S"}, ["passes"]),
        ({"passes": 1, "stock": 4}, ["passes"]),
        ({"passes": 1, "ruleset": FIRST_PASS}, ["passes"]),
        ({"passes": 1, "phase": "play"}, ["passes"]),
        ({"passes": 4, "phase": "over"}, []),
        ({"passes": 5, "phase": "over"}, ["passes"]),
        ({"passes": 1, "phase": "over", "ruleset": FIRST_PASS}, []),
        ({"passes": 2, "phase": "over", "ruleset": FIRST_PASS}, ["passes"]),
        ({"passes": 2, "idle_turns": 2}, []),
        ({"passes": 2, "idle_turns": 3}, ["idle_turns"]),
        ({"passes": 2, "idle_turns": 11, "ruleset": FREE}, []),
        ({"passes": 2, "idle_turns": 12, "ruleset": FREE}, ["idle_turns"]),
        ({"passes": 2, "idle_turns": 1, "ruleset": FREE}, ["idle_turns"]),
        ({"idle_turns": 1, "phase": "play", "ruleset": FREE}, ["idle_turns"]),
        ({"passes": 4, "idle_turns": 3, "phase": "over"}, ["idle_turns"]),
        ({"idle_turns": 12, "phase": "over"}, []),
    ],
)
def test_passes_and_idle_turns(change: dict[str, object], at: list[str]) -> None:
    assert in_notation({"hands": ["KC"], "pile": "2C", **change}) == at


def test_every_fault_is_named_not_only_the_first() -> None:
    wrong = replace(
        DEALT,
        deal=0,
        turn=None,
        must_use=card("4S"),
        passes=4,
        idle_turns=50,
        barred=card("5S"),
        melds=with_meld("KS KD").melds,
        pile=b"",
    )
    named = {"", "deal", "turn", "must_use", "passes", "idle_turns", "barred", "melds/0/cards"}
    assert set(found(wrong)) >= named


@pytest.mark.parametrize("name", RULESETS)
def test_no_tampering_makes_the_check_stumble(name: str) -> None:
    chance = Random(f"tampering {name}")
    for state in random_states(RULESETS[name], chance):
        told = blanked(full_position(state, (0, 0)), SEATS, chance)
        for _ in range(3):
            told = tampered(told, chance)
            assert all(fault.detail for fault in faults(told, RULESETS[name]))


def tampered(told: Position, chance: Random) -> Position:
    """The position with one member changed for something else."""
    one = Card(chance.randrange(56))
    match chance.randrange(9):
        case 0:
            return replace(told, turn=chance.choice([None, *SEATS]))
        case 1:
            return replace(told, phase=chance.choice(["draw", "play", "over"]))
        case 2:
            return replace(told, must_use=chance.choice([None, one]))
        case 3:
            return replace(told, barred=chance.choice([None, one]))
        case 4:
            return replace(told, passes=chance.randrange(6), idle_turns=chance.randrange(15))
        case 5:
            return replace(told, stock=chance.choice([0, 3, 56, bytes([one]), bytes(56)]))
        case 6:
            return replace(told, pile=told.pile + bytes([one]))
        case 7:
            a, b, c, d = chance.sample([*told.hands], 4)
            return replace(told, hands=(a, b, c, chance.choice([d, 0, (one, one), (None, one)])))
        case _:
            melds = tuple(
                replace(meld, cards=(*meld.cards[1:], MeldCard(one, Seat(1))), doubled=True)
                for meld in told.melds
            )
            return replace(told, melds=melds)
