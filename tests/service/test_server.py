"""The server, told to stop by a signal at an odd moment."""

import asyncio
import logging
import signal

import pytest
import uvicorn
from structlog.contextvars import get_contextvars

from service.commands.server import Server
from service.logs import bind
from tests.service.tiny import tiny_app


class Requests(logging.Handler):
    """The requests that log lines belong to."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: list[str | None] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.seen.append(get_contextvars().get("request"))


async def test_a_signal_that_comes_during_a_request_is_no_part_of_it(
    caplog: pytest.LogCaptureFixture,
) -> None:
    stopping = asyncio.Event()
    server = Server(uvicorn.Config(tiny_app()), "It listens.", stopping, drain_seconds=300)
    requests = Requests()
    log = logging.getLogger("service.commands.server")
    log.addHandler(requests)
    bind(request="r1")
    with caplog.at_level(logging.INFO, log.name):
        server.handle_exit(signal.SIGTERM, None)
        await stopping.wait()
    log.removeHandler(requests)
    assert requests.seen == [None]
