"""`referee backup`: all games, as lines of a file."""

import sys
import time
from collections.abc import Mapping
from typing import Final

import click
import msgspec

from service.backup.collecting import Collection, Selection
from service.backup.files import STD, new_file
from service.commands import fail
from service.commands.archive import chosen_settings, on_store, store_options, tell
from service.commands.command import Command
from service.commands.screen import bar, printable
from service.embedded.folder import holds_games
from service.settings import Settings
from service.store.redis import RedisStore

_NOT_WHOLE: Final = 1
_STATUSES: Final = ("waiting", "playing", "finished")


@click.command(cls=Command)
@click.argument("file")
@store_options
@click.option("--finished", is_flag=True, help="Only games that are over.")
@click.option(
    "--expiring-within",
    "within",
    metavar="SECONDS",
    type=click.IntRange(1),
    help="Only games that have no more than that left.",
)
@click.option("--public", is_flag=True, help="Only games that are not private.")
@click.option("--records", is_flag=True, help="Only the records of games that are over.")
@click.option("--json", "as_json", is_flag=True, help="Print what was written as JSON.")
@click.pass_context
def backup(
    context: click.Context,
    file: str,
    data: str | None,
    redis_url: str | None,
    finished: bool,
    within: int | None,
    public: bool,
    records: bool,
    as_json: bool,
) -> None:
    """Write all games into FILE, or to stdout for -, while they may be played on.

    FILE is NDJSON, compressed if its name ends in .gz, and for `referee restore`. Each game is in
    it as it was at one moment, waiting and playing ones too: with all that a client needs to go on
    with the tokens that it has. The settings of `referee serve` say where the games are.

    PROTECT THE FILE like one of passwords. Its lines have a member `private`: the secrets of games
    that are still played, from which all hands follow, and the digests of tokens. Only its owner
    can read the file at first.

    With --records, FILE holds the records of games that are over, one a line, as GET
    /v1/games/{game}/record tells them, and nothing else. `referee verify` reads it. With --records
    --public it can be given to everybody. Without --public it has the records of private games,
    too, for those who took part. Without --records it is never to be given away: ids and records
    of private games stand beside the members `private`.

    Settings say how long a game is kept. To have those that will go: --finished --expiring-within
    172800, once a day.

    The exit status is 0 where all is in FILE, 1 where a game could not be read or may be missing,
    and 2 where there is no FILE.
    """
    if file == STD and sys.stdout.isatty():
        fail("a backup is not for the eyes: give a FILE, or send it on through a pipe")
    settings = chosen_settings(data, redis_url)
    if settings.redis_url is None and not holds_games(settings.data):
        fail(f"there is no embedded store in the folder {settings.data}: see --data, --redis-url")
    selection = Selection(finished=finished or records, public=public, within=within)
    run = _Run(file, selection)
    run.write(settings, records=records)
    click.echo(run.as_json() if as_json else run.in_words(), err=file == STD)
    context.exit(0 if run.is_whole else _NOT_WHOLE)


class _Run:
    """One backup, and what came of it."""

    def __init__(self, name: str, selection: Selection) -> None:
        self.is_whole = False
        self._name = name
        self._selection = selection
        self._games: Mapping[str, int] = {}
        self._seconds = 0.0

    def write(self, settings: Settings, *, records: bool) -> None:
        """Write the file, or end the command."""
        started = time.monotonic()
        try:
            with new_file(self._name) as file, bar() as progress:
                task = progress.add_task("backing up", total=None)

                async def collect(store: RedisStore) -> None:
                    def advanced() -> None:
                        progress.advance(task)

                    found = Collection(store, self._selection, tell, advanced)
                    await (found.write_records if records else found.write)(file)
                    self._games, self.is_whole = found.games, found.is_whole

                on_store(settings, collect)
        except OSError as error:
            fail(f"{printable(self._name)} cannot be written: {error.strerror}")
        self._seconds = time.monotonic() - started

    def as_json(self) -> str:
        """What was written, for programs."""
        told = {
            "file": self._name,
            "games": {status: self._games.get(status, 0) for status in _STATUSES},
            "is_whole": self.is_whole,
            "seconds": round(self._seconds, 3),
        }
        return msgspec.json.encode(told).decode()

    def in_words(self) -> str:
        """What was written, for people."""
        each = ", ".join(f"{self._games.get(status, 0)} {status}" for status in _STATUSES)
        where = "" if self._name == STD else f" in {printable(self._name)}"
        return f"{sum(self._games.values())} games{where}: {each}; {self._seconds:.1f} s"
