"""Lists of games on the server."""

import re
import time
from collections.abc import Sequence
from typing import Final, cast

from service.store import keys, scripts
from service.store.codec import new_write_id
from service.store.link import Link
from service.store.protocol import Listed

_MEMBER: Final = re.compile(rb"([0-9]{15}):([a-z0-9-]+)")


class RedisLists:
    """See Lists. A list is kept as long as the longest game could be, counted from its opening."""

    def __init__(self, link: Link, lifetime: int) -> None:
        self._link = link
        self._lifetime = lifetime

    async def add(self, name: str, listed: Listed) -> int:
        """See Lists.add."""
        oldest = max(0, int(time.time()) - self._lifetime) * 1000
        reply = await self._link.run(
            scripts.ENLIST,
            (keys.index(name),),
            new_write_id(),
            self._lifetime,
            _member(listed),
            _member(Listed(oldest, "")),
        )
        return cast(int, reply.values[0])

    async def remove(self, name: str, gone: Sequence[Listed]) -> int:
        """See Lists.remove. Raises ValueError where nothing is to be removed."""
        if not gone:
            raise ValueError("no games to remove")
        reply = await self._link.run(
            scripts.DELIST, (keys.index(name),), new_write_id(), *map(_member, gone)
        )
        return cast(int, reply.values[0])

    async def page(self, name: str, before: Listed | None, limit: int) -> list[Listed]:
        """See Lists.page."""
        start = _member(before) if before else ""
        reply = await self._link.run(
            scripts.LIST, (keys.index(name),), new_write_id(), start, limit
        )
        # What somebody else has put there is no game of ours.
        members = map(_MEMBER.fullmatch, cast(list[bytes], reply.values[0]))
        return [Listed(int(found[1]), found[2].decode()) for found in members if found]


def _member(listed: Listed) -> str:
    """Members of one score sort by their bytes, so the moment comes first, in a fixed width."""
    return f"{listed.opened:015d}:{listed.game_id}"
