"""Figures that are no rates: sizes, and times that nothing else can be held against."""

from collections.abc import Sequence
from typing import NamedTuple


class Figure(NamedTuple):
    """Something that was measured once."""

    name: str
    value: float
    unit: str


def listed(figures: Sequence[Figure]) -> str:
    """The figures as people read them."""
    return "\n".join(f"{each.name:64}{each.value:>14,.1f} {each.unit}" for each in figures)
