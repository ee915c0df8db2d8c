"""The assembled app: its own pages, its store, and its readiness."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
import pytest
import yaml

from service.app import create_app
from service.contract_files import contract_folder
from service.http.door import Door
from service.kept import opened_store
from service.settings import Settings
from service.store.protocol import EvictingServer
from service.store.redis import RedisStore
from tests.service.tiny import client
from tests.store.servers import Server

ANY = Settings(data=Path("unused"))


@asynccontextmanager
async def started(app: Door) -> AsyncIterator[httpx.AsyncClient]:
    """A client of an app whose lifespan has begun, and ends with it."""
    async with app.litestar.lifespan(), client(app) as http:
        yield http


async def test_the_front_page_shows_the_way(store: RedisStore) -> None:
    async with client(create_app(ANY, store)) as http:
        told = (await http.get("/")).json()
        assert (await http.get(told["contract"])).status_code == 200
        assert (await http.get(told["docs"])).status_code == 200
        first = told["first_request"]
        assert (first["method"], first["path"]) == ("POST", "/v1/games")
        assert len(first["body"]["players"]) == 4


async def test_the_contract_is_served_as_it_was_written(store: RedisStore) -> None:
    async with client(create_app(ANY, store)) as http:
        answer = await http.get("/openapi.yaml")
    assert answer.headers["Content-Type"].startswith("application/yaml")
    assert answer.content == (contract_folder() / "openapi.yaml").read_bytes()
    assert yaml.safe_load(answer.text)["openapi"].startswith("3.1")


async def test_ready_is_who_can_write(store: RedisStore) -> None:
    async with client(create_app(ANY, store)) as http:
        assert (await http.get("/readyz")).json() == {"status": "ready"}


async def test_a_service_that_stops_is_not_ready_and_sends_callers_away(store: RedisStore) -> None:
    app = create_app(ANY, store)
    async with client(app) as http:
        assert "Connection" not in (await http.get("/readyz")).headers
        app.stopping.set()
        ready, alive, game = [
            await http.get(path) for path in ("/readyz", "/healthz", "/v1/games/" + "a" * 20)
        ]
    assert [each.status_code for each in (ready, alive, game)] == [503, 200, 404]
    assert {each.headers["Connection"] for each in (ready, alive, game)} == {"close"}
    assert ready.json()["type"] == "/problems/unavailable"
    assert "stopping" in ready.json()["detail"]
    assert int(ready.headers["Retry-After"]) > 0


async def test_without_a_store_the_service_lives_and_is_not_ready(tmp_path: Path) -> None:
    settings = Settings(redis_url=f"unix://{tmp_path}/nobody")
    async with started(create_app(settings)) as http:
        assert (await http.get("/healthz")).json() == {"status": "ok"}
        answer = await http.get("/readyz")
    assert answer.status_code == 503
    assert answer.json()["type"] == "/problems/unavailable"
    assert int(answer.headers["Retry-After"]) > 0
    assert "nobody" not in answer.text


async def test_a_server_that_comes_late_is_taken() -> None:
    with Server() as server:
        server.kill()
        async with started(create_app(Settings(redis_url=server.url))) as http:
            assert (await http.get("/readyz")).status_code == 503
            server.start()
            assert (await http.get("/readyz")).status_code == 200


async def test_a_server_that_would_drop_games_is_not_taken() -> None:
    evicting = Server("--maxmemory-policy", "allkeys-lru")
    with evicting as server, pytest.raises(EvictingServer, match="allkeys-lru"):
        async with opened_store(Settings(redis_url=server.url)):
            pass


async def test_the_app_opens_the_embedded_store_in_its_folder(tmp_path: Path) -> None:
    async with started(create_app(Settings(data=tmp_path / "games"))) as http:
        assert (await http.get("/readyz")).status_code == 200
    assert (tmp_path / "games").is_dir()


async def test_the_app_uses_the_server_that_it_is_told(redis_url: str, tmp_path: Path) -> None:
    settings = Settings(redis_url=redis_url, data=tmp_path / "games")
    async with started(create_app(settings)) as http:
        assert (await http.get("/readyz")).status_code == 200
    assert not (tmp_path / "games").exists()


async def test_origins_come_from_the_settings(store: RedisStore) -> None:
    app = create_app(Settings(cors_origins=("https://cards.example",)), store)
    async with client(app) as http:
        answer = await http.get("/healthz", headers={"Origin": "https://cards.example"})
    assert answer.headers["Access-Control-Allow-Origin"] == "https://cards.example"


async def test_every_page_of_the_service_is_json_or_says_why_not(store: RedisStore) -> None:
    async with client(create_app(ANY, store)) as http:
        for path in ("/", "/healthz", "/readyz"):
            answer = await http.get(path, headers={"Accept": "image/png"})
            assert answer.json()["type"] == "/problems/not_acceptable"
        answer = await http.get("/openapi.yaml", headers={"Accept": "application/json"})
        assert answer.status_code == 406
