"""A backup on its way back: every line looked at, every game played again, then kept whole."""

import asyncio
import hashlib
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Final

from service.backup.collecting import AT_ONCE
from service.backup.contents import Thing, thing_in
from service.backup.lines import FORMAT, Damaged, opened
from service.backup.shapes import Body, Foot, Head, ListLine, MarkLine, ReservationLine
from service.store.archive import KeptGame
from service.store.redis import RedisStore


class NoBackup(Exception):  # noqa: N818 - a verdict on a file
    """The first line is not that of a backup, or of one that this release cannot read."""


class Restoration:
    """What comes of the lines of one backup. Without a store they are only looked at."""

    def __init__(
        self,
        store: RedisStore | None,
        told: Callable[[str], None],
        *,
        anew: bool = False,
        headless: bool = False,
    ) -> None:
        """`told` is called with each trouble on the way that does not end it.

        Lifetimes begin `anew`, or go on; `headless`, a damaged first line is one like others.
        """
        self.counts: Final = Counter[str]()
        """All `games`; those that were `restored`, `kept` as they are in the store, or `gone` from
        it; other lines that were `damaged`.
        """
        self.is_whole = True
        """Whether all has come that was backed up, and that was all there was."""
        self.is_ended = False
        """Whether the last line has come."""
        self._store = store
        self._anew = anew
        self._headless = headless
        self._told = told
        self._digest = hashlib.sha256()
        self._games = 0
        self._batch: list[Thing] = []

    async def take(self, lines: Iterable[bytes]) -> None:
        """Restore what is in these lines. Raises NoBackup and StoreUnavailable."""
        for number, text in enumerate(lines, 1):
            try:
                line = opened(text)
                if number == 1:
                    _expect_head(line)
                elif isinstance(line, Head) or self.is_ended:
                    raise Damaged("it does not belong here")
                elif isinstance(line, Foot):
                    self._end(line)
                else:
                    await self._add(thing_in(line))
            except Damaged as error:
                self._damaged(number, error)
            self._digest.update(text)
        await self._flush()

    def _damaged(self, number: int, error: Damaged) -> None:
        if number == 1 and not self._headless:
            raise NoBackup(f"line 1 is not that of a backup: {error}")
        self.counts["damaged"] += 1
        self._miss(f"line {number} is damaged, and left out: {error}")

    def _end(self, foot: Foot) -> None:
        self.is_ended = True
        if foot.lines_sha256 != self._digest.hexdigest() and not self.counts["damaged"]:
            self._miss("lines are missing, or are not where they were")
        if not foot.is_whole:
            self._miss("when this was written some games could not be read, or may be missing")

    def _miss(self, why: str) -> None:
        self.is_whole = False
        self._told(why)

    async def _add(self, thing: Thing) -> None:
        # All games are there before the first list names them, or a request comes back for one.
        if self._batch and type(thing) is not type(self._batch[0]):
            await self._flush()
        self._batch.append(thing)
        if len(self._batch) == AT_ONCE:
            await self._flush()

    async def _flush(self) -> None:
        batch, self._batch = self._batch, []
        await asyncio.gather(*map(self._keep, batch))

    async def _keep(self, thing: Thing) -> None:
        store = self._store
        match thing:
            case KeptGame():
                self.counts["games"] += 1
                if store is not None:
                    self.counts[await store.archive.restore(thing, anew=self._anew)] += 1
            case MarkLine(private=private) if store is not None:
                # A mark without a game is of one that was called off, or of a line that was left
                # out: another backup may have that still, and then it has to be let in.
                is_sure = not self.counts["damaged"]
                await store.archive.put_mark(private.game, private.mark, alone=is_sure)
            case ReservationLine(private=private) if store is not None:
                await store.archive.put_reservation(private.name, private.reservation)
            case ListLine(private=private) if store is not None:
                for listed in private.games:
                    await store.lists.add(private.name, listed)


def _expect_head(line: Head | Body | Foot) -> None:
    if not isinstance(line, Head):
        raise Damaged("it is of another kind")
    if line.format != FORMAT:
        raise NoBackup(f"this is {line.format}, and this release reads {FORMAT}")
