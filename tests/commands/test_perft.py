"""`referee perft`: the counts that are written down for the engine, by way of the command."""

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from engine.judging.position import full_position
from engine.simulation import Plan, opening
from service.wording import positions
from tests.commands.games import by_hand, on, record, recorded, text_of, with_a_bad_meld
from tests.commands.running import on_a_terminal, refusal, run
from tests.engine.written import read

WRITTEN = Path(__file__).parents[1] / "engine" / "perft"
GAME, LOG = by_hand("1 draw_stock", "1 meld 4S 4D 4H", "1 discard 5C")
RECORD = recorded(GAME, LOG)


def position(name: str) -> tuple[dict[str, Any], list[str], dict[str, int]]:
    """A written position as it is sent, the options that go with it, and its counts."""
    lines = (WRITTEN / f"{name}.txt").read_text().splitlines()
    state, said = read(lines)
    told = replace(full_position(state, (0, 0)), partial=True)
    options = {line.partition(": ")[0]: line.partition(": ")[2] for line in lines}
    chosen = [f"--preset={options['preset']}"]
    for option, value in json.loads(options["options"]).items():
        chosen += ["--option", f"{option}={value}"]
    counts = {name.removeprefix("depth "): int(count) for name, count in said.items()}
    return json.loads(msgspec.json.encode(positions.to_wire(told))), chosen, counts


def sent(told: object) -> bytes:
    return json.dumps(told, indent=1).encode()


@pytest.mark.parametrize(
    "name",
    ["deep-pile", "must-use", "free-top", "fours-in-one-turn", "aces-at-both-ends", "big-hand"],
)
def test_it_counts_as_written(name: str) -> None:
    told, options, counts = position(name)
    for depth in ("1", "2", "3"):
        if counts[depth] < 10_000:
            done = run("perft", "-", "--depth", depth, *options, stdin=sent(told))
            assert (done.exit_code, done.stderr) == (0, "")
            assert done.stdout == f"depth {depth}: {counts[depth]}\n"


def test_counts_by_first_action_add_up(tmp_path: Path) -> None:
    told, options, counts = position("deep-pile")
    (tmp_path / "a.json").write_bytes(sent(told))
    done = run("perft", tmp_path / "a.json", "--depth", "4", "--divide", *options)
    *parts, total = done.stdout.splitlines()
    assert total == f"depth 4: {counts['4']}"
    assert len(parts) == counts["1"]
    assert sum(int(line.rpartition(": ")[2]) for line in parts) == counts["4"]
    assert all(line.startswith(("pass: ", "draw_discard ")) for line in parts)
    (line,) = run(
        "perft", tmp_path / "a.json", "--depth", "4", "--divide", "--json", *options
    ).stdout.splitlines()
    divided = json.loads(line)
    assert (divided["depth"], divided["count"]) == (4, counts["4"])
    assert [one["count"] for one in divided["divide"]] == [
        int(line.rpartition(": ")[2]) for line in parts
    ]
    assert divided["divide"][0]["action"] == {"type": "pass"}


def test_a_question_brings_its_rules_and_its_actions() -> None:
    told, _, counts = position("free-top")
    question = {
        "position": told,
        "ruleset": {"options": {"top_discard": "free"}},
        "actions": [],
    }
    assert run("perft", "-", "--depth", "2", stdin=sent(question)).stdout == (
        f"depth 2: {counts['2']}\n"
    )
    assert "--option" in refusal("perft", "-", "--preset", "persian", stdin=sent(question))
    divided = run("perft", "-", "--depth", "3", "--divide", "--json", stdin=sent(question)).stdout
    after = {json.dumps(one["action"]): one["count"] for one in json.loads(divided)["divide"]}
    ((action, count), *_) = after.items()
    asked = question | {"actions": [json.loads(action)]}
    assert run("perft", "-", "--depth", "2", stdin=sent(asked)).stdout == f"depth 2: {count}\n"
    illegal = question | {"actions": [{"type": "discard", "card": "KC"}]}
    assert "not legal" in refusal("perft", "-", stdin=sent(illegal))


def test_a_record_is_counted_as_of_a_ply() -> None:
    told = {
        ply: run("perft", "-", "--at", ply, "--depth", "1", "--divide", stdin=RECORD).stdout
        for ply in ("0", "1", str(GAME.ply))
    }
    assert told["0"] == "draw_stock: 1\ndepth 1: 1\n"
    assert "meld 4D 4H 4S: 1\n" in told["1"]
    assert told[str(GAME.ply)] == "depth 1: 0\n"
    transcript = text_of(2).encode()
    assert (
        run("perft", "-", "--at", "9", stdin=transcript).stdout
        == run("perft", "-", "--at", "9", stdin=record(2)).stdout
    )


def test_a_seed_deals_what_a_simulation_begins_with() -> None:
    start = opening(Plan(seed="7", preset="partnership-500"), 0)
    by_record = recorded(*on(start))
    told = run("perft", "--seed", "7", "--preset", "partnership-500", "--depth", "5", "--divide")
    assert told.stdout == run("perft", "-", "--depth", "5", "--divide", stdin=by_record).stdout
    assert told.stdout != run("perft", "--depth", "5", "--divide").stdout
    assert run("perft").stdout == run("perft", "--seed", "0", "--depth", "4").stdout


def test_one_process_counts_like_many() -> None:
    told, options, counts = position("deep-pile")
    for jobs in ("1", "2"):
        done = run("perft", "-", "--depth", "5", "--jobs", jobs, *options, stdin=sent(told))
        assert done.stdout == f"depth 5: {counts['5']}\n"


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"hands": [7, [], [], []]}, "must be known"),
        ({"stock": 4}, "must be known"),
        ({"dealer": 4}, "/dealer"),
        ({"more": 1}, "/more"),
    ],
)
def test_what_cannot_be_counted_is_a_line(change: dict[str, object], reason: str) -> None:
    told, *_ = position("jokers-and-aces")
    assert reason in refusal("perft", "-", stdin=sent(told | change))


def test_each_fault_of_a_position_is_a_line() -> None:
    told, *_ = position("jokers-and-aces")
    done = run("perft", "-", stdin=sent(told | {"pile": ["2C"], "must_use": "3C"}))
    assert (done.exit_code, done.stdout) == (2, "")
    faults = done.stderr.splitlines()
    assert len(faults) > 1
    assert all(line.startswith("referee: -: /") for line in faults)


def test_other_wrong_values_are_a_line(tmp_path: Path) -> None:
    told, *_ = position("jokers-and-aces")
    (tmp_path / "a.json").write_bytes(sent(told))
    bad, ply = with_a_bad_meld(1)
    assert "exclude" in refusal("perft", tmp_path / "a.json", "--seed", "1")
    assert "--at is for a record" in refusal("perft", tmp_path / "a.json", "--at", "1")
    assert "for a FILE" in refusal("perft", "--at", "1")
    assert "--depth" in refusal("perft", "--depth", "0")
    assert "hand_size" in refusal("perft", "--option", "hand_size=99")
    assert "no JSON" in refusal("perft", "-", stdin=b"nonsense")
    assert "UTF-8" in refusal("perft", "-", stdin=b"{\xff")
    assert "plies" in refusal("perft", "-", "--at", "9999", stdin=RECORD)
    assert f"ply {ply} cannot be played" in refusal("perft", "-", "--at", str(ply), stdin=bad)
    assert "No such file" in refusal("perft", tmp_path / "none")
    for option in ("FILE", "--at", "--depth", "--divide", "--seed", "--preset", "--option"):
        assert option in run("perft", "--help").stdout


def test_a_terminal_sees_a_bar() -> None:
    status, shown = on_a_terminal("perft", "--depth", "9")
    assert status == 0
    assert "counting" in shown
    assert "depth 9: " in shown.splitlines()[-1]
