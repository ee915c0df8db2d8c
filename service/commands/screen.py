"""What commands print: in colour and with a bar on a terminal, plain in a pipe."""

import sys
from typing import Final

from rich.console import Console
from rich.progress import (
    BarColumn,
    DownloadColumn,
    MofNCompleteColumn,
    Progress,
    TaskProgressColumn,
    TextColumn,
    TimeRemainingColumn,
)
from rich.text import Text

STATUS_STYLES: Final = {"right": "green", "wrong": "red", "unusable": "yellow"}
# Columns where no terminal says how many there are: a table must not be cut off in a file.
_WIDE: Final = 120


class Screen:
    """Where a command prints its lines and tables."""

    def __init__(self) -> None:
        for stream in (sys.stdout, sys.stderr):
            if hasattr(stream, "reconfigure"):
                # A name that this terminal cannot show must not end the command.
                stream.reconfigure(errors="backslashreplace")
        self.console: Final = Console(highlight=False, width=None if _is_terminal() else _WIDE)

    def line(self, line: Text | str, style: str = "") -> None:
        """Print a line, however long."""
        told = Text(line, style) if isinstance(line, str) else line
        if self.console.is_terminal:
            self.console.print(told, soft_wrap=True)
        else:
            # The console takes its time, and files of a million lines are printed, too.
            print(told.plain)

    def blank(self) -> None:
        """Print an empty line."""
        self.line("")


def _is_terminal() -> bool:
    return sys.stdout.isatty()


def printable(text: str) -> str:
    """The text without what a terminal would obey."""
    return "".join(letter if letter.isprintable() else "�" for letter in text)


def sendable(text: str) -> str:
    """An argument without those of its bytes that are no text."""
    return text.encode(errors="replace").decode()


def bar(*, in_bytes: bool = False) -> Progress:
    """A bar on stderr that goes away at the end; nothing at all where that is no terminal."""
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        TaskProgressColumn(),
        DownloadColumn() if in_bytes else MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
        # Lines that are printed meanwhile scroll by above the bar, unless they go elsewhere.
        redirect_stdout=_is_terminal(),
        disable=not sys.stderr.isatty(),
    )
