"""What the tests of backups share: a club that plays in this process, and stores to lose."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import pytest

from service.app import create_app
from service.backup.lines import opened
from service.backup.shapes import GameLine
from service.http.door import Door
from service.store.redis import RedisStore
from tests.backup.club import SETTINGS, Club, Told
from tests.commands.running import run
from tests.service.tiny import client
from tests.store.deployments import Deployment
from tests.store.servers import keys_without_lifetime


class Evening:
    """A club on a store; `run` runs whatever it does, while no command of ours runs."""

    def __init__(self, runner: "asyncio.Runner", app: Door, url: str) -> None:
        self.run = runner.run
        self.store = RedisStore(url)
        self.http = client(app)
        self.club = Club(self.http)
        self.before: Told = {}
        self.lifetimes: dict[bytes, int] = {}
        app.litestar.state.store = self.store

    async def close(self) -> None:
        await self.http.aclose()
        await self.store.close()


@pytest.fixture(scope="session")
def club_app() -> Door:
    """The app of the club. Making it takes longer than most tests do."""
    return create_app(SETTINGS)


@pytest.fixture
def meeting(club_app: Door) -> Iterator[Callable[[str], Evening]]:
    """Brings the club together on the store of a URL."""
    with asyncio.Runner() as runner:
        opened: list[Evening] = []

        def meet(url: str) -> Evening:
            opened.append(Evening(runner, club_app, url))
            return opened[-1]

        yield meet
        for evening in opened:
            runner.run(evening.close())


@dataclass
class BackedUp:
    """A backup of an evening, who was there, and all that they were told."""

    lines: list[bytes]
    club: Club
    told: Told

    def games(self) -> list[int]:
        """Where the lines of games are, from 0."""
        return [at for at, line in enumerate(self.lines) if isinstance(opened(line), GameLine)]


@pytest.fixture(scope="session")
def backed_up(
    shared_servers: Callable[[str], Deployment],
    club_app: Door,
    tmp_path_factory: pytest.TempPathFactory,
) -> BackedUp:
    """An evening takes a second, so there is one for all who only read about it."""
    place, file = shared_servers("valkey"), tmp_path_factory.mktemp("evening") / "games.ndjson"
    empty(place)
    with asyncio.Runner() as runner:
        evening = Evening(runner, club_app, place.url)
        runner.run(evening.club.meet())
        told = runner.run(evening.club.told())
        runner.run(evening.close())
    assert run("backup", file, "--redis-url", place.url).exit_code == 0
    empty(place)
    return BackedUp(file.read_bytes().splitlines(keepends=True), evening.club, told)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Where a backup may lie."""
    return tmp_path / "games.ndjson"


def empty(place: Deployment) -> None:
    """Lose everything, but for what must not be there: a key that is kept for ever."""
    with ExitStack() as connected:
        for client in [connected.enter_context(client) for client in place.each()]:
            assert not keys_without_lifetime(client)
            client.flushall()


def lifetimes(place: Deployment) -> dict[bytes, int]:
    """When each key is gone, in milliseconds since 1970."""
    with ExitStack() as connected:
        clients = [connected.enter_context(client) for client in place.each()]
        return {
            key: client.pexpiretime(key)
            for client in clients
            for key in client.scan_iter("rummy:*")
            if not key.endswith((b":bucket", b"ready"))
        }
