"""Work on several cores: in order, in flat memory, and ended with whoever wanted it."""

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing
from itertools import count
from pathlib import Path

import pytest

from service.commands.processes import cores, in_order
from tests.commands import work
from tests.service.commands import ENDS_WITHIN, ROOT


def test_outcomes_come_in_the_order_of_the_parts() -> None:
    outcomes = list(in_order(work.who_doubles, range(40), 2, alone_seconds=0))
    assert [doubled for doubled, _ in outcomes] == [2 * number for number in range(40)]
    # The first is done here, so that small work needs nobody else.
    assert [process == os.getpid() for _, process in outcomes] == [True] + [False] * 39


def test_one_job_needs_no_other_process() -> None:
    done = list(in_order(work.who_doubles, range(5), 1, alone_seconds=0))
    assert {process for _, process in done} == {os.getpid()}
    assert list(in_order(work.who_doubles, [], None)) == []


def test_few_parts_are_taken_ahead() -> None:
    taken = []

    def parts() -> Iterator[int]:
        for number in count():
            taken.append(number)
            yield number

    with closing(in_order(work.who_doubles, parts(), 2, alone_seconds=0)) as outcomes:
        for _ in range(10):
            next(outcomes)
    assert len(taken) <= 10 + 4


def test_what_goes_wrong_is_raised_here() -> None:
    with pytest.raises(ValueError, match="three"):
        list(in_order(work.fails_at_three, range(9), 2, alone_seconds=0))
    with pytest.raises(BrokenProcessPool):
        list(in_order(work.is_killed_at_three, range(9), 2, alone_seconds=0))


def until(condition: Callable[[], bool]) -> None:
    ends = time.monotonic() + ENDS_WITHIN
    while not condition():
        assert time.monotonic() < ends
        time.sleep(0.02)


def test_processes_end_with_the_one_that_started_them(tmp_path: Path) -> None:
    script = (
        "from service.commands.processes import _by_processes as run\n"
        "from tests.commands.work import never_ends\n"
        f"list(run(never_ends, [{str(tmp_path)!r}] * 2, 2))"
    )
    with subprocess.Popen([sys.executable, "-c", script], cwd=ROOT) as process:
        until(lambda: len(list(tmp_path.iterdir())) == 2)
        process.kill()
    workers = [Path("/proc") / path.name for path in tmp_path.iterdir()]
    until(lambda: not any(path.exists() for path in workers))


def test_there_is_a_core() -> None:
    assert cores() >= 1
