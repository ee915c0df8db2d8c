"""How simulated games came out, as tables for people and as JSON for programs."""

from collections.abc import Iterator, Mapping
from typing import Final

from rich import box
from rich.table import Table

from engine.simulation import Plan, Spread, Tally

_SHARES: Final = {
    "least": 0.0,
    "p5": 0.05,
    "p25": 0.25,
    "median": 0.5,
    "p75": 0.75,
    "p95": 0.95,
    "most": 1.0,
}
"""The points of a spread that are told, and which share of all values is not above each."""

_WON: Final = ("A", "B", "drawn")
_ENDED: Final = ("out", "blocked")


def as_json(plan: Plan, tally: Tally) -> dict[str, object]:
    """All there is to say, with the plan that it follows from."""
    return {
        "games": tally.games,
        "preset": plan.preset,
        "options": plan.options,
        "strategies": plan.strategies,
        "seed": plan.seed,
        "won": _all(tally.won, _WON),
        "deals_ended": _all(tally.ended, _ENDED),
        "totals": {"A": _spread(tally.totals_a), "B": _spread(tally.totals_b)},
        "scores": {"A": _spread(tally.scores_a), "B": _spread(tally.scores_b)},
        "plies": _spread(tally.plies),
        "turns": _spread(tally.turns),
    }


def tables(tally: Tally) -> Iterator[Table]:
    """How often what happened, and how the numbers were spread."""
    deals = sum(tally.ended.values())
    won, ended = _all(tally.won, _WON), _all(tally.ended, _ENDED)
    names = ("games won by team A", "games won by team B", "drawn games")
    counts = _table("", "number", "share")
    for name, key in zip(names, _WON, strict=True):
        counts.add_row(name, str(won[key]), _percent(won[key], tally.games))
    for name, key in zip(("deals gone out of", "blocked deals"), _ENDED, strict=True):
        counts.add_row(name, str(ended[key]), _percent(ended[key], deals))
    yield counts
    spreads = _table("", "mean", "deviation", *_SHARES)
    for name, spread in (
        ("total of A in a game", tally.totals_a),
        ("total of B in a game", tally.totals_b),
        ("score of A in a deal", tally.scores_a),
        ("score of B in a deal", tally.scores_b),
        ("plies of a game", tally.plies),
        ("turns of a deal", tally.turns),
    ):
        points = (str(spread.at(share)) for share in _SHARES.values())
        spreads.add_row(name, f"{spread.mean:.1f}", f"{spread.deviation:.1f}", *points)
    yield spreads


def _all(counts: Mapping[str, int], names: tuple[str, ...]) -> dict[str, int]:
    """The counts of all these names, also of what never happened."""
    return {name: counts.get(name, 0) for name in names}


def _spread(spread: Spread) -> dict[str, float]:
    points = {name: spread.at(share) for name, share in _SHARES.items()}
    return {"mean": round(spread.mean, 4), "deviation": round(spread.deviation, 4), **points}


def _table(first: str, *headings: str) -> Table:
    table = Table(box=box.SIMPLE_HEAD)
    table.add_column(first)
    for heading in headings:
        table.add_column(heading, justify="right")
    return table


def _percent(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f} %"
