"""The list of legal actions at tables where everything in it can be told by hand."""

import pytest

from engine.play import legal_actions
from engine.shuffle import NO_SEEDS, pack
from tests.engine import twin_cards
from tests.engine.both import Table
from tests.engine.tables import house, listed, position, twin_of


def test_all_six_runs_within_five_cards() -> None:
    table = Table(hands=["5H 6H 7H 8H 9H KD"], phase="play")
    assert table.legal("meld") == {
        "meld 5H 6H 7H",
        "meld 6H 7H 8H",
        "meld 7H 8H 9H",
        "meld 5H 6H 7H 8H",
        "meld 6H 7H 8H 9H",
        "meld 5H 6H 7H 8H 9H",
    }


def test_all_five_sets_of_a_rank() -> None:
    table = Table(hands=["7C 7D 7H 7S"], phase="play")
    assert len(table.legal("meld")) == 5


def test_a_run_does_not_leak_into_the_next_suit() -> None:
    assert Table(hands=["QC KC AC 2D 3D X1 X2 2C"], phase="play").legal("meld") == {"meld QC KC AC"}
    assert Table(hands=["KC AC 2D 3D X1 KD AD"], phase="play").legal("meld") == set()


def test_before_the_draw() -> None:
    table = Table(hands=["9S 9C 5D"], stock="2C", pile="KD 9D")
    assert legal_lines(table) == {"draw_stock", "draw_discard 9D"}


def test_before_the_draw_without_stock() -> None:
    table = Table(hands=["9S 9C 5D"], pile="KD 9D")
    assert legal_lines(table) == {"pass", "draw_discard 9D"}


def test_with_the_card_taken_open_only_what_uses_it() -> None:
    table = Table(
        hands=["9S 9C 5D TD JD 3C 3D 3H"], stock="2C", pile="9D", melds=["6D 7D 8D @2"]
    ).play("draw_discard 9D")
    assert legal_lines(table) == {
        "meld 9C 9D 9S",
        "meld 9D TD JD",
        "lay_off 9D on 1",
        "lay_off 5D 9D on 1",
        "lay_off 9D TD on 1",
        "lay_off 5D 9D TD on 1",
        "lay_off 9D TD JD on 1",
        "lay_off 5D 9D TD JD on 1",
    }


def test_nothing_once_the_deal_is_over() -> None:
    table = Table(hands=["9S 9C 9D"], phase="play").play("meld 9S 9C 9D")
    assert legal_actions(table.state) == []


@pytest.mark.parametrize(
    ("ace_in_runs", "melds"), [("high", 70 + 4 * 66), ("high_or_low", 70 + 4 * 76)]
)
def test_the_whole_pack_in_one_hand_is_the_longest_list(ace_in_runs: str, melds: int) -> None:
    whole = " ".join(twin_cards.whole_pack(4))
    state = position(ruleset=house(ace_in_runs=ace_in_runs), hands=[whole], phase="play")
    assert len(legal_actions(state)) == melds + 56
    assert len(twin_of(state).legal()) == melds + 56


def test_a_pile_of_the_whole_pack() -> None:
    """No pile is longer, and every card of it that fits what lies above may be taken."""
    order = pack(bytes(32), NO_SEEDS, 1, 4)
    table = Table(hands=[], stock="", pile=listed(order))
    assert len(table.takes.split()) == len(table.twin.legal()) - 1


def test_no_action_is_listed_twice() -> None:
    whole = " ".join(twin_cards.whole_pack(4)[:40])
    rest = " ".join(twin_cards.whole_pack(4)[40:43])
    state = position(
        ruleset=house(ace_in_runs="high_or_low"), hands=[whole], phase="play", melds=[f"{rest} @1"]
    )
    legal = legal_actions(state)
    assert len(set(legal)) == len(legal)


def legal_lines(table: Table) -> set[str]:
    verbs = ("draw_stock", "draw_discard", "pass", "meld", "lay_off", "discard")
    return {line for verb in verbs for line in table.legal(verb)}
