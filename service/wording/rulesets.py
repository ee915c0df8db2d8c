"""Presets and options, machine-readable."""

from typing import Final

import msgspec

from engine.ruleset import BOUNDS, CHOICES, END_BOUNDS, PERSIAN, PRESETS, options_of
from service.wire import ruleset as wire
from service.wire.option import ResolvedOptions

TITLES: Final = {
    "persian": "Persian Rummy",
    "partnership-500": "Partnership 500 Rummy",
}

SUMMARIES: Final = {
    "quad_bonus": "When four of a kind count double.",
    "stock_out": "How many passes block a deal once the stock is gone.",
    "pickup_use": "How a card taken from the pile has to be played.",
    "top_discard": "Whether the top card of the pile may be taken and kept.",
    "go_out_by_discard": "Whether discarding the last card ends the deal.",
    "go_out_bonus": "Points for the team whose player goes out.",
    "game_end": "After how many deals, or with how many points, the game ends.",
    "tie_break": "What happens when the totals are equal at the end.",
    "jokers": "How many jokers are in the pack; they are melded together or not at all.",
    "ace_in_runs": "Where an ace may stand in a run.",
    "ace_low_value": "What an ace below the two is worth, where it may stand there.",
    "dealer_rotation": "Who deals next.",
    "blocked_hand_penalty": "Whether the hands count against their teams in a blocked deal.",
    "hand_size": "How many cards each player is dealt.",
}


def all_rulesets() -> wire.Rulesets:
    """Every preset, and every option with its values."""
    defaults = options_of(PERSIAN)
    return wire.Rulesets(
        items=tuple(preset(name) for name in PRESETS),
        options=tuple(_option(name, default) for name, default in defaults.items()),
    )


def preset(name: str) -> wire.PresetRuleset:
    """A preset with its options resolved. Raises KeyError where there is none of this name."""
    options = msgspec.convert(options_of(PRESETS[name]), ResolvedOptions)
    return wire.PresetRuleset(name=name, title=TITLES[name], options=options)


def _option(name: str, default: object) -> wire.OptionRule:
    return msgspec.convert(
        {
            "name": name,
            "default": default,
            "values": _values(name),
            "summary": SUMMARIES[name],
        },
        wire.OptionRule,
    )


def _values(name: str) -> object:
    if name in CHOICES:
        return CHOICES[name]
    if name in BOUNDS:
        least, most = BOUNDS[name]
        return {"minimum": least, "maximum": most}
    return tuple(
        {"member": member, "minimum": least, "maximum": most}
        for member, (least, most) in END_BOUNDS.items()
    )
