"""A real store at which callers can be made to meet, so that a race is a race every time."""

import asyncio

from service.store.protocol import Snapshot
from service.store.redis import RedisStore


class Crowd(RedisStore):
    """The store, with two things more.

    After `gather(n)` the next n loads wait for each other, so that n requests have all seen the
    same ply before the first of them writes. After `hold()` the next load waits for `release()`:
    once `held` has been reached, its request has seen the game, and others may change it.
    """

    _missing = 0
    _released: asyncio.Event | None = None

    def gather(self, size: int) -> None:
        self._missing = size
        self._complete = asyncio.Event()

    def hold(self) -> None:
        self.held = asyncio.Event()
        self._released = asyncio.Event()

    def release(self) -> None:
        assert self._released is not None
        self._released.set()

    async def load(self, game_id: str) -> Snapshot | None:
        snapshot = await super().load(game_id)
        async with asyncio.timeout(20):
            if self._released is not None and not self.held.is_set():
                self.held.set()
                await self._released.wait()
            elif self._missing:
                self._missing -= 1
                if not self._missing:
                    self._complete.set()
                await self._complete.wait()
        return snapshot
