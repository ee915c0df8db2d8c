"""The append-only file lost its end, as on a disk that said it had written and had not.

Acknowledged moves may be gone then, and only the last ones. Each game is as it was at an earlier
ply, whole: the log is a beginning of what was acknowledged, and the state is what that log leads
to. Who moves at a ply that is gone is told so (412, with the ply that the game is at), looks at the
game again and plays on; nothing has to be restarted or repaired.
"""

import asyncio
import os

import httpx
import pytest

from engine.game import Game, fold
from service.store.redis import RedisStore
from tests.store.servers import Server
from tests.whole.serving import QUICKLY, Players, Service, log_of

CUTS = (1, 700, 4000)
"""Bytes: a piece of the last move, and some moves. A move takes about five hundred."""


def tear(server: Server, size: int) -> None:
    """Cut so many bytes off the file of a server that is not running."""
    (written,) = server.folder.glob("appendonlydir/*.incr.aof")
    os.truncate(written, written.stat().st_size - size)


async def kept(url: str, game_id: str) -> Game:
    """The game, which is at the end of its log."""
    store = RedisStore(url)
    try:
        snapshot = await store.load(game_id)
        assert snapshot
        assert fold(snapshot.game.opening, await store.log(game_id)) == snapshot.game
        return snapshot.game
    finally:
        await store.close()


def test_each_game_is_whole_at_an_earlier_ply(durable: Server, service: Service) -> None:
    players = Players(service.url, seed=5)
    for size in CUTS:
        assert players.play(service.url, 8)
        ply, action = players.choose(service.url)
        durable.kill()
        tear(durable, size)
        durable.start()
        log = log_of(service.url, players.game, players.tokens[0])
        assert 0 < len(log) < ply
        # The hash of an entry is that of all before it, too.
        assert log[-1]["hash"] == players.log[len(log) - 1]["hash"]
        assert asyncio.run(kept(durable.url, players.game)).ply == len(log)
        with pytest.raises(httpx.HTTPStatusError) as refused:
            players.send(service.url, ply, action)
        assert refused.value.response.status_code == 412
        assert refused.value.response.json()["ply"] == len(log)
        del players.log[len(log) :]
        game = httpx.get(f"{service.url}/v1/games/{players.game}", **QUICKLY)
        players.turn = game.json()["turn"]
    assert players.play(service.url, 8)
    assert len(log_of(service.url, players.game, players.tokens[0])) == len(players.log)
