"""`referee verify`: records held against the rules."""

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing
from typing import Final

import click

from service.commands.command import Command
from service.commands.judging import Judged, batches, judge
from service.commands.processes import in_order, jobs_option
from service.commands.record_files import (
    FileError,
    Piece,
    expect_input,
    files_of,
    pieces_in,
    size_of,
)
from service.commands.screen import STATUS_STYLES, Screen, bar, printable

_ALL_RIGHT: Final = 0
_SOME_WRONG: Final = 1
_UNUSABLE: Final = 2


@click.command(cls=Command)
@click.argument("files", nargs=-1, metavar="[FILE]...")
@click.option("--json", "as_json", is_flag=True, help="Print a verdict on each record as JSON.")
@jobs_option
@click.pass_context
def verify(context: click.Context, files: tuple[str, ...], as_json: bool, jobs: int | None) -> None:
    """Play recorded games again and say what in them is not so.

    A FILE holds one record as JSON, a record in each line (NDJSON), or the text of a game as
    `referee show --notation` writes it. It may be a pattern, such as 'games/**/*.ndjson', or - for
    what comes in; that is taken, too, where no FILE is given.

    The exit status is 0 where all is right, 1 where a record is wrong, and 2 where one is none, or
    a file cannot be read.
    """
    if not files:
        expect_input()
    run = _Run(files_of(files), as_json=as_json)
    run.judge(jobs)
    context.exit(run.status)


class _Run:
    """All files judged, one after the other."""

    def __init__(self, files: Iterator[str], *, as_json: bool) -> None:
        self._files: Sequence[str] = list(files)
        self._as_json = as_json
        self._screen = Screen()
        self._counts = Counter[str]()
        self._failed = 0

    @property
    def status(self) -> int:
        """The exit status."""
        if self._failed or self._counts["unusable"]:
            return _UNUSABLE
        return _SOME_WRONG if self._counts["wrong"] else _ALL_RIGHT

    def judge(self, jobs: int | None) -> None:
        """Judge all, and print what there is to say."""
        sizes = [size_of(name) for name in self._files]
        total = None if None in sizes else sum(size or 0 for size in sizes)
        with bar(in_bytes=True) as progress:
            task = progress.add_task("judging", total=total)
            work = batches(self._pieces(), as_json=self._as_json)
            with closing(in_order(judge, work, jobs)) as judged:
                for one in judged:
                    self._tell(one)
                    progress.advance(task, one.size)
        if not self._as_json:
            self._sum_up()

    def _pieces(self) -> Iterator[Piece]:
        for name in self._files:
            try:
                yield from pieces_in(name)
            except FileError as error:
                self._failed += 1
                click.echo(f"referee: {printable(name)}: {error}", err=True)

    def _tell(self, judged: Judged) -> None:
        self._counts += judged.counts
        for status, line in judged.lines:
            if self._as_json:
                print(line)
            else:
                self._screen.line(printable(line), STATUS_STYLES[status])

    def _sum_up(self) -> None:
        counts = self._counts
        records = counts.total()
        told = ", ".join(f"{counts[status]} {status}" for status in STATUS_STYLES)
        failed = f"; not read: {_number(self._failed, 'file')}" if self._failed else ""
        self._screen.line(f"{_number(records, 'record')}: {told}{failed}", "bold")


def _number(count: int, of_what: str) -> str:
    return f"{count} {of_what}{'' if count == 1 else 's'}"
