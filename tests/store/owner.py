"""A service in small, to be killed: it plays games on an embedded server until somebody does.

It says the process id of its server, then each ply that the store has acknowledged.
"""

import asyncio
import sys
from pathlib import Path

from service.embedded import server as embedded
from service.store.protocol import Committed
from service.store.redis import RedisStore
from tests.store.lines import line, opened

GAME = "kept"


async def play(url: str) -> None:
    store = RedisStore(url)
    await store.open(GAME, opened(), {})
    for ply, (made, game) in enumerate(line(), 1):
        assert await store.commit(GAME, ply - 1, game, [made]) == Committed(ply)
        print(ply, flush=True)
    await asyncio.Event().wait()


if __name__ == "__main__":
    server = embedded.start(Path(sys.argv[1]))
    print(server.pid, flush=True)
    asyncio.run(play(server.url))
