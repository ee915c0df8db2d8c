"""A clock is set, by hours, forward and back: that of the service, of its server, or of both.

Nothing hangs on the time of day but what is told of it: plies count entries, tokens have no end, an
idempotency key and every lifetime last for a day or more, and a rate bucket of another time is
forgotten. So play goes on as if nothing had happened.
"""

import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.store.servers import Server, keys_without_lifetime
from tests.whole.serving import NAMES, QUICKLY, Players, Service, log_of, served

LIBRARIES = sorted(Path("/usr/lib").glob("**/faketime/libfaketimeMT.so.1"))
"""Debian's package libfaketime: it tells a program another time of day than it is."""

STEPS = (5, 0, -5, 0)
"""Hours that a clock is ahead."""

pytestmark = pytest.mark.skipif(not LIBRARIES, reason="libfaketime is not installed")


class Clock:
    """The time of day of the programs that are started under it."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.set(0)

    def set(self, hours: int) -> None:
        """Let it be so much later than it is."""
        fresh = self._path.with_suffix(".new")
        fresh.write_text(f"{hours:+}h")
        fresh.replace(self._path)

    @contextmanager
    def told(self) -> Iterator[None]:
        """Programs that are started meanwhile live by this clock."""
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("LD_PRELOAD", str(LIBRARIES[0]))
            patch.setenv("FAKETIME_TIMESTAMP_FILE", str(self._path))
            patch.setenv("FAKETIME_NO_CACHE", "1")
            # Somebody sets the time of day; nobody can set how much time has passed.
            patch.setenv("FAKETIME_DONT_FAKE_MONOTONIC", "1")
            yield


@pytest.fixture
def clocks(tmp_path: Path) -> dict[str, Clock]:
    return {name: Clock(tmp_path / name) for name in ("service", "server")}


@pytest.fixture
def server(clocks: dict[str, Clock]) -> Iterator[Server]:
    with clocks["server"].told():
        server = Server()
    with server:
        yield server


@pytest.fixture
def service(clocks: dict[str, Clock], server: Server, tmp_path: Path) -> Iterator[Service]:
    # With its limits, since they are what counts in seconds.
    settings = {"REFEREE_REDIS_URL": server.url}
    with clocks["service"].told(), served(tmp_path, settings=settings) as service:
        yield service


def open_with(url: str, key: str) -> dict[str, Any]:
    body = {"players": [{"name": name} for name in NAMES]}
    headers = {"Idempotency-Key": key}
    answer = httpx.post(f"{url}/v1/games", json=body, headers=headers, **QUICKLY)
    found: dict[str, Any] = answer.raise_for_status().json()
    return found


def hours_from_now(moment: float) -> int:
    return round((moment - time.time()) / 3600)


@pytest.mark.parametrize("stepped", [("service",), ("server",), ("service", "server")])
def test_play_goes_on(
    stepped: tuple[str, ...], clocks: dict[str, Clock], server: Server, service: Service
) -> None:
    players = Players(service.url, seed=2)
    key = str(uuid.uuid4())
    opened = open_with(service.url, key)
    with server.client() as client:
        for hours in STEPS:
            for name in stepped:
                clocks[name].set(hours)
            assert players.play(service.url, 3)
            # The clocks are what they were set to.
            played = datetime.fromisoformat(players.log[-1]["at"]).timestamp()
            assert hours_from_now(played) == ("service" in stepped) * hours
            assert hours_from_now(client.time()[0]) == ("server" in stepped) * hours
            assert len(log_of(service.url, players.game, players.tokens[0])) == len(players.log)
            assert open_with(service.url, key) == opened
            assert keys_without_lifetime(client) == []
    assert_its_record_is_good(service.url, players)


def assert_its_record_is_good(url: str, players: Players) -> None:
    """Its entries need not be in the order of the time of day."""
    game, badge = f"{url}/v1/games/{players.game}", {"Authorization": f"Bearer {players.tokens[0]}"}
    httpx.post(f"{game}/forfeit", json={}, headers=badge, **QUICKLY).raise_for_status()
    record = httpx.get(f"{game}/record", headers=badge, **QUICKLY).raise_for_status().json()
    verdict = httpx.post(f"{url}/v1/records/verify", json=record, **QUICKLY).raise_for_status()
    assert verdict.json()["findings"] == []
