"""Whatever was acknowledged is there after a crash, once."""

import os
import threading
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.whole.serving import Players, Service, log_of

KILLS = int(os.environ.get("TEST_KILLS", "3"))
"""How often the service and its store are killed in the middle of one game."""


def _moves(log: list[dict[str, Any]]) -> list[tuple[int, int, str]]:
    return [(entry["ply"], entry["seat"], str(entry["action"])) for entry in log]


def test_no_acknowledged_move_is_lost_when_service_and_store_are_killed(tmp_path: Path) -> None:
    service = Service(tmp_path)
    players = Players(service.url, seed=11)
    for _ in range(KILLS):
        assert players.play(service.url, 12)
        service.kill()
        service = Service(tmp_path)
        kept = log_of(service.url, players.game, players.tokens[0])
        assert _moves(kept) == _moves(players.log)
        # `drawn` is for the seat that drew, so the rest of the entries is compared above.
        assert players.view(service.url)["ply"] == len(players.log)
    service.stop()


@pytest.mark.parametrize("seed", range(KILLS))
def test_a_move_that_a_crash_cut_off_is_played_at_most_once(tmp_path: Path, seed: int) -> None:
    """The same request again finds the move done, or does it now: never twice, never another."""
    service = Service(tmp_path)
    players = Players(service.url, seed)
    players.play(service.url, 4 + seed)
    ply, action = players.choose(service.url)
    url = service.url

    def send() -> None:
        try:
            players.send(url, ply, action)
        except httpx.HTTPError:
            return

    in_flight = threading.Thread(target=send)
    in_flight.start()
    service.kill()
    in_flight.join()
    acknowledged = len(players.log)
    service = Service(tmp_path)
    if acknowledged == ply:
        players.send(service.url, ply, action)
    kept = log_of(service.url, players.game, players.tokens[0])
    assert _moves(kept) == _moves(players.log)
    assert len(kept) == ply + 1
    service.stop()


def test_games_are_kept_between_starts(tmp_path: Path) -> None:
    service = Service(tmp_path)
    players = Players(service.url, seed=3)
    players.play(service.url, 5)
    service.stop()
    service = Service(tmp_path)
    assert len(log_of(service.url, players.game, players.tokens[0])) == 5
    service.stop()
