"""Perft: how many lines of play begin at written positions, counted once and for all.

Each file in `perft/` is a position and its counts. The engine counts all of them; the slow twin
counts as deep as it can afford, so the numbers are not the engine's own word.
"""

from pathlib import Path

import pytest

from engine.perft import divide, perft
from engine.play import legal_actions
from tests.engine import twin
from tests.engine.tables import twin_of
from tests.engine.written import read

FILES = {path.stem: path for path in sorted((Path(__file__).parent / "perft").glob("*.txt"))}
NODES_FOR_THE_TWIN = 400


def counts(said: dict[str, str]) -> dict[int, int]:
    """The lines `depth 3: 790` of a file."""
    found = {int(name.removeprefix("depth ")): int(value) for name, value in said.items()}
    assert list(found) == list(range(1, len(found) + 1))
    return found


@pytest.mark.parametrize("name", FILES)
def test_the_engine_counts_as_written(name: str) -> None:
    state, said = read(FILES[name].read_text().splitlines())
    for depth, count in counts(said).items():
        assert perft(state, depth) == count, f"depth {depth}"


@pytest.mark.parametrize("name", FILES)
def test_the_twin_counts_as_written(name: str) -> None:
    state, said = read(FILES[name].read_text().splitlines())
    written = counts(said)
    for depth, count in written.items():
        if depth > 1 and sum(written[less] for less in range(1, depth)) > NODES_FOR_THE_TWIN:
            break
        assert twin.perft(twin_of(state), depth) == count, f"depth {depth}"


def test_there_are_enough_positions() -> None:
    assert len(FILES) >= 12


def test_counts_by_first_action_add_up() -> None:
    state, said = read(FILES["deep-pile"].read_text().splitlines())
    parts = divide(state, 4)
    assert list(parts) == legal_actions(state)
    assert sum(parts.values()) == counts(said)[4]
