"""Lines of a stream: cut out of what comes in, and put by until the other side takes them.

Memory stays flat however long the stream is: a line is bounded, and answers that nobody has read
yet wait in a temporary file. So a client may send everything before it reads anything.
"""

import asyncio
from collections.abc import AsyncIterator, Callable
from tempfile import SpooledTemporaryFile
from typing import Final

LONGEST_LINE: Final = 8 * 1024 * 1024
"""Bytes. A game of 50 deals with 255 turns each is a record of about 8 MB."""

_IN_MEMORY: Final = 1024 * 1024
_CHUNK: Final = 64 * 1024


Line = bytes | None
"""A line without its end; None for one that was longer than allowed, and was not kept."""

Answer = Callable[[Line, int], bytes]
"""What is said of a line with this number."""


async def lines_of(
    chunks: AsyncIterator[bytes], longest: int = LONGEST_LINE
) -> AsyncIterator[list[Line]]:
    """The lines of a stream, as many at a time as a chunk of it brings to their end."""
    rest, is_too_long = bytearray(), False
    async for chunk in chunks:
        *ends, last = chunk.split(b"\n")
        lines: list[Line] = []
        for end in ends:
            rest += end
            lines.append(None if is_too_long or len(rest) > longest else bytes(rest))
            rest, is_too_long = bytearray(), False
        yield lines
        rest += last
        if len(rest) > longest:
            rest, is_too_long = bytearray(), True
    if rest or is_too_long:
        yield [None if is_too_long else bytes(rest)]


async def answered(lines: AsyncIterator[list[Line]], answer: Answer) -> AsyncIterator[bytes]:
    """What `answer` says of each line that is not empty, in order, with the number of the line.

    Lines are read as fast as they come, whether or not the answers are.
    """
    spool = _Spool()
    reading = asyncio.create_task(_fill(spool, lines, answer))
    try:
        async for chunk in spool.chunks():
            yield chunk
        await reading
    finally:
        reading.cancel()
        spool.close()


async def _fill(spool: "_Spool", lines: AsyncIterator[list[Line]], answer: Answer) -> None:
    try:
        number = 1
        async for some in lines:
            # In a thread, so that long records do not hold up everybody's moves.
            spool.put(await asyncio.to_thread(_answers, some, number, answer))
            number += len(some)
    finally:
        spool.end()


def _answers(lines: list[Line], first: int, answer: Answer) -> bytes:
    numbered = enumerate(lines, start=first)
    return b"".join(answer(line, at) for at, line in numbered if line is None or line.strip())


class _Spool:
    """Bytes on their way from one task to another: in memory as far as they are few."""

    def __init__(self) -> None:
        self._file = SpooledTemporaryFile(max_size=_IN_MEMORY)  # noqa: SIM115 - closed by close()
        self._written = self._read = 0
        self._ended = False
        self._news = asyncio.Event()

    def put(self, some: bytes) -> None:
        """Put bytes in."""
        self._file.seek(self._written)
        self._written += self._file.write(some)
        self._news.set()

    def end(self) -> None:
        """Say that nothing more will come."""
        self._ended = True
        self._news.set()

    async def chunks(self) -> AsyncIterator[bytes]:
        """Take bytes out as they come, to the end."""
        while not (self._ended and self._read == self._written):
            if self._read == self._written:
                self._news.clear()
                await self._news.wait()
                continue
            self._file.seek(self._read)
            chunk = self._file.read(_CHUNK)
            self._read += len(chunk)
            if self._read == self._written:
                # All has been taken: begin the file anew, so that it does not grow for ever.
                self._file.seek(0)
                self._file.truncate()
                self._written = self._read = 0
            yield chunk

    def close(self) -> None:
        """Forget what is left."""
        self._file.close()
