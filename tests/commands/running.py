"""The commands called in this process, or as a process of their own."""

import os
import pty
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from click.testing import CliRunner, Result

from service.__main__ import referee
from tests.service.commands import ENDS_WITHIN, ROOT, environment


def run(*arguments: str | Path, stdin: bytes | None = None) -> Result:
    """A command in this process."""
    done = CliRunner().invoke(referee, [str(one) for one in arguments], input=stdin)
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exc_info
    return done


def refusal(*arguments: str | Path, stdin: bytes | None = None) -> str:
    """The one line that a command ends with where it cannot begin."""
    done = run(*arguments, stdin=stdin)
    assert (done.exit_code, done.stdout) == (2, "")
    (told,) = done.stderr.splitlines()
    assert told.startswith("referee: ")
    return told


@contextmanager
def started(
    *arguments: str | Path,
    stdin: int = subprocess.DEVNULL,
    stdout: int = subprocess.PIPE,
    stderr: int = subprocess.PIPE,
    pass_fds: tuple[int, ...] = (),
) -> Iterator["subprocess.Popen[bytes]"]:
    """A command as a process of its own; killed at the end if it has not ended."""
    process = subprocess.Popen(
        [sys.executable, "-m", "service", *map(str, arguments)],
        cwd=ROOT,
        env=environment(TERM="xterm-256color", COLUMNS="100"),
        stdin=stdin,
        stdout=stdout,
        stderr=stderr,
        pass_fds=pass_fds,
        start_new_session=True,
    )
    with process:
        try:
            yield process
        finally:
            process.kill()


# A small process in between: what this one uses would count for what it starts.
_MEASURED = """
import resource, subprocess, sys
done = subprocess.run(sys.argv[1:])
print(done.returncode, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, file=sys.stderr)
"""


def peak(*arguments: str | Path, told: Path) -> tuple[int, int]:
    """The exit status of a command, and the bytes of memory that it takes at most.

    What it prints goes into a file.
    """
    command = [sys.executable, "-m", "service", *map(str, arguments)]
    with told.open("wb") as out:
        done = subprocess.run(
            [sys.executable, "-c", _MEASURED, *command],
            cwd=ROOT,
            env=environment(),
            stdout=out,
            stderr=subprocess.PIPE,
            check=True,
        )
    status, most = map(int, done.stderr.split())
    return status, most * (1 if sys.platform == "darwin" else 1024)


def on_a_terminal(*arguments: str | Path, types: bool = False) -> tuple[int, str]:
    """The exit status of a command on a terminal, and what it shows there.

    If somebody `types`, it reads from the terminal, too.
    """
    ours, theirs = pty.openpty()
    with started(
        *arguments, stdin=theirs if types else subprocess.DEVNULL, stdout=theirs, stderr=theirs
    ) as process:
        os.close(theirs)
        shown = b""
        with open(ours, "rb", buffering=0) as screen:
            try:
                while some := screen.read(65536):
                    shown += some
            except OSError:
                # So Linux tells that the other side has gone.
                pass
        return process.wait(ENDS_WITHIN), shown.decode()
