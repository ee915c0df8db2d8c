"""All that is kept, one thing after another, on its way into a backup.

Each game is read in one step, so that it is whole as of one moment; another game may be of another
moment. Whoever plays meanwhile notices nothing.
"""

import asyncio
import hashlib
from collections import Counter
from collections.abc import AsyncIterator, Callable
from typing import BinaryIO, Final

from msgspec import Struct

from engine.game import Game
from service.backup.lines import line_of, new_head, record_in, sealed
from service.backup.shapes import (
    Body,
    Foot,
    ListLine,
    MarkLine,
    PrivateList,
    PrivateMark,
    PrivateReservation,
    ReservationLine,
)
from service.store.archive import KeptGame
from service.store.protocol import Listed, UnreadableGame
from service.store.redis import RedisStore

AT_ONCE: Final = 16
"""Games that are read or written at a time: half of the connections that there are."""
_LISTED_AT_ONCE: Final = 1000


class Selection(Struct, frozen=True):
    """Which games are wanted: all of them, unless something is asked for."""

    finished: bool = False
    """Only those that are over."""
    public: bool = False
    """Only those that are not private."""
    within: int | None = None
    """Only those that have no more seconds left than that."""

    @property
    def is_all(self) -> bool:
        """Whether nothing is asked for."""
        return self == Selection()

    def wants(self, game: Game) -> bool:
        """Whether a game, whatever it has left, is wanted."""
        is_wrong = (self.finished and game.status != "finished") or (
            self.public and game.opening.visibility == "private"
        )
        return not is_wrong


class Collection:
    """One way through all that is kept, and what was met on it."""

    def __init__(
        self,
        store: RedisStore,
        selection: Selection,
        told: Callable[[str], None],
        advanced: Callable[[], None],
    ) -> None:
        """`told` is called with each trouble on the way that does not end it, `advanced` after each
        game.
        """
        self.games: Final = Counter[str]()
        """Games that were wanted, by status."""
        self.is_whole = True
        """Whether no game is missing that should be there."""
        self._unread: set[str] = set()
        self._store = store
        self._archive = store.archive
        self._selection = selection
        self._told = told
        self._advanced = advanced

    async def write(self, file: BinaryIO) -> None:
        """Write a backup. Raises StoreUnavailable, and OSError where the file cannot be written."""
        digest = hashlib.sha256()
        head = sealed(new_head(is_all=self._selection.is_all))
        file.write(head)
        digest.update(head)
        async for line in self.lines():
            text = sealed(line)
            file.write(text)
            digest.update(text)
        foot = Foot(
            games=self.games.total(), is_whole=self.is_whole, lines_sha256=digest.hexdigest()
        )
        file.write(sealed(foot))

    async def write_records(self, file: BinaryIO) -> None:
        """Write the records of games that are over, one a line. Raises as `write` does."""
        async for kept in self._kept_games():
            file.write(record_in(kept) + b"\n")

    async def lines(self) -> AsyncIterator[Body]:
        """What is kept, in the order in which it is restored: games before what leads to them.

        Raises StoreUnavailable.
        """
        async for kept in self._kept_games():
            yield line_of(kept)
        if self._selection.is_all:
            async for mark in self._marks():
                yield mark
            async for reservation in self._reservations():
                yield reservation
        async for part in self._lists():
            yield part

    async def _kept_games(self) -> AsyncIterator[KeptGame]:
        before = await self._archive.standing()
        async for ids in self._archive.names("state"):
            for at in range(0, len(ids), AT_ONCE):
                for kept in await asyncio.gather(*map(self._read, ids[at : at + AT_ONCE])):
                    if kept is not None and self._selection.wants(kept.game):
                        self.games[kept.game.status] += 1
                        yield kept
                        self._advanced()
        after = await self._archive.standing()
        if before != after or not all(each.is_settled for each in after):
            self._miss(
                "a server was restarted or replaced meanwhile, or slots were moved: games may be "
                "missing. Run it again"
            )

    async def _read(self, game_id: str) -> KeptGame | None:
        within = self._selection.within
        try:
            return await self._archive.read(game_id, None if within is None else within * 1000)
        except UnreadableGame as error:
            self._unread.add(game_id)
            self._miss(str(error))
            return None

    def _miss(self, why: str) -> None:
        self.is_whole = False
        self._told(why)

    async def _marks(self) -> AsyncIterator[MarkLine]:
        async for ids in self._archive.names("mark"):
            # Without its game a mark says: called off; then no other backup brings it back.
            for game_id in set(ids) - self._unread:
                if mark := await self._archive.mark(game_id):
                    yield MarkLine(private=PrivateMark(game=game_id, mark=mark))

    async def _reservations(self) -> AsyncIterator[ReservationLine]:
        async for names in self._archive.names("reservation"):
            for name in names:
                if found := await self._archive.reservation(name):
                    yield ReservationLine(private=PrivateReservation(name=name, reservation=found))

    async def _lists(self) -> AsyncIterator[ListLine]:
        async for names in self._archive.names("games"):
            for name in names:
                before: Listed | None = None
                while page := await self._store.lists.page(name, before, _LISTED_AT_ONCE):
                    yield ListLine(private=PrivateList(name=name, games=tuple(page)))
                    before = page[-1]
