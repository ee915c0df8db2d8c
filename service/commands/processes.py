"""Work on all cores: its parts done by other processes, and what comes of them in order."""

import multiprocessing
import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from math import inf
from multiprocessing.connection import Connection
from time import monotonic
from typing import Final, TypeVar

import click

Part = TypeVar("Part")
Outcome = TypeVar("Outcome")

# For each process: one part to work on, and one that waits, so that none is ever idle.
_AHEAD: Final = 2

_STOPS: Final = (signal.SIGINT, signal.SIGTERM)

ALONE_SECONDS: Final = 0.5
"""Work that takes no longer is done before other processes could help."""


def cores() -> int:
    """How many processes can run at once on this machine, as far as it is ours."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


jobs_option = click.option(
    "--jobs",
    metavar="N",
    type=click.IntRange(1, 256),
    help="Work with so many processes.  [one for each core]",
)
"""How many processes a command works with."""


def in_order(
    work: Callable[[Part], Outcome],
    parts: Iterable[Part],
    jobs: int | None,
    alone_seconds: float = ALONE_SECONDS,
) -> Generator[Outcome, None, None]:
    """What `work` makes of each part, in their order, by so many processes (None: all cores).

    `work` is a function of a module, and parts and outcomes can be pickled. Only a few parts are
    taken ahead, so memory stays flat. At first this process works alone, since others take a while
    to start. Close this to stop the work. Raises BrokenProcessPool where a process was killed.
    """
    jobs, rest = jobs or cores(), iter(parts)
    alone_until = inf if jobs == 1 else monotonic() + alone_seconds
    for part in rest:
        yield work(part)
        if monotonic() > alone_until:
            yield from _by_processes(work, rest, jobs)


def _by_processes(
    work: Callable[[Part], Outcome], parts: Iterable[Part], jobs: int
) -> Generator[Outcome, None, None]:
    context = multiprocessing.get_context("spawn")
    end, lifeline = context.Pipe(duplex=False)
    pool = ProcessPoolExecutor(jobs, context, initializer=_hang_on, initargs=(end,))
    waiting = deque[Future[Outcome]]()
    try:
        for part in parts:
            with _undisturbed():
                waiting.append(pool.submit(work, part))
            if len(waiting) >= _AHEAD * jobs:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
        pool.shutdown()
    finally:
        # Whoever is still at work when this is left early need not end it.
        lifeline.close()
        pool.shutdown(cancel_futures=True)
        end.close()


@contextmanager
def _undisturbed() -> Iterator[None]:
    """Let a process begin: who stops this one, stops it before or after.

    The new process inherits this, so that Ctrl-C does not reach it while it begins.
    """
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _STOPS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _hang_on(end: "Connection[object, object]") -> None:
    """In a new process: leave Ctrl-C to the one that started it, and end when that one ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, _STOPS)
    threading.Thread(target=_end_with, args=(end,), daemon=True).start()


def _end_with(end: "Connection[object, object]") -> None:
    try:
        end.recv_bytes()
    except (EOFError, OSError):
        os._exit(0)
