"""How fast it is: `python -m tests.bench`, from the top of a checkout with the extra `test`.

Prints for the engine and for a real service what is done in a second, and what one costs as a
multiple of a baseline that was measured beside it in each round, with the spread over the rounds.
`--json` prints the same for programs. Nothing is judged here.
"""

import argparse
import json
import tempfile
from collections.abc import Sequence
from pathlib import Path

from tests.bench import engine, http
from tests.bench.measuring import Row, compared, table

PARTS = ("engine", "http")


def measured(part: str, rounds: int) -> list[Row]:
    """All rows of a part."""
    if part == "engine":
        return compared(engine.BASELINE, engine.SUBJECTS, rounds)
    with tempfile.TemporaryDirectory() as folder, http.subjects(Path(folder)) as (baseline, others):
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
    told.add_argument("--rounds", type=int, default=7, help="default: %(default)s")
    told.add_argument("--json", action="store_true", help="print JSON instead of tables")
    wanted = told.parse_args()
    found = {}
    for part in [wanted.part] if wanted.part else PARTS:
        found[part] = measured(part, wanted.rounds)
        if not wanted.json:
            print(f"{part}, {wanted.rounds} rounds\n{table(found[part])}\n", flush=True)
    if wanted.json:
        print(json.dumps({part: for_programs(rows) for part, rows in found.items()}, indent=1))


if __name__ == "__main__":
    main()
