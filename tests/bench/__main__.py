"""How fast it is: `python -m tests.bench`, from the top of a checkout with the extra `test`.

Prints for the engine, for a real service and for two of them on one store what is done in a second,
and what one costs as a multiple of a baseline that was measured beside it in each round, with the
spread over the rounds; then what games take in a store. `--json` prints the same for programs.
Nothing is judged here.
"""

import argparse
import json
import tempfile
from collections.abc import Sequence
from pathlib import Path

from tests.bench import engine, http, processes, store
from tests.bench.figures import listed
from tests.bench.measuring import Row, compared, table

PARTS = ("engine", "http", "processes", "store")


def measured(part: str, rounds: int) -> list[Row]:
    """All rows of a part."""
    if part == "engine":
        return compared(engine.BASELINE, engine.SUBJECTS, rounds)
    subjects = http.subjects if part == "http" else processes.subjects
    with tempfile.TemporaryDirectory() as folder, subjects(Path(folder)) as (baseline, others):
        return compared(baseline, others, rounds)


def for_programs(rows: Sequence[Row]) -> list[dict[str, object]]:
    """The rows as objects."""
    return [
        {
            "name": row.name,
            "unit": row.unit,
            "by_clock": row.by_clock._asdict(),
            "by_core": row.by_core._asdict(),
            "cost": row.cost._asdict(),
        }
        for row in rows
    ]


def main() -> None:
    """Measure, and print."""
    told = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    told.add_argument("--part", choices=PARTS, help="measure this alone")
    told.add_argument(
        "--games", type=int, default=20_000, help="games in the store; default: %(default)s"
    )
    told.add_argument("--rounds", type=int, default=7, help="default: %(default)s")
    told.add_argument("--json", action="store_true", help="print JSON instead of tables")
    wanted = told.parse_args()
    found: dict[str, object] = {}
    for part in [wanted.part] if wanted.part else PARTS:
        if part == "store":
            figures = list(store.figures(wanted.games))
            found[part] = [each._asdict() for each in figures]
            text = f"store\n{listed(figures)}\n"
        else:
            rows = measured(part, wanted.rounds)
            found[part] = for_programs(rows)
            text = f"{part}, {wanted.rounds} rounds\n{table(rows)}\n"
        if not wanted.json:
            print(text, flush=True)
    if wanted.json:
        print(json.dumps(found, indent=1))


if __name__ == "__main__":
    main()
