"""Token buckets on the server, so that all processes of a service share them.

The published limiters will not do: one wants an older client library, the others have no bucket.
"""

from typing import cast

from service.store import keys, scripts
from service.store.codec import new_write_id
from service.store.link import Link
from service.store.protocol import Level

_MICROSECONDS = 1_000_000


class RedisBuckets:
    """See Buckets."""

    def __init__(self, link: Link) -> None:
        self._link = link

    async def take(self, name: str, rate: float, size: int) -> Level:
        """See Buckets.take."""
        each = max(1, round(_MICROSECONDS / rate))
        reply = await self._link.run(scripts.TAKE, (keys.bucket(name),), new_write_id(), each, size)
        left, wait = cast(list[int], reply.values)
        return Level(reply.tag == "taken", left, wait / _MICROSECONDS)
