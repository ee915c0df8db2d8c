"""A proxy before a real server, which loses and mixes up answers as a bad network would."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from tests.store.servers import Server

MOST = 1 << 16


class Proxy:
    """Passes commands on, and treats the answers to some as told.

    A command is recognised by a piece of its bytes. Each fault strikes once.
    """

    def __init__(self, server: Server) -> None:
        self.server = server
        """Where new connections lead to."""
        self.lose: bytes | None = None
        """The command is done, and the connection breaks before its answer."""
        self.repeat: bytes | None = None
        """The answer before comes again in place of the right one."""
        self.double: bytes | None = None
        """The answer comes twice."""
        self.delay = 0.0
        """Seconds that each command takes on its way."""
        self.serving: set[asyncio.Task[None]] = set()
        self.accepted = 0
        self.struck = 0
        self._next = ""

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.accepted += 1
        task = asyncio.current_task()
        assert task is not None
        self.serving.add(task)
        answers, commands = await asyncio.open_unix_connection(str(self.server.socket))
        passing = asyncio.create_task(self._pass_answers(answers, writer))
        self.serving.add(passing)
        passing.add_done_callback(lambda _: reader.feed_eof())
        try:
            while command := await reader.read(MOST):
                await asyncio.sleep(self.delay)
                self._next = self._fault_of(command)
                commands.write(command)
        finally:
            passing.cancel()
            writer.close()
            commands.close()

    def _fault_of(self, command: bytes) -> str:
        """What is to befall the answer to a command."""
        for fault in ("lose", "repeat", "double"):
            piece: bytes | None = getattr(self, fault)
            if piece is not None and piece in command:
                setattr(self, fault, None)
                self.struck += 1
                return fault
        return ""

    async def _pass_answers(
        self, answers: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        last = b""
        while answer := await answers.read(MOST):
            fault, self._next = self._next, ""
            if fault == "lose":
                return
            if fault == "repeat":
                answer = last
            last = answer
            writer.write(answer * 2 if fault == "double" else answer)


@asynccontextmanager
async def proxy_to(server: Server) -> AsyncIterator[tuple[Proxy, str]]:
    """A proxy on a TCP port of this machine, and its URL."""
    proxy = Proxy(server)
    async with await asyncio.start_server(proxy.serve, "127.0.0.1", 0) as listener:
        port = listener.sockets[0].getsockname()[1]
        yield proxy, f"redis://127.0.0.1:{port}"
        # Some wait for an answer to half a command, whose sender has gone.
        for task in proxy.serving:
            task.cancel()
        await asyncio.gather(*proxy.serving, return_exceptions=True)
