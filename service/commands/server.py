"""The HTTP server of `referee serve`: it says that it listens, and stops in an orderly way."""

import asyncio
import logging
import signal
import socket
from contextvars import copy_context
from types import FrameType
from typing import Final

import click
import uvicorn

log = logging.getLogger(__name__)

_PARTING_SECONDS: Final = 0.1


class Server(uvicorn.Server):
    """A server that is told to stop by a signal, and then goes from step to step.

    Not ready: `stopping` is set, and requests are still taken, for `drain_seconds`. Closing: no new
    connections; requests in flight have the `timeout_graceful_shutdown` of the configuration, and
    are cancelled after it. SIGINT begins with the second step, since nobody at a terminal waits for
    probes. A further signal ends the first step, and a further SIGINT the second.
    """

    def __init__(
        self,
        config: uvicorn.Config,
        announcement: str,
        stopping: asyncio.Event,
        drain_seconds: int,
    ) -> None:
        super().__init__(config)
        self._announcement = announcement
        self._stopping = stopping
        self._drain_seconds = drain_seconds
        self._loop = asyncio.get_running_loop()
        self._context = copy_context()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to listen, and say so."""
        await super().startup(sockets)
        click.echo(self._announcement)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Go on to the next step of stopping. A signal calls this, whatever was being done."""
        # So nothing happens here: it might be in the middle of writing a log line, and in the
        # context of a request, which has nothing to do with it.
        self._loop.call_soon_threadsafe(self._stop, sig, context=self._context)

    def _stop(self, sig: int) -> None:
        if self.should_exit:
            if sig == signal.SIGINT:
                self._hurry()
        elif self._stopping.is_set() or sig == signal.SIGINT or not self._drain_seconds:
            self._close()
        else:
            log.info("stopping: not ready; requests are taken for %s s more", self._drain_seconds)
            self._loop.call_later(self._drain_seconds, self._close)
        self._stopping.set()

    def _close(self) -> None:
        self.should_exit = True

    def _hurry(self) -> None:
        for task in tuple(self.server_state.tasks):
            task.cancel()
        # Time enough to say so to whoever listens.
        self._loop.call_later(_PARTING_SECONDS, self._cut)

    def _cut(self) -> None:
        for connection in tuple(self.server_state.connections):
            connection.transport.abort()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Close the listener, and wait for the requests in flight."""
        patience = self.config.timeout_graceful_shutdown
        log.info("stopping: no new connections; requests in flight may take %s s", patience)
        await super().shutdown(sockets)
        # The loop would wait for those who do not read their answers.
        self._cut()
        log.info("stopping: no request is left")
