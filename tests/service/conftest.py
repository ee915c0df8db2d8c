"""The whole app on a real store, called without a server between."""

from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest

from service.app import create_app
from service.settings import Settings
from tests.service.crowd import Crowd
from tests.service.tiny import client


@pytest.fixture
async def crowd(redis_url: str) -> AsyncIterator[Crowd]:
    """The store of `http`."""
    crowd = Crowd(redis_url)
    yield crowd
    await crowd.close()


@pytest.fixture
async def http(crowd: Crowd) -> AsyncIterator[httpx.AsyncClient]:
    """A client of the app on an empty store."""
    async with client(create_app(Settings(data=Path("unused")), crowd)) as http:
        yield http
