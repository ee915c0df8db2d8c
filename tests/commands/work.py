"""Work for other processes: functions of a module, as they have to be."""

import os
import signal
import time
from pathlib import Path


def who_doubles(number: int) -> tuple[int, int]:
    """Twice the number, and the process that worked on it; later numbers are done sooner."""
    time.sleep(0.02 if number % 4 == 0 else 0)
    return 2 * number, os.getpid()


def fails_at_three(number: int) -> int:
    if number == 3:
        raise ValueError("three")
    return number


def is_killed_at_three(number: int) -> int:
    if number == 3:
        os.kill(os.getpid(), signal.SIGKILL)
    return number


def never_ends(folder: str) -> None:
    """Say which process works on it, and work on."""
    (Path(folder) / str(os.getpid())).touch()
    while True:
        pass
