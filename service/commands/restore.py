"""`referee restore`: games out of a backup, into a store."""

import asyncio
from collections.abc import Iterator
from contextlib import closing
from typing import Final

import click
import msgspec

from service.backup.files import BackupFile, Unreadable
from service.backup.restoring import NoBackup, Restoration
from service.commands import fail
from service.commands.archive import chosen_settings, on_store, store_options, tell
from service.commands.command import Command
from service.commands.record_files import expect_input
from service.commands.screen import bar, printable
from service.store.redis import RedisStore

_NOT_WHOLE: Final = 1


@click.command(cls=Command)
@click.argument("file")
@store_options
@click.option("--renew", is_flag=True, help="Keep the games as long as if they moved just now.")
@click.option("--check", is_flag=True, help="Only look whether FILE is whole; touch no store.")
@click.option("--salvage", is_flag=True, help="Take what is whole of a FILE that was cut off.")
@click.option("--json", "as_json", is_flag=True, help="Print what came of it as JSON.")
@click.pass_context
def restore(
    context: click.Context,
    file: str,
    data: str | None,
    redis_url: str | None,
    renew: bool,
    check: bool,
    salvage: bool,
    as_json: bool,
) -> None:
    """Bring the games in FILE, or in what comes in for -, back into a store.

    FILE is what `referee backup` wrote. Tokens, retries and idempotency keys work again, views,
    logs, hashes and records are what they were, and games that were played are played on. A game
    whose id is in the store stays as it is there, so that this can be run again. Best run it
    before players come.

    A game that is gone from the store, since it was called off or its time was up, stays gone as
    long as the store remembers its id: for a day after it was opened with an Idempotency-Key. One
    that was opened without, or is forgotten by now, comes back.

    Each game is played again from its log before it is kept. A line that is damaged is named and
    left out. A FILE that was cut off is refused before anything is written, unless you ask to
    --salvage it; what comes in for - is restored as it comes.

    A game has as much time left as when it was backed up, but an hour at least. It is listed again,
    unless it was opened longer ago than a game can last.

    The exit status is 0 where all is well, 1 where something is damaged or missing, and 2 where
    FILE or the store cannot be used.
    """
    run = _Run(file, renew=renew, salvage=salvage)
    try:
        with closing(_opened(file)) as opened:
            if check:
                asyncio.run(run.restore(opened, None))
            else:
                run.refuse_cut_off(opened)
                settings = chosen_settings(data, redis_url)
                on_store(settings, lambda store: run.restore(opened, store))
    except (NoBackup, Unreadable) as error:
        fail(f"{printable(file)}: {error}")
    click.echo(run.as_json() if as_json else run.in_words())
    context.exit(0 if run.is_whole else _NOT_WHOLE)


def _opened(name: str) -> BackupFile:
    if name == "-":
        expect_input()
    try:
        return BackupFile(name)
    except OSError as error:
        fail(f"{printable(name)} cannot be read: {error.strerror}")


class _Run:
    """One restoration, and what came of it."""

    def __init__(self, name: str, *, renew: bool, salvage: bool) -> None:
        self.is_whole = False
        self._name = name
        self._renew = renew
        self._salvage = salvage

    def refuse_cut_off(self, file: BackupFile) -> None:
        """End the command, before anything is written, where the end of the file is missing."""
        if file.is_file and not self._salvage and not file.is_ended():
            fail(
                f"{printable(self._name)} was cut off, or is no backup: nothing is restored. "
                "Another may be whole; --salvage takes what is whole of this one"
            )

    async def restore(self, file: BackupFile, store: RedisStore | None) -> None:
        """Restore what is in a file, or only look at it. Raises NoBackup and StoreUnavailable."""
        done = Restoration(store, tell, anew=self._renew, headless=self._salvage)
        with bar(in_bytes=True) as progress:
            task = progress.add_task("restoring" if store else "checking", total=file.size)

            def lines() -> Iterator[bytes]:
                try:
                    for line in file.lines():
                        yield line
                        progress.update(task, completed=file.position)
                except Unreadable as error:
                    tell(str(error))

            await done.take(lines())
        if not done.is_ended:
            tell(f"{printable(self._name)} was cut off: what was behind is missing")
        self.is_whole = done.is_whole and done.is_ended
        self._counts = done.counts

    def as_json(self) -> str:
        """What came of it, for programs."""
        names = ("games", "restored", "kept", "gone", "damaged")
        told = {"file": self._name, **{name: self._counts[name] for name in names}}
        return msgspec.json.encode(told | {"is_whole": self.is_whole}).decode()

    def in_words(self) -> str:
        """What came of it, for people."""
        counts = self._counts
        told = f"{counts['games']} games"
        if counts["restored"] or counts["kept"] or counts["gone"]:
            told += f": {counts['restored']} restored, {counts['kept']} there already"
        if counts["gone"]:
            told += f", {counts['gone']} gone since"
        return told + (f"; {counts['damaged']} lines damaged" if counts["damaged"] else "")
