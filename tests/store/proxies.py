"""A proxy before a real server, which loses and mixes up answers as a bad network would."""

import asyncio
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from tests.store.servers import Server

MOST = 1 << 16


class Proxy:
    """Passes commands on, and treats the answers to those that come `when` as told.

    A command is recognised by a piece of its bytes. Each fault strikes once.
    """

    def __init__(self, url: str) -> None:
        self.url = url
        self.lose: bytes | None = None
        """The command was done, and the connection breaks before its answer."""
        self.repeat: bytes | None = None
        """The answer before comes again in place of the right one."""
        self.struck = 0

    def _strikes(self, piece: bytes | None, command: bytes) -> bool:
        if piece is None or piece not in command:
            return False
        self.struck += 1
        return True

    async def serve(
        self, server: Server, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        answers, commands = await asyncio.open_unix_connection(str(server.socket))
        last = b""
        try:
            while command := await reader.read(MOST):
                commands.write(command)
                answer = await answers.read(MOST)
                if self._strikes(self.lose, command):
                    self.lose = None
                    return
                if self._strikes(self.repeat, command):
                    self.repeat, answer = None, last
                last = answer
                writer.write(answer)
        finally:
            writer.close()
            commands.close()


@asynccontextmanager
async def proxy_to(server: Server) -> AsyncIterator[Proxy]:
    with tempfile.TemporaryDirectory(prefix="rummy-", dir="/tmp") as folder:
        socket = Path(folder) / "p"
        proxy = Proxy(f"unix://{socket}")

        async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await proxy.serve(server, reader, writer)

        async with await asyncio.start_unix_server(serve, socket):
            yield proxy
