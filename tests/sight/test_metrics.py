"""Metrics: what is counted and when, that no label is open, and who may read them."""

import asyncio
import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from prometheus_client.openmetrics.parser import text_string_to_metric_families

from engine.rulebook import Violation
from engine.ruleset import PRESETS
from service.api_keys import listing, read_keys
from service.app import create_app
from service.settings import Settings
from service.sight.sight import Sight
from service.store import scripts
from service.store.scripts import Script
from service.wire.kinds import KINDS
from tests.service.crowd import Crowd
from tests.service.everything import KEY, SEED, everything, secrets_of, tails
from tests.service.tables import NAMED, SECRET, bearer, opened, opening, pack, problem
from tests.service.test_serve import serving
from tests.service.tiny import client
from tests.sight.readings import Readings, readings
from tests.store.servers import Server

UNUSED = Path("unused")
README = Path(__file__).parents[2] / "README.md"
OPEN: dict[str, Any] = {"players": [*NAMED[:3], {"kind": "open"}]}
MOVES = "/v1/games/{game}/moves"


@pytest.fixture
async def crowd(redis_url: str, sight: Sight) -> AsyncIterator[Crowd]:
    crowd = Crowd(redis_url, witness=sight)
    yield crowd
    await crowd.close()


@pytest.fixture
def sight() -> Sight:
    return Sight()


@pytest.fixture
async def http(crowd: Crowd, sight: Sight) -> AsyncIterator[httpx.AsyncClient]:
    """A client of an app that is watched together with its store."""
    async with client(create_app(Settings(data=UNUSED), crowd, sight)) as http:
        yield http


# --- labels ---


def closed_lists(app: Any) -> dict[str, set[str]]:
    """All that each label may say, and all labels there may be."""
    routes = {re.sub(r"\{(\w+):\w+\}", r"{\1}", route.path) for route in app.litestar.routes}
    named = {each.name for each in vars(scripts).values() if isinstance(each, Script)}
    return {
        "route": routes | {"unknown"},
        "method": {"GET", "HEAD", "POST", "DELETE", "OPTIONS", "PUT", "PATCH", "other"},
        "status": {"2xx", "3xx", "4xx", "5xx"},
        "problem": set(KINDS),
        "violation": set(Violation),
        "action": {"draw_stock", "draw_discard", "meld", "lay_off", "discard", "pass"},
        "outcome": {"played", "refused", "ok", "unavailable", "broken_off"},
        "preset": set(PRESETS),
        "reason": {"score", "forfeit"},
        "script": named,
    }


OF_THE_LIBRARY = {"le", "version", "rules_version", "implementation", "major", "minor",
                  "patchlevel", "generation"}  # fmt: skip


async def rubbish(http: httpx.AsyncClient, mark: str) -> None:
    """Paths, methods and headers that nobody foresaw, other ones for each mark."""
    for path in (f"/{mark}", f"/v1/games/{mark}/{mark}", f"/{mark}/", f"/%7e{mark}", f"/x?{mark}"):
        for method in ("GET", mark.upper(), f"X{mark.upper()}", "get", "TRACE", "HEAD", "OPTIONS"):
            await http.request(method, path, headers={"X-Request-Id": mark, "Origin": mark})
    await http.get(f"/{mark}" + "a" * 9000)
    await http.get("/healthz", headers={"Cookie": mark * 4000})
    await http.get("/v1/games", params={"cursor": mark})


async def test_labels_stay_closed_and_tell_no_secret(http: httpx.AsyncClient) -> None:
    players = {"players": OPEN["players"], "secret": SECRET, "visibility": "private"}
    told = [SECRET, SEED, KEY, "testclient", "127.0.0.1"]
    sizes = []
    await readings(http)
    for mark in ("zig", "zag"):
        table = await opened(http, players)
        told += [mark, table.game, *tails(secrets_of(table))]
        await everything(table)
        told += tails(secrets_of(table))
        await rubbish(http, mark)
        found = await readings(http)
        sizes.append(len(list(found)))
    # What came second differed in every word, and there is nothing new for it.
    assert sizes[0] == sizes[1] < 2000
    # The transport is the app's own: its routes are those of any app.
    lists = closed_lists(create_app(Settings(data=UNUSED)))
    for name, labels in found:
        for label, value in labels.items():
            assert label in OF_THE_LIBRARY or value in lists[label], (name, label, value)
    for hidden in told:
        assert hidden not in found.page
    assert not re.search(r'"([2-9TJQKA][CDHS]|X[1-4])"', found.page)


async def test_what_has_not_happened_is_0_and_not_absent(http: httpx.AsyncClient) -> None:
    found = await readings(http)
    for name, label, values in (
        ("problems", "problem", list(KINDS)),
        ("violations", "violation", list(Violation)),
        ("games_opened", "preset", list(PRESETS)),
        ("games_finished", "reason", ["score", "forfeit"]),
    ):
        for value in values:
            assert found(f"referee_{name}_total", **{label: value}) == 0
    assert found("referee_stale_commits_total") == 0
    assert found("referee_actions_total", action="lay_off", outcome="refused") == 0


# --- requests ---


@pytest.mark.parametrize(
    ("method", "path", "headers", "route", "status"),
    [
        ("GET", "/healthz", {}, "/healthz", "2xx"),
        ("HEAD", "/healthz", {}, "/healthz", "2xx"),
        ("PUT", "/healthz", {}, "unknown", "4xx"),
        ("GET", "/v1/rules/R-01", {}, "/v1/rules/{id}", "2xx"),
        ("GET", "/v1/rules/R-99", {}, "/v1/rules/{id}", "4xx"),
        ("GET", "/nowhere", {}, "unknown", "4xx"),
        ("GET", "/healthz/", {}, "unknown", "4xx"),
        ("GET", "/healthz?" + "q" * 9000, {}, "unknown", "4xx"),
        ("GET", "/healthz", {"Cookie": "c" * 17000}, "unknown", "4xx"),
        ("OPTIONS", "/healthz", {}, "/healthz", "2xx"),
    ],
)
async def test_each_request_counts_once_whoever_answers_it(
    http: httpx.AsyncClient,
    method: str,
    path: str,
    headers: dict[str, str],
    route: str,
    status: str,
) -> None:
    answer = await http.request(method, path, headers=headers)
    found = await readings(http)
    labels = {"route": route, "method": method, "status": status}
    assert found("referee_request_seconds_count", **labels) == 1
    assert found("referee_request_seconds_count") == 1
    assert found("referee_request_seconds_sum", **labels) > 0
    assert found("referee_problems_total") == (answer.status_code >= 400)


async def test_a_preflight_counts_too(sight: Sight, crowd: Crowd) -> None:
    settings = Settings(data=UNUSED, cors_origins=("*",))
    asks = {"Origin": "https://cards.example", "Access-Control-Request-Method": "GET"}
    async with client(create_app(settings, crowd, sight)) as http:
        await http.options("/v1/games", headers=asks)
        found = await readings(http)
    assert found("referee_request_seconds_count", method="OPTIONS", status="2xx") == 1


async def test_a_failure_counts_as_one(
    http: httpx.AsyncClient, crowd: Crowd, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await opened(http)
    monkeypatch.setattr(crowd, "load", None)
    problem(await table.ask("GET"), 500, "internal")
    found = await readings(http)
    assert found("referee_request_seconds_count", route="/v1/games/{game}", status="5xx") == 1
    assert found("referee_problems_total", problem="internal") == 1


# --- games ---


async def test_actions_count_by_type_and_outcome(http: httpx.AsyncClient) -> None:
    table = await opened(http)
    await table.play(1, "draw_stock")
    problem(await table.send(1, "meld 4S 4D 4H", "discard KD"), 422, "illegal_move")
    await table.play(1, "meld 4S 4D 4H", "discard 5C")
    problem(await table.send(0, "pass"), 409, "not_your_turn")
    found = await readings(http)
    counted = {
        (labels["action"], labels["outcome"]): found("referee_actions_total", **labels)
        for name, labels in found
        if name == "referee_actions_total"
    }
    # A meld before a card that is not held was not played, and broke no rule.
    assert {key: value for key, value in counted.items() if value} == {
        ("draw_stock", "played"): 1,
        ("meld", "played"): 1,
        ("discard", "played"): 1,
        ("discard", "refused"): 1,
        ("pass", "refused"): 1,
    }
    assert found("referee_violations_total", violation="card_not_in_hand") == 1
    assert found("referee_violations_total", violation="not_your_turn") == 1
    assert found("referee_violations_total") == 2
    assert found("referee_problems_total", problem="illegal_move") == 1


async def test_a_dry_run_plays_nothing(http: httpx.AsyncClient) -> None:
    table = await opened(http)
    sent = {"actions": [{"type": "draw_stock"}]}
    assert (await table.ask("POST", "/moves?dry_run=true", 1, sent)).status_code == 200
    problem(await table.ask("POST", "/moves?dry_run=true", 0, sent), 409, "not_your_turn")
    found = await readings(http)
    assert found("referee_actions_total") == 0
    assert found("referee_violations_total", violation="not_your_turn") == 1


async def test_a_move_sent_twice_was_played_once(http: httpx.AsyncClient) -> None:
    table = await opened(http)
    for _ in range(2):
        await table.play(1, "draw_stock", at=0)
    found = await readings(http)
    assert found("referee_actions_total", action="draw_stock", outcome="played") == 1
    assert found("referee_request_seconds_count", route=MOVES, status="2xx") == 2


async def test_the_loser_of_a_race_is_a_stale_commit(http: httpx.AsyncClient, crowd: Crowd) -> None:
    table = await opened(http)
    crowd.gather(2)
    answers = await asyncio.gather(table.send(1, "draw_stock"), table.send(1, "draw_stock"))
    assert sorted(answer.status_code for answer in answers) == [200, 412]
    found = await readings(http)
    assert found("referee_stale_commits_total") == 1
    assert found("referee_actions_total", outcome="played") == 1
    assert found("referee_actions_total", outcome="refused") == 0


async def test_a_move_that_the_store_did_not_answer_has_not_been_played(sight: Sight) -> None:
    with Server() as server:
        crowd = Crowd(server.url, witness=sight)
        async with client(create_app(Settings(data=UNUSED, limits=False), crowd, sight)) as http:
            table = await opened(http)
            crowd.hold()
            move = asyncio.create_task(table.send(1, "draw_stock"))
            await crowd.held.wait()
            server.kill()
            crowd.release()
            problem(await move, 503, "unavailable")
            found = await readings(http)
        await crowd.close()
    assert found("referee_actions_total") == 0
    assert found("referee_stale_commits_total") == 0
    trips = "referee_store_trip_seconds_count"
    assert found(trips, script="load", outcome="ok") == 1
    assert found(trips, script="commit", outcome="unavailable") == 1
    assert found("referee_problems_total", problem="unavailable") == 1


async def test_a_call_that_is_given_up_is_no_trouble_of_the_store(sight: Sight) -> None:
    async def abandoned() -> None:
        with sight.trip("load"):
            await asyncio.Event().wait()

    call = asyncio.create_task(abandoned())
    await asyncio.sleep(0)
    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call
    page, _ = sight.metrics.page("text/plain")
    found = Readings(page.decode())
    assert found("referee_store_trip_seconds_count") == 1
    assert found("referee_store_trip_seconds_count", script="load", outcome="broken_off") == 1


async def test_games_count_when_they_open_and_when_they_end(http: httpx.AsyncClient) -> None:
    await (await opened(http)).ask("POST", "/forfeit", 0, {})
    table = await opened(http, opening(pack(stock="4C TH")))
    await table.play(1, "draw_stock")
    await table.play(1, "meld 4S 4D 4H 4C")
    keyed = {"Idempotency-Key": "x" * 16}
    for _ in range(2):
        assert (await http.post("/v1/games", json=OPEN, headers=keyed)).status_code == 201
    fixed = {"players": NAMED, "ruleset": {"preset": "partnership-500"}}
    assert (await http.post("/v1/games", json=fixed)).status_code == 201
    found = await readings(http)
    assert found("referee_games_opened_total", preset="persian") == 3
    assert found("referee_games_opened_total", preset="partnership-500") == 1
    assert found("referee_games_finished_total", reason="score") == 1
    assert found("referee_games_finished_total", reason="forfeit") == 1


async def test_a_game_that_two_requests_open_is_one_game(
    http: httpx.AsyncClient, crowd: Crowd
) -> None:
    keyed = {"Idempotency-Key": "x" * 16}
    crowd.gather(2)
    answers = await asyncio.gather(
        *(http.post("/v1/games", json=OPEN, headers=keyed) for _ in range(2))
    )
    assert [answer.status_code for answer in answers] == [201, 201]
    found = await readings(http)
    assert found("referee_games_opened_total") == 1
    assert found("referee_store_trip_seconds_count", script="open") == 2


async def test_seats_that_are_taken_count(http: httpx.AsyncClient) -> None:
    table = await opened(http, OPEN)
    assert (await table.sit("west")).status_code == 201
    assert (await table.sit("late")).status_code == 409
    found = await readings(http)
    assert found("referee_seats_taken_total") == 1
    assert found("referee_actions_total") == 0


# --- the page ---


WATCHER, CLUB, STRANGER = (f"prk_{digit * 48}" for digit in "123")
LISTED = read_keys(f"{listing('w', ['metrics'], WATCHER)},{listing('club', ['games'], CLUB)}")


@pytest.mark.parametrize(
    ("token", "status", "name"),
    [
        (None, 401, "unauthorized"),
        (STRANGER, 401, "unauthorized"),
        (f"prs_{'a' * 20}_{'0' * 48}", 401, "unauthorized"),
        (CLUB, 403, "forbidden"),
    ],
)
async def test_where_keys_are_listed_it_takes_one_for_it(
    crowd: Crowd, token: str | None, status: int, name: str
) -> None:
    async with client(create_app(Settings(data=UNUSED, api_keys=LISTED), crowd)) as http:
        problem(await http.get("/metrics", headers=bearer(token)), status, name)
        assert (await http.get("/metrics", headers=bearer(WATCHER))).status_code == 200


async def test_it_asks_no_store_and_counts_against_no_limit(tmp_path: Path) -> None:
    settings = Settings(
        redis_url=f"unix://{tmp_path}/nobody", api_keys=LISTED, address_rate=1, address_burst=1
    )
    app = create_app(settings)
    async with app.litestar.lifespan(), client(app) as http:
        for _ in range(5):
            assert (await http.get("/metrics", headers=bearer(WATCHER))).status_code == 200
            # Not even to find out whose token this is.
            problem(
                await http.get("/metrics", headers=bearer(f"prs_{'a' * 20}_{'0' * 48}")),
                401,
                "unauthorized",
            )


@pytest.mark.parametrize(
    ("accept", "media_type"),
    [
        ("", "text/plain; version=0.0.4; charset=utf-8"),
        ("*/*", "text/plain; version=0.0.4; charset=utf-8"),
        ("text/html,*/*;q=0.8", "text/plain; version=0.0.4; charset=utf-8"),
        ("text/plain;version=0.0.4;q=0.5,*/*;q=0.1", "text/plain; version=0.0.4; charset=utf-8"),
        (
            "application/openmetrics-text",
            "application/openmetrics-text; version=1.0.0; charset=utf-8",
        ),
        (
            "application/openmetrics-text;version=1.0.0;q=0.5,text/plain;version=0.0.4;q=0.3",
            "application/openmetrics-text; version=1.0.0; charset=utf-8",
        ),
        (
            "application/openmetrics-text;version=no.number,text/plain;q=0.1",
            "application/openmetrics-text; version=1.0.0; charset=utf-8",
        ),
        ("application/openmetrics-text;q=0,*/*", "text/plain; version=0.0.4; charset=utf-8"),
    ],
)
async def test_the_reader_chooses_the_form(
    http: httpx.AsyncClient, accept: str, media_type: str
) -> None:
    answer = await http.get("/metrics", headers={"Accept": accept})
    assert answer.status_code == 200
    assert answer.headers["Content-Type"] == media_type
    if media_type.startswith("application"):
        families = {family.name for family in text_string_to_metric_families(answer.text)}
    else:
        families = {name for name, _ in Readings(answer.text)}
    assert any(name.startswith("referee_actions") for name in families)
    headed = await http.head("/metrics", headers={"Accept": accept})
    assert (headed.status_code, headed.content) == (200, b"")
    assert headed.headers["Content-Type"] == media_type


async def test_two_apps_count_apart(http: httpx.AsyncClient, crowd: Crowd) -> None:
    await http.get("/healthz")
    async with client(create_app(Settings(data=UNUSED), crowd)) as other:
        assert not [name for name, _ in await readings(other) if "request" in name]


def test_the_names_in_the_readme_are_those_of_the_page() -> None:
    told = set(re.findall(r"`(referee_\w+)`", README.read_text("utf-8")))
    page, _ = Sight().metrics.page("text/plain")
    assert told
    assert told <= set(re.findall(r"# TYPE (\w+)", page.decode()))


def test_a_running_service_shows_its_store_and_its_process(redis_url: str) -> None:
    with serving("--redis-url", redis_url) as (_, url):
        httpx.post(f"{url}/v1/games", json={"players": NAMED}).raise_for_status()
        found = Readings(httpx.get(f"{url}/metrics").text)
    assert found("referee_games_opened_total") == 1
    for script in ("take", "open", "enlist"):
        assert found("referee_store_trip_seconds_count", script=script, outcome="ok") == 1
    assert found("referee_build_info", rules_version="1") == 1
    assert found("process_resident_memory_bytes") > 0
    assert found("python_info") == 1
