"""Work on an event loop that can be stopped: it cleans up, and the command ends as it should."""

import asyncio
import signal
import sys
from collections.abc import Coroutine
from typing import Any, Final

_AGAIN_AFTER: Final = 1.0
"""Seconds. On Python 3.11 `asyncio.wait_for`, of which the client library of the store makes use,
may drop a cancellation; and whoever cleans up needs no more than that."""


def until_stopped(work: Coroutine[Any, Any, None]) -> None:
    """Do this work. Raises KeyboardInterrupt or SystemExit once a signal has stopped it."""
    match asyncio.run(_stoppable(work)):
        case signal.SIGINT:
            raise KeyboardInterrupt
        case signal.SIGTERM:
            sys.exit(128 + signal.SIGTERM)


async def _stoppable(work: Coroutine[Any, Any, None]) -> int:
    """Which signal has stopped the work; 0 where none has."""
    loop, task, stopped = asyncio.get_running_loop(), asyncio.ensure_future(work), 0

    def stop(number: int) -> None:
        nonlocal stopped
        stopped = number
        if not task.done():
            task.cancel()
            loop.call_later(_AGAIN_AFTER, stop, number)

    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    heeded = [number for number, known in before.items() if known is not signal.SIG_IGN]
    for number in heeded:
        loop.add_signal_handler(number, stop, number)
    try:
        await task
    except asyncio.CancelledError:
        if not stopped:
            raise
    finally:
        for number in heeded:
            loop.remove_signal_handler(number)
            signal.signal(number, before[number])
    return stopped
