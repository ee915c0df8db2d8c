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

    def _strikes(self, piece: bytes | None, command: bytes) -> bool:
        if piece is None or piece not in command:
            return False
        self.struck += 1
        return True

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.accepted += 1
        task = asyncio.current_task()
        assert task is not None
        self.serving.add(task)
        answers, commands = await asyncio.open_unix_connection(str(self.server.socket))
        last = b""
        try:
            while command := await reader.read(MOST):
                await asyncio.sleep(self.delay)
                commands.write(command)
                answer = await answers.read(MOST)
                if self._strikes(self.lose, command):
                    self.lose = None
                    return
                if self._strikes(self.repeat, command):
                    self.repeat, answer = None, last
                if self._strikes(self.double, command):
                    self.double, answer = None, answer * 2
                last = answer
                writer.write(answer)
        finally:
            writer.close()
            commands.close()


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
