"""Files of backups: written so that they are whole or not there, and read line by line.

A name that ends in `.gz` is compressed. `-` is what comes in, or goes out.
"""

import gzip
import os
import stat
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO, Final, cast

from service.backup.lines import Damaged, opened
from service.backup.shapes import Foot

STD: Final = "-"
PRIVATE: Final = 0o600
"""Who may read a backup: as with a file of passwords, its owner alone."""
LONGEST_LINE: Final = 16 * 1024 * 1024
"""Bytes. A game of 50 deals with 255 turns each has a record of about 8 MB, and less beside it."""

# Twice as fast as the usual 6, and files become a fifth larger.
_COMPRESSION: Final = 1


class Unreadable(Exception):  # noqa: N818 - a verdict on a file
    """A file cannot be read to its end; the message says why."""


@contextmanager
def new_file(name: str) -> Iterator[BinaryIO]:
    """A file to write, readable for its owner alone.

    It takes its name once it is whole and on the disk; if this is left by an exception, nothing is
    there, or what was there before. Raises OSError.
    """
    if name == STD:
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
    elif _is_special(name):
        with open(name, "wb") as special, _packed(name, special) as packed:
            yield packed
    else:
        with _renamed(Path(name)) as file, _packed(name, file) as packed:
            yield packed


def _is_special(name: str) -> bool:
    """Whether it is there, and is a pipe or a device: nothing to put another file in place of."""
    with suppress(FileNotFoundError):
        return not stat.S_ISREG(os.stat(name).st_mode)
    return False


@contextmanager
def _renamed(path: Path) -> Iterator[BinaryIO]:
    # Beside it, since a file moves at once only within its own file system.
    partial = path.with_name(f".{path.name}.{os.getpid()}.partial")
    descriptor = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE)
    try:
        with os.fdopen(descriptor, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        partial.replace(path)
    except BaseException:
        partial.unlink(missing_ok=True)
        raise


@contextmanager
def _packed(name: str, file: BinaryIO) -> Iterator[BinaryIO]:
    if not name.endswith(".gz"):
        yield file
        return
    with gzip.GzipFile(fileobj=file, mode="wb", compresslevel=_COMPRESSION) as packed:
        yield cast(BinaryIO, packed)


class BackupFile:
    """A file to read, from its beginning; or `-`. Raises OSError where it cannot be opened."""

    def __init__(self, name: str) -> None:
        self._file: BinaryIO = sys.stdin.buffer if name == STD else open(name, "rb")  # noqa: SIM115
        self._lines: BinaryIO = self._file
        if name.endswith(".gz"):
            self._lines = cast(BinaryIO, gzip.GzipFile(fileobj=self._file, mode="rb"))
        self.is_file: Final = name != STD and not _is_special(name)
        """Whether it can be read a second time."""

    @property
    def size(self) -> int | None:
        """Bytes of the file; None where nobody knows before the end."""
        return os.fstat(self._file.fileno()).st_size if self.is_file else None

    @property
    def position(self) -> int:
        """Bytes of the file that have been read."""
        return self._file.tell() if self.is_file else 0

    def lines(self) -> Iterator[bytes]:
        """Its lines, with their ends. Raises Unreadable where it goes wrong on the way.

        Of a line that is too long there is only the beginning.
        """
        try:
            while line := self._lines.readline(LONGEST_LINE):
                yield line
                while not line.endswith(b"\n") and (line := self._lines.readline(LONGEST_LINE)):
                    pass
        except (EOFError, zlib.error, gzip.BadGzipFile) as error:
            raise Unreadable(f"what is compressed in it breaks off: {error}") from error
        except OSError as error:
            raise Unreadable(f"it cannot be read: {error.strerror}") from error

    def is_ended(self) -> bool:
        """Whether it was written to its end; then it is read from the beginning again."""
        last = b""
        try:
            for last in self.lines():  # noqa: B007 - the last one is what is wanted
                pass
            return isinstance(opened(last), Foot)
        except (Unreadable, Damaged):
            return False
        finally:
            self._lines.seek(0)

    def close(self) -> None:
        """Close it."""
        self._lines.close()
        self._file.close()
