"""Options and presets: all that may be chosen, and all that is refused."""

from collections.abc import Mapping

import pytest

from engine.ruleset import PERSIAN, PRESETS, OptionError, Ruleset, options_of, resolve
from tests.engine import twin_state

VALUES: Mapping[str, list[object]] = {
    "quad_bonus": ["single_lay", "same_turn", "none"],
    "stock_out": ["all_pass", "first_pass"],
    "pickup_use": ["meld_or_layoff", "new_meld_only"],
    "top_discard": ["must_use", "free"],
    "go_out_by_discard": [False, True],
    "go_out_bonus": [0, 25, 1000],
    "game_end": [{"deals": 1}, {"deals": 50}, {"target": 1}, {"target": 10_000}],
    "tie_break": ["draw", "extra_deal"],
    "jokers": [0, 4],
    "ace_in_runs": ["high", "high_or_low"],
    "dealer_rotation": ["left", "winner", "fixed"],
    "blocked_hand_penalty": [True, False],
    "hand_size": list(range(3, 13)),
}
"""Every option with the values that it takes (a few of them, where they are many)."""

ALL = [(preset, name, value) for preset in PRESETS for name in VALUES for value in VALUES[name]]


def test_there_are_two_presets() -> None:
    assert set(PRESETS) == {"persian", "partnership-500"}


def test_persian_is_as_the_rules_say() -> None:
    assert options_of(PRESETS["persian"]) == twin_state.PERSIAN
    assert resolve("persian", {}) == PERSIAN == Ruleset()


def test_partnership_500_is_as_the_rules_say() -> None:
    assert options_of(PRESETS["partnership-500"]) == twin_state.PARTNERSHIP


@pytest.mark.parametrize(("preset", "name", "value"), ALL)
def test_each_value_is_taken_and_changes_that_option_alone(
    preset: str, name: str, value: object
) -> None:
    chosen = options_of(resolve(preset, {name: value}))
    assert chosen == options_of(PRESETS[preset]) | {name: value}


@pytest.mark.parametrize("value", [1, 15])
def test_a_low_ace_has_a_worth_where_aces_may_be_low(value: int) -> None:
    chosen = resolve("persian", {"ace_in_runs": "high_or_low", "ace_low_value": value})
    assert chosen.ace_low_value == value
    assert resolve("partnership-500", {"ace_low_value": value}).ace_low_value == value


def test_a_low_ace_has_no_worth_where_aces_are_high() -> None:
    with pytest.raises(OptionError):
        resolve("persian", {"ace_low_value": 1})
    with pytest.raises(OptionError):
        resolve("persian", {"ace_in_runs": "high", "ace_low_value": 1})
    assert resolve("persian", {"ace_low_value": 15}) == PERSIAN
    assert resolve("partnership-500", {"ace_in_runs": "high"}).ace_in_runs == "high"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("quad_bonus", "double"),
        ("quad_bonus", "SINGLE_LAY"),
        ("stock_out", "reshuffle"),
        ("pickup_use", ""),
        ("top_discard", "must_use "),
        ("tie_break", "extra"),
        ("ace_in_runs", "low"),
        ("dealer_rotation", "right"),
        ("jokers", 2),
        ("jokers", 8),
        ("jokers", -4),
        ("ace_low_value", 11),
        ("go_out_bonus", -1),
        ("go_out_bonus", 1001),
        ("hand_size", 2),
        ("hand_size", 13),
        ("hand_size", 0),
        ("game_end", {}),
        ("game_end", {"deals": 0}),
        ("game_end", {"deals": 51}),
        ("game_end", {"deals": -1}),
        ("game_end", {"target": 0}),
        ("game_end", {"target": 10_001}),
        ("game_end", {"deals": 2, "target": 500}),
        ("game_end", {"points": 500}),
        ("team_formation", "draw"),
        ("dealer", 0),
        ("draw_ties", "redraw"),
        ("pickup_needs_hand_card", True),
        ("", "x"),
        ("Quad_bonus", "none"),
    ],
)
def test_what_is_not_offered_is_refused(name: str, value: object) -> None:
    with pytest.raises(OptionError) as refusal:
        resolve("persian", {"ace_in_runs": "high_or_low"} | {name: value})
    assert refusal.value.path[:2] == ("options", name)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("go_out_by_discard", 1),
        ("go_out_by_discard", "true"),
        ("blocked_hand_penalty", None),
        ("go_out_bonus", True),
        ("go_out_bonus", 25.0),
        ("go_out_bonus", "25"),
        ("jokers", False),
        ("jokers", 4.0),
        ("ace_low_value", True),
        ("hand_size", "7"),
        ("hand_size", 7.0),
        ("quad_bonus", None),
        ("quad_bonus", ["none"]),
        ("stock_out", 0),
        ("game_end", 2),
        ("game_end", "deals"),
        ("game_end", None),
        ("game_end", {"deals": True}),
        ("game_end", {"deals": "2"}),
        ("game_end", {"target": 500.0}),
    ],
)
def test_a_value_of_another_type_is_refused_as_that(name: str, value: object) -> None:
    with pytest.raises(OptionError) as refusal:
        resolve("persian", {"ace_in_runs": "high_or_low"} | {name: value})
    assert refusal.value.path[:2] == ("options", name)
    assert refusal.value.wrong_type


@pytest.mark.parametrize("preset", ["", "Persian", "partnership_500", "500", "persian "])
def test_an_unknown_preset_is_refused(preset: str) -> None:
    with pytest.raises(OptionError) as refusal:
        resolve(preset, {})
    assert refusal.value.path == ("preset",)


@pytest.mark.parametrize(
    ("preset", "options", "turns"),
    [
        ("persian", {}, 255),
        ("partnership-500", {}, 251),
        ("persian", {"hand_size": 3}, 271),
        ("persian", {"hand_size": 12}, 235),
        ("persian", {"jokers": 0}, 251),
    ],
)
def test_the_bound_on_turns(preset: str, options: dict[str, object], turns: int) -> None:
    assert resolve(preset, options).most_turns == turns
