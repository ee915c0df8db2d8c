"""The service is killed after a move was kept, and before anybody was told.

Whoever sends the move again is answered as if nothing had happened, by any service on the same
server, and the move is played once.
"""

import json
import re
import threading
from pathlib import Path
from typing import Any

import httpx
import pytest

from service.store import scripts
from tests.faults.keeping import proxy_to
from tests.faults.load import UNLIMITED
from tests.store.servers import Server
from tests.whole.serving import Players, Service, log_of, served

PLIES = 3


def settled(told: dict[str, Any], players: Players) -> str:
    """What is said of a move, but for what differs between two games with the same cards."""
    text = json.dumps(told).replace(players.game, "the game")
    return re.sub(r'"(at|hash|commitment)": "[^"]*"', "", text)


def test_the_same_move_again_is_answered_the_same_and_played_once(
    durable: Server, service: Service, tmp_path: Path
) -> None:
    undisturbed = Players(service.url, seed=7)
    undisturbed.play(service.url, PLIES)
    expected = undisturbed.send(service.url, *undisturbed.choose(service.url))

    with (
        proxy_to(durable) as proxy,
        served(tmp_path, settings=UNLIMITED | {"REFEREE_REDIS_URL": proxy.url}) as first,
    ):
        players = Players(first.url, seed=7)
        players.play(first.url, PLIES)
        seat = players.turn
        ply, action = players.choose(first.url)

        def send() -> None:
            with pytest.raises(httpx.RemoteProtocolError):
                players.send(first.url, ply, action)

        proxy.command = scripts.COMMIT.sha.encode()
        sending = threading.Thread(target=send)
        sending.start()
        assert proxy.kept.wait(60)
        first.kill_alone()
        sending.join()
    assert len(players.log) == PLIES

    # It was kept, and nobody knows.
    assert len(log_of(service.url, players.game, players.tokens[0])) == PLIES + 1
    for _ in range(2):
        players.turn = seat
        again = players.send(service.url, ply, action)
        assert settled(again, players) == settled(expected, undisturbed)
    assert len(log_of(service.url, players.game, players.tokens[0])) == PLIES + 1
