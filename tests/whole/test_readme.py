"""The README's tour works when it is pasted."""

import json
import re
import subprocess
from pathlib import Path

from tests.whole.serving import environment, served

README = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")


def test_the_tour_works_when_pasted(tmp_path: Path) -> None:
    blocks = re.findall(r"```sh tour\n(.*?)```", README, re.DOTALL)
    assert len(blocks) >= 4
    with served(tmp_path / "games") as service:
        script = "\n".join(blocks).replace("http://127.0.0.1:8000", service.url)
        # One answer a line, so that each can be read.
        script = script.replace("curl -s ", "curl -s -w '\\n' ")
        told = subprocess.run(
            ["bash", "-eu", "-c", script],
            check=True,
            capture_output=True,
            text=True,
            cwd=tmp_path,
            env=environment(),
        )
    seat, spectator, move, refusal = (json.loads(line) for line in told.stdout.splitlines() if line)
    assert len(seat["hand"]) == 7
    assert spectator["hand"] is None
    assert move["game"]["ply"] == 1
    assert refusal["type"] == "/problems/illegal_move"
    assert refusal["alternatives"]


def test_it_names_exactly_two_commands_that_set_everything_up() -> None:
    commands = re.findall(r"^python3 -m venv .*$", README, re.MULTILINE)
    assert len(commands) == 2
    assert [command.split()[-1] for command in commands] == ["demo", ".venv/bin/pytest"]
