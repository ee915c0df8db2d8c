"""Golden games: played again move by move, they read as they did when they were written down.

Where a change is meant, `python -m tests.engine.playthroughs` writes them anew, and the difference
is for people to read.
"""

import pytest

from engine.ruleset import PRESETS
from tests.engine.playthroughs import FOLDER, GAMES, played_again

FILES = {path.stem: path for path in FOLDER.glob("*.txt")}


@pytest.mark.parametrize("name", GAMES)
def test_a_golden_game_reads_as_written(name: str) -> None:
    golden = FILES[name].read_text()
    assert played_again(golden) == golden


def test_every_game_of_the_table_is_written_down_and_no_other() -> None:
    assert set(FILES) == set(GAMES)
    assert len(FILES) >= 6
    assert {preset for preset, _, _ in GAMES.values()} == set(PRESETS)


@pytest.mark.parametrize(
    "what",
    ["goes out", "Play is blocked", "(doubled)", "(ace low)", "floats", "pass", "=== Deal 3"],
)
def test_between_them_the_games_show_everything(what: str) -> None:
    assert any(what in path.read_text() for path in FILES.values())


def test_the_games_add_up_as_a_card_player_would() -> None:
    """Scores and totals are summed again from the printed items alone."""
    for path in FILES.values():
        totals = {"A": 0, "B": 0}
        scores = {"A": 0, "B": 0}
        for line in path.read_text().splitlines():
            words = line.split()
            if line.startswith("  scores"):
                assert line == f"  scores A {scores['A']:+d}, B {scores['B']:+d}"
                totals = {team: totals[team] + scores[team] for team in totals}
                scores = {"A": 0, "B": 0}
            elif line.startswith("  totals"):
                assert line == f"  totals A {totals['A']:+d}, B {totals['B']:+d}"
            elif line.startswith(("  A ", "  B ")):
                points = next(word for word in words if word[0] in "+-")
                scores[words[0]] += int(points)
