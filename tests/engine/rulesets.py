"""Every ruleset that the random games are played under.

Both presets, each option flipped by itself, and a few mixtures of options that meet each other.
"""

from collections.abc import Mapping
from typing import Final

from engine.ruleset import PRESETS, Ruleset, resolve

FLIPS: Final[tuple[Mapping[str, object], ...]] = (
    {},
    {"quad_bonus": "single_lay"},
    {"quad_bonus": "same_turn"},
    {"quad_bonus": "none"},
    {"stock_out": "all_pass"},
    {"stock_out": "first_pass"},
    {"pickup_use": "new_meld_only"},
    {"top_discard": "free"},
    {"go_out_by_discard": False},
    {"go_out_by_discard": True},
    {"go_out_bonus": 0},
    {"go_out_bonus": 25},
    {"go_out_bonus": 1000},
    {"game_end": {"deals": 1}},
    {"game_end": {"deals": 3}},
    {"game_end": {"target": 150}},
    {"tie_break": "draw"},
    {"tie_break": "extra_deal"},
    {"jokers": 0},
    {"jokers": 4},
    {"ace_in_runs": "high"},
    {"ace_in_runs": "high_or_low"},
    {"ace_in_runs": "high_or_low", "ace_low_value": 1},
    {"ace_in_runs": "high_or_low", "ace_low_value": 15},
    {"dealer_rotation": "winner"},
    {"dealer_rotation": "fixed"},
    {"blocked_hand_penalty": False},
    {"hand_size": 3},
    {"hand_size": 5},
    {"hand_size": 10},
    {"hand_size": 12},
    {"top_discard": "free", "pickup_use": "new_meld_only", "stock_out": "first_pass"},
    {"top_discard": "free", "go_out_by_discard": True, "hand_size": 3},
    {"quad_bonus": "same_turn", "ace_in_runs": "high_or_low", "hand_size": 10, "jokers": 4},
    {"pickup_use": "new_meld_only", "dealer_rotation": "winner", "tie_break": "extra_deal"},
)


def _name(preset: str, flip: Mapping[str, object]) -> str:
    words = [f"{option}={value}" for option, value in flip.items()]
    return " ".join([preset, *words]).replace("{", "").replace("}", "").replace("'", "")


def _all() -> dict[str, tuple[str, Mapping[str, object]]]:
    found: dict[str, tuple[str, Mapping[str, object]]] = {}
    seen: list[Ruleset] = []
    for preset in PRESETS:
        for flip in FLIPS:
            ruleset = resolve(preset, flip)
            if ruleset not in seen:
                seen.append(ruleset)
                found[_name(preset, flip)] = (preset, flip)
    return found


CHOSEN: Final = _all()
"""Preset and options by name; rulesets that come out the same stand there once."""

RULESETS: Final = {name: resolve(*chosen) for name, chosen in CHOSEN.items()}
