"""`referee simulate`: the same games for the same seed, by however many processes."""

import json
import os
import signal
from typing import Any

import pytest

from engine.simulation import Plan
from engine.simulation import simulate as play
from tests.commands.running import on_a_terminal, refusal, run, started
from tests.service.commands import ENDS_WITHIN

ONE_DEAL = ("--option", 'game_end={"deals": 1}')


def told(*arguments: str) -> dict[str, Any]:
    """What `--json` prints."""
    done = run("simulate", "--json", *arguments)
    assert (done.exit_code, done.stderr) == (0, "")
    (line,) = done.stdout.splitlines()
    found: dict[str, Any] = json.loads(line)
    return found


def test_it_tells_what_the_engine_plays() -> None:
    found = told("--games", "20", "--strategy", "greedy,random", "--seed", "x", *ONE_DEAL)
    plan = Plan(
        strategies=("greedy", "random", "greedy", "random"),
        seed="x",
        options={"game_end": {"deals": 1}},
    )
    tally = play(plan, range(20))
    assert found["won"] == {"A": 0, "B": 0, "drawn": 0, **tally.won}
    assert found["deals_ended"] == {"out": 0, "blocked": 0, **tally.ended}
    assert found["totals"]["A"]["mean"] == round(tally.totals_a.mean, 4)
    assert found["totals"]["B"]["deviation"] == round(tally.totals_b.deviation, 4)
    assert found["scores"]["A"]["median"] == tally.scores_a.at(0.5)
    assert found["scores"]["B"]["p95"] == tally.scores_b.at(0.95)
    assert found["plies"]["least"] == tally.plies.at(0)
    assert found["turns"]["most"] == tally.turns.at(1)
    assert (found["games"], found["seed"], found["preset"]) == (20, "x", "persian")
    assert found["strategies"] == list(plan.strategies)
    assert found["options"] == plan.options


def test_it_comes_out_the_same_by_any_number_of_processes() -> None:
    # These take so long that others are asked to help.
    games = ("--games", "60", "--seed", "7", "--strategy", "random")
    alone = told(*games, "--jobs", "1")
    assert alone == told(*games, "--jobs", "2")


def test_strategies_go_to_all_or_by_team_or_by_seat() -> None:
    for names, seats in (
        ("random", ["random"] * 4),
        ("random,greedy", ["random", "greedy"] * 2),
        ("random,greedy,greedy,random", ["random", "greedy", "greedy", "random"]),
    ):
        found = told("--games", "1", "--strategy", names, "--seed", "1", *ONE_DEAL)
        assert found["strategies"] == seats


def test_a_new_seed_is_told_so_that_it_can_be_used_again() -> None:
    first, second = (told("--games", "2", *ONE_DEAL) for _ in range(2))
    assert first["seed"] != second["seed"]
    assert told("--games", "2", "--seed", first["seed"], *ONE_DEAL) == first
    assert told("--games", "1", "--seed", "\udcff", *ONE_DEAL)["seed"] == "?"


def test_people_get_tables() -> None:
    games = ("--games", "12", "--seed", "3", *ONE_DEAL)
    found, done = told(*games), run("simulate", *games)
    assert (done.exit_code, done.stderr) == (0, "")
    rows = [" ".join(line.split()) for line in done.stdout.splitlines()]
    assert rows[0] == (
        '12 games of greedy, greedy, greedy, greedy by persian, game_end={"deals":1}; seed 3'
    )
    won = found["won"]["A"]
    assert f"games won by team A {won} {100 * won / 12:.1f} %" in rows
    out = found["deals_ended"]["out"]
    assert f"deals gone out of {out} {100 * out / 12:.1f} %" in rows
    plies = found["plies"]
    points = [plies[name] for name in ("least", "p5", "p25", "median", "p75", "p95", "most")]
    numbers = f"{plies['mean']:.1f} {plies['deviation']:.1f} {' '.join(map(str, points))}"
    assert f"plies of a game {numbers}" in rows


@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
@pytest.mark.parametrize("is_told_alone", [True, False])
def test_it_can_be_stopped(number: int, status: int, is_told_alone: bool) -> None:
    with started("simulate", "--games", "1000000", "--jobs", "2") as process:
        while not children_of(process.pid):
            assert process.poll() is None
        # A terminal tells all that it has started, with which this one is to end.
        (os.kill if is_told_alone else os.killpg)(process.pid, number)
        output, errors = process.communicate(timeout=ENDS_WITHIN)
    assert (process.returncode, output) == (status, b"")
    assert b"Traceback" not in errors
    assert len(errors.splitlines()) <= 1


def children_of(process: int) -> list[str]:
    with open(f"/proc/{process}/task/{process}/children") as listed:
        return listed.read().split()


def test_wrong_values_are_a_line() -> None:
    assert "'clever' is not one of random, greedy" in refusal("simulate", "--strategy", "clever")
    assert "by seat" in refusal("simulate", "--strategy", "greedy,greedy,greedy")
    assert "--games" in refusal("simulate", "--games", "0")
    assert "NAME=VALUE" in refusal("simulate", "--option", "jokers")
    assert "twice" in refusal("simulate", "--option", "jokers=0", "--option", "jokers=4")
    assert "jokers is one of 0, 4" in refusal("simulate", "--option", "jokers=3")
    assert "no option 'tempo'" in refusal("simulate", "--option", "tempo=fast")
    assert "--preset" in refusal("simulate", "--preset", "bridge")
    assert "No such option" in refusal("simulate", "--players", "4")
    for option in ("--games", "--strategy", "--seed", "--preset", "--option", "--json", "--jobs"):
        assert option in run("simulate", "--help").stdout


def test_a_terminal_sees_a_bar_and_colours() -> None:
    status, shown = on_a_terminal("simulate", "--games", "20", "--seed", "1")
    assert status == 0
    assert "playing" in shown
    assert "\x1b[1m20 games of greedy" in shown
