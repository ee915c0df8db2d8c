"""A real store at which callers can be made to meet, so that a race is a race every time."""

import asyncio

from service.store.protocol import Snapshot
from service.store.redis import RedisStore


class Crowd(RedisStore):
    """The store, with one thing more: after `gather(n)` the next n loads wait for each other.

    So n requests have all seen the same ply before the first of them writes.
    """

    _missing = 0

    def gather(self, size: int) -> None:
        self._missing = size
        self._complete = asyncio.Event()

    async def load(self, game_id: str) -> Snapshot | None:
        snapshot = await super().load(game_id)
        if self._missing:
            self._missing -= 1
            if not self._missing:
                self._complete.set()
            async with asyncio.timeout(20):
                await self._complete.wait()
        return snapshot
