"""The command `referee` as a process of its own."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parents[2]
ENDS_WITHIN = 60.0


def environment(**variables: str) -> dict[str, str]:
    """This process's environment without settings of the service, but with these variables.

    No service takes requests any longer than it has to.
    """
    kept = {name: text for name, text in os.environ.items() if not name.startswith("REFEREE_")}
    return kept | {"PYTHONWARNINGS": "error", "REFEREE_DRAIN_SECONDS": "0"} | variables


def referee(*arguments: str, **variables: str) -> "subprocess.CompletedProcess[str]":
    """Run a command to its end."""
    return subprocess.run(
        [sys.executable, "-m", "service", *arguments],
        cwd=ROOT,
        env=environment(**variables),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=ENDS_WITHIN,
        check=False,
    )


@contextmanager
def running(*arguments: str, **variables: str) -> Iterator["subprocess.Popen[str]"]:
    """A command that runs on; killed at the end if the test has not ended it."""
    process = subprocess.Popen(
        [sys.executable, "-m", "service", *arguments],
        cwd=ROOT,
        env=environment(**variables),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    with process:
        try:
            yield process
        finally:
            process.kill()


def line(process: "subprocess.Popen[str]") -> str:
    """The next line that a command prints."""
    assert process.stdout is not None
    return process.stdout.readline()


def lines(process: "subprocess.Popen[str]", last: str) -> str:
    """What a command prints next, up to the line that begins so."""
    told = ""
    while not told.rpartition("\n")[0].rpartition("\n")[2].startswith(last):
        printed = line(process)
        assert printed, f"it ended after: {told}"
        told += printed
    return told
