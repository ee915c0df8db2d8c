"""Measuring in rounds: a rate means little on a machine that does other things as well.

So in each round everything is measured once, one thing after another, and what one of each costs is
divided by what the baseline cost in the same round. What slows the machine slows both, and the
ratio stands where a rate does not. The spread over the rounds is shown; nothing is judged by it.
"""

from collections.abc import Callable, Sequence
from statistics import median
from typing import NamedTuple


class Spent(NamedTuple):
    """Work that was done: how much of it, and seconds by the clock and of the processor."""

    done: int
    clock: float
    core: float


Run = Callable[[], Spent]
"""Does a fixed amount of work."""


class Subject(NamedTuple):
    """Something that is measured; its unit is what is done."""

    name: str
    unit: str
    run: Run


class Range(NamedTuple):
    """The middle of what was measured, the least and the most."""

    middle: float
    least: float
    most: float


class Row(NamedTuple):
    """What was measured: done in a second by the clock, and in a second of one core to itself.

    `cost` is the time of a core that one takes, in multiples of what the baseline takes.
    """

    name: str
    unit: str
    by_clock: Range
    by_core: Range
    cost: Range


def compared(baseline: Subject, subjects: Sequence[Subject], rounds: int) -> list[Row]:
    """The baseline first, then each subject beside it; everything has run once before it counts."""
    everything = (baseline, *subjects)
    for one in everything:
        one.run()
    measured = [[one.run() for one in everything] for _ in range(rounds)]
    rows = []
    for at, one in enumerate(everything):
        spent = [of_round[at] for of_round in measured]
        base = [of_round[0] for of_round in measured]
        rows.append(
            Row(
                one.name,
                one.unit,
                by_clock=_range([it.done / it.clock for it in spent]),
                by_core=_range([it.done / it.core for it in spent]),
                cost=_range(
                    [
                        it.core / it.done / (other.core / other.done)
                        for it, other in zip(spent, base, strict=True)
                    ]
                ),
            )
        )
    return rows


def _range(found: Sequence[float]) -> Range:
    return Range(median(found), min(found), max(found))


def table(rows: Sequence[Row]) -> str:
    """The rows as people read them: the middle of the rounds, then the least and the most."""
    titles = ("a second", "a second of a core", "times the baseline")
    head = f"{'':42}" + "".join(f"{title:>31}" for title in titles)
    return "\n".join([head, *map(_line, rows)])


def _line(row: Row) -> str:
    columns = "".join(map(_column, (row.by_clock, row.by_core, row.cost)))
    return f"{row.name + ', ' + row.unit:42}{columns}"


def _column(found: Range) -> str:
    return f"{_short(found.middle):>10}{f'({_short(found.least)} … {_short(found.most)})':>21}"


def _short(number: float) -> str:
    return f"{number:,.0f}" if number >= 100 else f"{number:.3g}"
