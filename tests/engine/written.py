"""Positions kept in text files: read for the tests, and written for people to read.

One line says one thing: `preset`, `options` (JSON), `turn`, `dealer`, `phase`, `hand 0` to
`hand 3`, `stock` (next card first), `pile` (top last), `meld` (in order of laying, `@seat` after
the cards that it played), `must_use`, `barred`, `passes`, `idle_turns`, `known 0` to `known 3`.
Lines that begin with `#` are for people.
"""

import json
from collections.abc import Iterable

from engine.ruleset import resolve
from engine.state import State, TableMeld
from tests.engine.tables import listed, position, written

NUMBERS = ("turn", "dealer", "deal", "passes", "idle_turns")
WORDS = ("phase", "must_use", "barred", "stock", "pile")


def read(lines: Iterable[str]) -> tuple[State, dict[str, str]]:
    """The state that these lines say, and the lines that are no part of it."""
    said: dict[str, object] = {}
    hands, known, melds = [""] * 4, [""] * 4, []
    preset, options = "persian", "{}"
    others = {}
    for line in lines:
        if not line.strip() or line.startswith("#"):
            continue
        name, _, value = (part.strip() for part in line.partition(":"))
        match name.split():
            case ["preset"]:
                preset = value
            case ["options"]:
                options = value
            case ["hand", seat]:
                hands[int(seat)] = value
            case ["known", seat]:
                known[int(seat)] = value
            case ["meld"]:
                melds.append(value)
            case [word] if word in NUMBERS:
                said[word] = int(value)
            case [word] if word in WORDS:
                said[word] = value
            case _:
                others[name] = value
    ruleset = resolve(preset, json.loads(options))
    # Whatever the text said.
    state = position(ruleset=ruleset, hands=hands, known=known, melds=melds, **said)  # type: ignore[arg-type]
    return state, others


def as_lines(state: State, preset: str, options: str) -> list[str]:
    """The lines that `read` reads back."""
    lines = [f"preset: {preset}", f"options: {options}"]
    lines += [f"dealer: {state.dealer}", f"turn: {state.turn}", f"phase: {state.phase}"]
    lines += [f"hand {seat}: {written(hand)}" for seat, hand in enumerate(state.hands)]
    lines += [f"known {seat}: {written(some)}" for seat, some in enumerate(state.known) if some]
    lines += [f"stock: {listed(state.stock)}", f"pile: {listed(state.pile)}"]
    lines += [f"meld: {meld_line(meld)}" for meld in state.melds]
    if state.must_use is not None:
        lines.append(f"must_use: {listed(bytes([state.must_use]))}")
    if state.barred is not None:
        lines.append(f"barred: {listed(bytes([state.barred]))}")
    lines += [f"passes: {state.passes}"] if state.passes else []
    return [line.rstrip() for line in lines]


def meld_line(meld: TableMeld) -> str:
    """A meld with its credits, as `tables.table_meld` reads it."""
    parts = [f"{written(some)} @{seat}" for seat, some in enumerate(meld.credit) if some]
    marks = ["doubled"] * meld.doubled + ["low"] * meld.low_ace
    return " ".join(parts + marks)
