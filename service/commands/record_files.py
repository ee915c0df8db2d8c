"""Files of records, cut into pieces to be judged: documents, lines of a stream, and transcripts."""

import glob
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from itertools import islice
from typing import BinaryIO, Final, Literal, NamedTuple

from engine.records.transcript import TITLE
from service.commands import fail
from service.http.ndjson import LONGEST_LINE

STDIN: Final = "-"
_SKIPPED_AT_ONCE: Final = 64 * 1024

Form = Literal["document", "line", "transcript"]


class FileError(Exception):
    """A file that cannot be judged at all, and why."""


class Piece(NamedTuple):
    """A record as it was found: the number of its line, and its text unless that is too long."""

    file: str
    form: Form
    line: int
    text: bytes | None
    size: int
    """Bytes of the file that it took."""


def files_of(told: Sequence[str]) -> Iterator[str]:
    """The files that a command was told: names, patterns such as `games/**/*.ndjson`, or `-`.

    A pattern that fits nothing is given on as it is: there is no file of that name.
    """
    for one in told or (STDIN,):
        if one != STDIN and glob.has_magic(one) and not os.path.exists(one):
            found = sorted(
                name for name in glob.glob(one, recursive=True) if not os.path.isdir(name)
            )
            yield from found or (one,)
        else:
            yield one


def expect_input() -> None:
    """End the command where no file was named and nothing comes in: nobody types records."""
    if sys.stdin is None or sys.stdin.isatty():
        fail("give a FILE, or - for what you type")


def size_of(name: str) -> int | None:
    """Bytes of a file; None where nobody knows before the end."""
    return os.path.getsize(name) if name != STDIN and os.path.isfile(name) else None


def pieces_in(name: str) -> Iterator[Piece]:
    """The records in a file. Raises FileError where it cannot be read, or there is none.

    A first line that opens an object and does not close it, before one that opens no other, begins
    a single document. Otherwise each line that is not empty is a record of its own.
    """
    try:
        with _opened(name) as file:
            yield from _pieces(name, file)
    except OSError as error:
        is_pattern = isinstance(error, FileNotFoundError) and glob.has_magic(name)
        reason = "no file matches" if is_pattern else f"cannot be read: {error.strerror}"
        raise FileError(reason) from error


def _opened(name: str) -> AbstractContextManager[BinaryIO]:
    if name != STDIN:
        return open(name, "rb")
    if sys.stdin is None:
        raise FileError("is closed")
    return nullcontext(sys.stdin.buffer)


def _pieces(name: str, file: BinaryIO) -> Iterator[Piece]:
    lines = _lines(name, file)
    begun = list(islice(lines, 2))
    if not begun:
        raise FileError("holds no record")
    form = _form(*begun)
    if form == "line":
        yield from begun
        yield from lines
    else:
        yield _whole(file, form, begun)


def _form(first: Piece, second: Piece | None = None) -> Form:
    text = (first.text or b"").strip()
    if text.startswith((b"#", TITLE.encode())):
        return "transcript"
    is_open = text.startswith(b"{") and not text.endswith(b"}")
    if not is_open or second is None or (second.text or b"").lstrip().startswith(b"{"):
        return "line"
    return "document"


def _whole(file: BinaryIO, form: Form, begun: list[Piece]) -> Piece:
    """All of a file, with as many lines before the `begun` ones as it has."""
    text, line = b"", 1
    for one in begun:
        text += b"\n" * (one.line - line) + (one.text or b"")
        line = one.line + 1
    text += file.read(LONGEST_LINE + 1)
    is_long = len(text) > LONGEST_LINE or any(one.text is None for one in begun)
    return Piece(begun[0].file, form, begun[0].line, None if is_long else text, len(text))


def _lines(name: str, file: BinaryIO) -> Iterator[Piece]:
    """The lines that are not empty; of one that is too long nothing is kept."""
    number = 0
    while line := file.readline(LONGEST_LINE + 1):
        number, size = number + 1, len(line)
        is_long = size > LONGEST_LINE and not line.endswith(b"\n")
        while is_long and not line.endswith(b"\n") and (line := file.readline(_SKIPPED_AT_ONCE)):
            size += len(line)
        if is_long or line.strip():
            yield Piece(name, "line", number, None if is_long else line, size)
