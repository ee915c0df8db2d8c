"""The options that a table may choose, and the two presets.

Defaults are those of Persian Rummy; each option says which open question it answers.
"""

from collections.abc import Mapping
from typing import Final, Literal

import msgspec
from msgspec import Struct

RULES_VERSION: Final = "1"
"""Raised when a ruling changes, so that an old record stays valid under its own version."""

MOST_DEALS: Final = 50
"""No game is longer, whatever its ending asks for: a service needs a bound."""

MOST_TARGET: Final = 10_000
MOST_BONUS: Final = 1_000
SMALLEST_HAND: Final = 3
LARGEST_HAND: Final = 12


class GameEnd(Struct, frozen=True, array_like=True):
    """When a game ends: after `deals` deals, or when a side has `target` points after a deal."""

    deals: int | None = None
    target: int | None = None


class Ruleset(Struct, frozen=True, array_like=True):
    """Every option, resolved."""

    quad_bonus: Literal["single_lay", "same_turn", "none"] = "single_lay"
    stock_out: Literal["all_pass", "first_pass"] = "all_pass"
    pickup_use: Literal["meld_or_layoff", "new_meld_only"] = "meld_or_layoff"
    top_discard: Literal["must_use", "free"] = "must_use"
    go_out_by_discard: bool = False
    go_out_bonus: int = 25
    game_end: GameEnd = GameEnd(deals=2)
    tie_break: Literal["draw", "extra_deal"] = "draw"
    jokers: Literal[0, 4] = 4
    ace_in_runs: Literal["high", "high_or_low"] = "high"
    ace_low_value: Literal[1, 15] = 15
    dealer_rotation: Literal["left", "winner", "fixed"] = "left"
    blocked_hand_penalty: bool = True
    hand_size: int = 7

    @property
    def pack_size(self) -> int:
        """56 cards, or 52 without the jokers."""
        return 52 + self.jokers

    @property
    def most_turns(self) -> int:
        """No deal has more turns: stock draws, cards that can reach the table, passes (G-67)."""
        return self.pack_size - 1 - 4 * self.hand_size + 56 + 172


PERSIAN: Final = Ruleset()
PARTNERSHIP_500: Final = Ruleset(
    jokers=0,
    ace_in_runs="high_or_low",
    ace_low_value=1,
    quad_bonus="none",
    go_out_by_discard=True,
    go_out_bonus=0,
    stock_out="first_pass",
    game_end=GameEnd(target=500),
    tie_break="extra_deal",
)
PRESETS: Final[Mapping[str, Ruleset]] = {
    "persian": PERSIAN,
    "partnership-500": PARTNERSHIP_500,
}

CHOICES: Final[Mapping[str, tuple[str | int | bool, ...]]] = {
    "quad_bonus": ("single_lay", "same_turn", "none"),
    "stock_out": ("all_pass", "first_pass"),
    "pickup_use": ("meld_or_layoff", "new_meld_only"),
    "top_discard": ("must_use", "free"),
    "go_out_by_discard": (False, True),
    "tie_break": ("draw", "extra_deal"),
    "jokers": (0, 4),
    "ace_in_runs": ("high", "high_or_low"),
    "ace_low_value": (1, 15),
    "dealer_rotation": ("left", "winner", "fixed"),
    "blocked_hand_penalty": (True, False),
}
"""Options that take one of a few values."""

BOUNDS: Final[Mapping[str, tuple[int, int]]] = {
    "go_out_bonus": (0, MOST_BONUS),
    "hand_size": (SMALLEST_HAND, LARGEST_HAND),
}
"""Options that take a number, least and most."""

END_BOUNDS: Final[Mapping[str, tuple[int, int]]] = {
    "deals": (1, MOST_DEALS),
    "target": (1, MOST_TARGET),
}
"""The two ways for a game to end; exactly one is chosen."""


class OptionError(ValueError):
    """An option, or the preset, that cannot be had.

    `path` leads to it from the ruleset; `wrong_type` tells a value of the wrong kind (text for a
    number) from one that is merely not offered.
    """

    def __init__(self, path: tuple[str, ...], detail: str, *, wrong_type: bool = False) -> None:
        super().__init__(detail)
        self.path = path
        self.detail = detail
        self.wrong_type = wrong_type


def resolve(preset: str, options: Mapping[str, object]) -> Ruleset:
    """The ruleset of a preset with some options changed; OptionError where that is none."""
    if preset not in PRESETS:
        raise OptionError(("preset",), f"no preset {preset!r}: there are {', '.join(PRESETS)}")
    base = PRESETS[preset]
    chosen = {name: _value(name, value) for name, value in options.items()}
    ruleset: Ruleset = msgspec.structs.replace(base, **chosen)
    if ruleset.ace_in_runs == "high" and chosen.get("ace_low_value", base.ace_low_value) != (
        base.ace_low_value
    ):
        raise OptionError(
            ("options", "ace_low_value"), "a low ace has no worth where aces are always high"
        )
    return ruleset


def options_of(ruleset: Ruleset) -> dict[str, object]:
    """Every option by name, as it is written in an opening."""
    by_name = msgspec.structs.asdict(ruleset)
    end = ruleset.game_end
    by_name["game_end"] = {"deals": end.deals} if end.deals else {"target": end.target}
    return by_name


def _value(name: str, value: object) -> object:
    if name in CHOICES:
        return _choice(name, value)
    if name in BOUNDS:
        return _number(("options", name), value, *BOUNDS[name])
    if name == "game_end":
        return _game_end(value)
    raise OptionError(("options", name), f"no option {name!r}")


def _choice(name: str, value: object) -> object:
    choices = CHOICES[name]
    if type(value) is not type(choices[0]):
        kind = type(choices[0]).__name__
        raise OptionError(("options", name), f"{name} takes a {kind}", wrong_type=True)
    if value not in choices:
        offered = ", ".join(str(choice) for choice in choices)
        raise OptionError(("options", name), f"{name} is one of {offered}, not {value}")
    return value


def _number(path: tuple[str, ...], value: object, least: int, most: int) -> int:
    if type(value) is not int:
        raise OptionError(path, f"{path[-1]} takes a whole number", wrong_type=True)
    if not least <= value <= most:
        raise OptionError(path, f"{path[-1]} is {least} to {most}")
    return value


def _game_end(value: object) -> GameEnd:
    path = ("options", "game_end")
    if not isinstance(value, Mapping):
        raise OptionError(path, "game_end takes an object", wrong_type=True)
    if len(value) != 1 or not set(value) <= set(END_BOUNDS):
        raise OptionError(path, 'game_end is {"deals": n} or {"target": points}')
    ((way, number),) = value.items()
    return GameEnd(**{way: _number((*path, way), number, *END_BOUNDS[way])})
