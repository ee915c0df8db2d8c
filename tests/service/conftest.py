"""The whole app on a real store, called without a server between."""

from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest

from service.app import create_app
from service.settings import Settings
from service.store.redis import RedisStore
from tests.service.tiny import client


@pytest.fixture
async def http(store: RedisStore) -> AsyncIterator[httpx.AsyncClient]:
    """A client of the app on an empty store."""
    async with client(create_app(Settings(data=Path("unused")), store)) as http:
        yield http
