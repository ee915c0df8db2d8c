"""The whole app on a real store, called without a server between."""

from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest

from service.app import create_app
from service.http.door import Door
from service.settings import Settings
from tests.service.crowd import Crowd
from tests.service.tiny import client


@pytest.fixture
async def crowd(redis_url: str) -> AsyncIterator[Crowd]:
    """The store of `http`."""
    crowd = Crowd(redis_url)
    yield crowd
    await crowd.close()


@pytest.fixture(scope="session")
def app() -> Door:
    """The app of `http`. Making it takes longer than most tests do."""
    return create_app(Settings(data=Path("unused")))


@pytest.fixture
async def http(app: Door, crowd: Crowd) -> AsyncIterator[httpx.AsyncClient]:
    """A client of the app on an empty store."""
    app.litestar.state.store = crowd
    async with client(app) as http:
        yield http
