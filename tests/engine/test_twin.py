"""The twin itself: it shares nothing with the engine, and a hand's list holds all that is legal."""

import ast
from pathlib import Path

import pytest

from tests.engine.tables import position, twin_of
from tests.engine.twin_cards import is_set, kind_of, possible_lay_offs, run_order, worth

MODULES = sorted(Path(__file__).parent.glob("twin*.py"))


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.name)
def test_the_twin_imports_nothing_of_the_engine(module: Path) -> None:
    for node in ast.walk(ast.parse(module.read_text())):
        if isinstance(node, ast.Import):
            assert not any(one.name.split(".")[0] == "engine" for one in node.names)
        if isinstance(node, ast.ImportFrom):
            assert node.module is not None
            assert node.module.split(".")[0] != "engine"
            assert not node.module.startswith("tests") or ".twin" in node.module


@pytest.mark.parametrize(
    "hand", ["4S 4D 4H 4C 5S 6S 7S", "X1 X2 X3 X4 KD", "7C 8C 9C TC 9D 9H 2S", "2C 5D 9H JS"]
)
def test_the_list_is_all_that_is_legal_among_every_subset_of_the_hand(hand: str) -> None:
    melds = ["8S 9S TS @1", "5C 5D 5H @2"]
    twin = twin_of(position(hands=[hand], phase="play", melds=melds))
    among_all = {one for one in twin.every_subset() if twin.violation(0, one) is None}
    assert among_all == {one for one in twin.legal() if one[0] != "discard"}


def test_a_set_is_of_one_rank() -> None:
    assert is_set(["4S", "4D", "4H"])
    assert not is_set(["4S", "4D"])
    assert not is_set(["4S", "4D", "5H"])
    assert kind_of(["X1", "X2", "X3"], "high") == "set"


def test_a_run_is_of_one_suit_in_a_row() -> None:
    assert run_order(["QS", "KS", "AS"], "high")
    assert run_order(["AS", "2S", "3S"], "high") is None
    low = run_order(["AS", "2S", "3S"], "high_or_low")
    assert low is not None
    assert low[0] == "A"
    assert run_order(["KS", "AS", "2S"], "high_or_low") is None
    assert run_order(["3S", "4S", "6S"], "high") is None
    assert run_order(["X1", "X2", "X3"], "high") is None


def test_lay_offs_on_a_run_may_lean_on_each_other() -> None:
    groups = possible_lay_offs(["5H", "6H", "7H"], ["8H", "9H", "4H", "JH"], "high")
    assert frozenset(["9H"]) not in groups
    assert frozenset(["8H", "9H"]) in groups
    assert len(groups) == 5


def test_all_cards_together_are_worth_476() -> None:
    every = [rank + suit for suit in "CDHS" for rank in "23456789TJQKA"] + ["X1", "X2", "X3", "X4"]
    assert sum(map(worth, every)) == 476
