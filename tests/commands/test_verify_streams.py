"""`referee verify` with much to do, and on a terminal."""

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.commands.games import record, with_a_bad_meld
from tests.commands.running import on_a_terminal, peak, started
from tests.service.commands import ENDS_WITHIN, ROOT, environment

BAD, BAD_PLY = with_a_bad_meld(1)
# Ordinarily few; a million of them once in a while.
WRONG_LINES = int(os.environ.get("TEST_WRONG_LINES", "1000"))
SPREAD = 2**23


def judged(file: Path, told: Path) -> int:
    """Bytes of memory that it takes at most to judge a file."""
    status, most = peak("verify", "--jobs", "1", file, told=told)
    assert status == 2
    return most


def test_memory_stays_flat_however_many_lines_are_wrong(tmp_path: Path) -> None:
    few, many, told = (tmp_path / name for name in ("few", "many", "told"))
    line = b'{"format": "another"' + b" " * 16_000 + b"}\n"
    few.write_bytes(line * 100)
    with many.open("wb") as file:
        for _ in range(WRONG_LINES // 100):
            file.write(line * 100)
    assert judged(many, told) < judged(few, tmp_path / "other") + SPREAD
    *lines, summary = told.read_text().splitlines()
    assert len(lines) == WRONG_LINES
    assert lines[-1].startswith(f"{many}:{WRONG_LINES}  unusable: /format: ")
    assert summary == f"{WRONG_LINES} records: 0 right, 0 wrong, {WRONG_LINES} unusable"


def test_on_several_cores_the_order_stays(tmp_path: Path) -> None:
    lines = ([record(0)] * 20 + [BAD]) * 8
    file = tmp_path / "a.ndjson"
    file.write_bytes(b"\n".join(lines))
    with started("verify", "--json", "--jobs", "2", file) as process:
        told, errors = process.communicate(timeout=ENDS_WITHIN)
    assert (process.returncode, errors) == (1, b"")
    found = re.findall(rb'"line":(\d+),.*?"status":"(\w+)"', told)
    assert [int(number) for number, _ in found] == list(range(1, len(lines) + 1))
    assert [status == b"wrong" for _, status in found] == [line is BAD for line in lines]


def test_a_terminal_sees_colours_and_a_bar(tmp_path: Path) -> None:
    file = tmp_path / "a.ndjson"
    file.write_bytes(BAD + b"\n" + record(0) + b"\nnonsense")
    status, shown = on_a_terminal("verify", file)
    assert status == 2
    assert f"\x1b[31m{file}:1  wrong at ply {BAD_PLY}: bad_meld" in shown
    assert f"\x1b[33m{file}:3  unusable" in shown
    assert "judging" in shown
    assert "%" in shown
    # The bar goes away, and the summary is the last thing that stays.
    assert "3 records: 1 right, 1 wrong, 1 unusable" in shown.splitlines()[-1]


@pytest.mark.parametrize("command", ["verify", "show"])
def test_nobody_types_records(command: str) -> None:
    status, shown = on_a_terminal(command, types=True)
    assert (status, shown.splitlines()) == (2, ["referee: give a FILE, or - for what you type"])


def test_a_closed_stdin_is_a_line() -> None:
    command = f"exec {sys.executable} -m service verify - <&-"
    done = subprocess.run(
        ["/bin/sh", "-c", command],
        cwd=ROOT,
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert done.stderr == "referee: -: is closed\n"


@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_it_can_be_stopped(number: int, status: int, tmp_path: Path) -> None:
    ours, theirs = os.pipe()
    with started("verify", f"/dev/fd/{ours}", pass_fds=(ours,)) as it:
        os.close(ours)
        os.write(theirs, b"nonsense\n" * 1000)
        assert it.stdout is not None
        it.stdout.readline()
        it.send_signal(number)
        _, errors = it.communicate(timeout=ENDS_WITHIN)
    os.close(theirs)
    assert it.returncode == status
    assert b"Traceback" not in errors
