"""What the tests of backups share: a club that plays in this process, on any store."""

import asyncio
from collections.abc import Callable, Iterator

import pytest

from service.app import create_app
from service.http.door import Door
from service.store.redis import RedisStore
from tests.backup.club import SETTINGS, Club
from tests.service.tiny import client


class Evening:
    """A club on a deployment; `run` runs whatever it does."""

    def __init__(self, runner: "asyncio.Runner", app: Door, url: str) -> None:
        self.run = runner.run
        self.store = RedisStore(url)
        app.litestar.state.store = self.store
        self.http = client(app)
        self.club = Club(self.http)

    async def close(self) -> None:
        await self.http.aclose()
        await self.store.close()


@pytest.fixture(scope="session")
def club_app() -> Door:
    """The app of the club. Making it takes longer than most tests do."""
    return create_app(SETTINGS)


@pytest.fixture
def meeting(club_app: Door) -> Iterator[Callable[[str], "Evening"]]:
    """Brings the club together on the store of a URL."""
    with asyncio.Runner() as runner:
        opened: list[Evening] = []

        def meet(url: str) -> Evening:
            opened.append(Evening(runner, club_app, url))
            return opened[-1]

        yield meet
        for evening in opened:
            runner.run(evening.close())
