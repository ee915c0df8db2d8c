"""Watching over the embedded server: if it ends, a new one takes its place."""

import logging
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from service.embedded.server import EmbeddedServer, FolderInUse, ServerFailed

log = logging.getLogger(__name__)

PAUSE: Final = 0.5
"""Seconds between two starts, doubled after each that failed."""
LONGEST_PAUSE: Final = 30.0
"""A server that cannot start needs its operator, who may read one line every half a minute."""


@contextmanager
def watched(server: EmbeddedServer) -> Iterator[None]:
    """Start the server again whenever it ends; once this is left, it is stopped."""
    stopped = threading.Event()
    watch = threading.Thread(target=_watch, args=(server, stopped), daemon=True)
    watch.start()
    try:
        yield
    finally:
        stopped.set()
        server.stop()
        watch.join()


def _watch(server: EmbeddedServer, stopped: threading.Event) -> None:
    while True:
        status = server.await_end()
        if stopped.is_set():
            return
        log.error("the embedded server has ended (status %s): starting it again", status)
        ended = time.monotonic()
        pause = PAUSE
        while not _restarted(server):
            if stopped.wait(pause):
                return
            pause = min(2 * pause, LONGEST_PAUSE)
        log.warning("the embedded server is back after %.1f s", time.monotonic() - ended)
        stopped.wait(PAUSE)


def _restarted(server: EmbeddedServer) -> bool:
    try:
        server.restart()
    except (FolderInUse, ServerFailed) as error:
        log.error("%s", error)
        return False
    return True
