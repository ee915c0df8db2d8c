"""The server's memory is full, and it drops nothing (`noeviction`): no write is half done.

Moves are 503 and can be sent again; games can still be looked at; and once there is room, play goes
on without a restart.
"""

import time
from collections.abc import Callable

import httpx

from tests.faults.load import load_on, log_of
from tests.store.servers import Server, keys_without_lifetime
from tests.whole.serving import QUICKLY, Service


def test_writes_wait_and_games_can_be_seen(
    durable: Server, service: Service, measured: Callable[[str], None]
) -> None:
    with load_on(service.url) as load, durable.client() as client:
        client.config_set("maxmemory", 1)
        load.await_refusals("503", 3)
        assert httpx.get(f"{service.url}/readyz", **QUICKLY).status_code == 503
        for game in load.games:
            seen = httpx.get(f"{service.url}/v1/games/{game.game}", **QUICKLY)
            assert seen.json()["ply"] == len(game.acknowledged)
            assert log_of(service.url, game) == game.acknowledged
        client.config_set("maxmemory", 0)
        room = time.monotonic()
        load.await_moves()
        took = load.recovered(room)
        assert keys_without_lifetime(client) == []
    kept = load.assert_kept()
    measured(f"memory full: moves {took:.2f} s after there is room; {kept} kept")
