"""The twin's position: what lies where, in card codes, lists and dicts.

The twin is written from the rules alone and imports nothing of the engine, so that the two can be
held against each other. An action is a tuple: ("draw_stock",), ("draw_discard", "9D"),
("meld", cards), ("lay_off", cards, meld id), ("discard", "3H"), ("pass",).
"""

from dataclasses import dataclass, field
from typing import Any

Rules = dict[str, Any]
TwinAction = tuple[Any, ...]

PERSIAN: Rules = {
    "quad_bonus": "single_lay",
    "stock_out": "all_pass",
    "pickup_use": "meld_or_layoff",
    "top_discard": "must_use",
    "go_out_by_discard": False,
    "go_out_bonus": 25,
    "game_end": {"deals": 2},
    "tie_break": "draw",
    "jokers": 4,
    "ace_in_runs": "high",
    "ace_low_value": 15,
    "dealer_rotation": "left",
    "blocked_hand_penalty": True,
    "hand_size": 7,
}
PARTNERSHIP: Rules = PERSIAN | {
    "quad_bonus": "none",
    "stock_out": "first_pass",
    "go_out_by_discard": True,
    "go_out_bonus": 0,
    "game_end": {"target": 500},
    "tie_break": "extra_deal",
    "jokers": 0,
    "ace_in_runs": "high_or_low",
    "ace_low_value": 1,
}


@dataclass
class TwinMeld:
    """A meld on the table: who played each card, and what is special about it."""

    kind: str
    played: dict[str, int]
    doubled: bool = False
    low_ace: bool = False
    laid_this_turn: bool = False


@dataclass
class TwinState:
    """A deal in progress."""

    rules: Rules
    hands: list[set[str]]
    stock: list[str]
    pile: list[str]
    turn: int
    dealer: int = 3
    deal: int = 1
    phase: str = "draw"
    melds: dict[int, TwinMeld] = field(default_factory=dict)
    must_use: str | None = None
    barred: str | None = None
    passes: int = 0
    idle_turns: int = 0
    stirred: bool = False
    turn_no: int = 1
    ended: str | None = None
    out_seat: int | None = None
    known: list[set[str]] = field(default_factory=lambda: [set(), set(), set(), set()])
