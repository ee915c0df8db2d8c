"""Every status that the contract declares is produced, and no other is among them.

What most operations can answer is provoked in one way for all of them; the rest is `SPECIAL`, by
operation and status. Whoever declares a new status has to say here how it comes about.
"""

from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any, Final

import httpx
import pytest

from service.api_keys import listing, new_key, read_keys
from service.app import create_app
from service.settings import Settings
from service.store.redis import RedisStore
from tests.contract.document import Operation, deref, operations
from tests.service.tables import NAMED, Table, json_of, opened, opening, pack
from tests.service.tiny import client

Answer = Awaitable[httpx.Response]
Send = Callable[..., Answer]

UNKNOWN_TOKEN: Final = {"Authorization": f"Bearer prs_{'a' * 20}_{'0' * 48}"}
JSON: Final = {"Content-Type": "application/json"}
OPEN: Final = {"players": [*NAMED[:3], {"kind": "open"}]}
DRAW: Final = {"actions": [{"type": "draw_stock"}]}
TIGHT: Final = Settings(address_rate=1, address_burst=1)


class Broken(RedisStore):
    """A store with a fault that nobody foresaw."""

    async def load(self, game_id: str) -> Any:
        raise RuntimeError(game_id)

    # Each of them fails in the same way, whatever it is asked.
    open = reserve = load  # type: ignore[assignment]


def path_of(operation: Operation, game: str = "a" * 20) -> str:
    return operation.path.format(
        game=game, seat=0, name="persian", id="R-01", type="stale", asset="start.js"
    )


def body_of(operation: Operation) -> Any:
    """A body that the operation takes, if it takes one."""
    content = operation.body.get("requestBody", {}).get("content", {}).get("application/json")
    return next(iter(content["examples"].values()))["value"] if content else None


async def send(http: httpx.AsyncClient, operation: Operation, **sent: Any) -> httpx.Response:
    """A request of this operation; `path`, `method`, `headers`, `json` or `content` may differ."""
    path = sent.pop("path", path_of(operation))
    method = sent.pop("method", operation.method)
    if "content" not in sent and (body := sent.pop("json", body_of(operation))) is not None:
        sent["json"] = body
    return await http.request(method, path, **sent)


async def provoked(
    http: httpx.AsyncClient, operation: Operation, status: int
) -> httpx.Response | None:
    """The answer to what provokes this status everywhere; None where it takes more than that."""
    path = path_of(operation)
    match status:
        case 400:
            return await send(http, operation, path=f"{path}?unknown=1")
        case 401:
            return await send(http, operation, headers=UNKNOWN_TOKEN)
        case 405:
            return await send(http, operation, method="PATCH", json=None)
        case 406:
            return await send(http, operation, headers={"Accept": "image/png"})
        case 413:
            return await send(http, operation, content=b" " * 9_000_000, headers=JSON)
        case 414:
            return await send(http, operation, path=f"{path}?{'q' * 8192}")
        case 415:
            return await send(http, operation, headers={"Content-Type": "text/plain"})
        case 431:
            return await send(http, operation, headers={"Cookie": "c" * 16384})
        case _:
            return None


async def of_a_broken_service(
    redis_url: str, operation: Operation, status: int, folder: Path
) -> httpx.Response:
    """The answer of a service that is flooded, at fault, or without its store."""
    if status == 503:
        app = create_app(Settings(redis_url=f"unix://{folder}/nobody"))
        async with app.litestar.lifespan(), client(app) as http:
            return await send(http, operation, headers=UNKNOWN_TOKEN)
    store = (Broken if status == 500 else RedisStore)(redis_url)
    try:
        async with client(create_app(TIGHT if status == 429 else Settings(), store)) as http:
            if status == 429:
                await send(http, operation)
            return await send(http, operation, headers=UNKNOWN_TOKEN if status == 500 else {})
    finally:
        await store.close()


async def waiting(http: httpx.AsyncClient) -> Table:
    return await opened(http, OPEN)


async def over(http: httpx.AsyncClient) -> Table:
    table = await opened(http, opening(pack(stock="4C TH")))
    await table.play(1, "draw_stock")
    await table.play(1, "meld 4S 4D 4H 4C")
    return table


async def opens(http: httpx.AsyncClient, **members: Any) -> httpx.Response:
    return await http.post("/v1/games", json={"players": NAMED, **members})


async def opens_late(http: httpx.AsyncClient) -> httpx.Response:
    key = {"Idempotency-Key": "x" * 16}
    told = (await http.post("/v1/games", json=OPEN, headers=key)).json()
    badge = {"Authorization": f"Bearer {told['tokens']['organiser']}"}
    await http.delete(f"/v1/games/{told['game']['id']}", headers=badge)
    return await http.post("/v1/games", json=OPEN, headers=key)


async def opens_without_a_key(redis_url: str, table: Table) -> httpx.Response:
    """The organiser of a game asks for another, where the operator asks for a key."""
    store = RedisStore(redis_url)
    badge = {"Authorization": f"Bearer {table.organiser}"}
    try:
        async with client(create_app(Settings(api_keys=()), store)) as http:
            return await http.post("/v1/games", json=OPEN, headers=badge)
    finally:
        await store.close()


async def reads_metrics(redis_url: str, status: int) -> httpx.Response:
    """Somebody reads the metrics, where the operator lists keys, without one or with another."""
    key = new_key()
    listed = Settings(api_keys=read_keys(listing("club", ["games"], key)))
    store = RedisStore(redis_url)
    badge = {"Authorization": f"Bearer {key}"} if status == 403 else {}
    try:
        async with client(create_app(listed, store)) as http:
            return await http.get("/metrics", headers=badge)
    finally:
        await store.close()


async def sits_again(http: httpx.AsyncClient) -> httpx.Response:
    table, key = await waiting(http), {"Idempotency-Key": "x" * 16}
    await table.ask("POST", "/seats", body={"name": "west"}, headers=key)
    return await table.ask("POST", "/seats", body={"name": "east"}, headers=key)


async def sits_late(http: httpx.AsyncClient) -> httpx.Response:
    return await (await opened(http)).sit("fifth")


async def moves_late(http: httpx.AsyncClient) -> httpx.Response:
    table = await opened(http)
    await table.play(1, "draw_stock", at=0)
    return await table.send(1, "discard 4S", at=0)


async def ask(make: Any, http: httpx.AsyncClient, *sent: Any, **more: Any) -> httpx.Response:
    table: Table = await make(http)
    return await table.ask(*sent, **more)


def a(make: Any, *sent: Any, **more: Any) -> Callable[[httpx.AsyncClient], Answer]:
    """How to ask something of a table that is made like this."""
    return lambda http: ask(make, http, *sent, **more)


MELD_TOO_SOON: Final = {"actions": [json_of("meld 4S 4D 4H")]}
MATCHED: Final = opening(require_if_match=True)

SPECIAL: Final[dict[tuple[str, int], Callable[[httpx.AsyncClient], Answer]]] = {
    ("open_game", 201): opens,
    ("open_game", 404): opens_late,
    ("open_game", 422): lambda http: opens(http, ruleset={"preset": "gin"}),
    ("get_game", 200): a(opened, "GET"),
    ("get_game", 304): a(opened, "GET", headers={"If-None-Match": '"0"'}),
    ("delete_game", 204): a(waiting, "DELETE", who="organiser"),
    ("delete_game", 403): a(waiting, "DELETE", who=0),
    ("delete_game", 404): a(waiting, "DELETE", "x", who="organiser"),
    ("delete_game", 409): a(opened, "DELETE", who="organiser"),
    ("take_seat", 201): a(waiting, "POST", "/seats", body={"name": "west"}),
    ("take_seat", 409): sits_late,
    ("take_seat", 422): sits_again,
    ("replace_token", 200): a(opened, "POST", "/seats/1/token", "organiser", {}),
    ("replace_token", 403): a(waiting, "POST", "/seats/3/token", "organiser", {}),
    ("replace_token", 404): a(opened, "POST", "/seats/4/token", "organiser", {}),
    ("play_move", 200): a(opened, "POST", "/moves", 1, DRAW),
    ("play_move", 403): a(opened, "POST", "/moves", "organiser", DRAW),
    ("play_move", 404): a(opened, "POST", "x/moves", 1, DRAW),
    ("play_move", 409): a(opened, "POST", "/moves", 0, DRAW),
    ("play_move", 412): moves_late,
    ("play_move", 422): a(opened, "POST", "/moves", 1, MELD_TOO_SOON),
    ("play_move", 428): a(lambda http: opened(http, MATCHED), "POST", "/moves", 1, DRAW),
    ("get_legal_actions", 200): a(opened, "GET", "/legal-actions", 0),
    ("get_legal_actions", 403): a(opened, "GET", "/legal-actions", "organiser"),
    ("get_legal_actions", 404): a(opened, "GET", "x/legal-actions", 1),
    ("get_log", 200): a(opened, "GET", "/log"),
    ("get_position", 200): a(opened, "GET", "/position?at=0"),
    ("get_position", 404): a(opened, "GET", "/position?at=1"),
    ("get_position", 409): a(waiting, "GET", "/position"),
    ("get_score", 200): a(opened, "GET", "/score"),
    ("get_record", 200): a(over, "GET", "/record"),
    ("get_record", 409): a(opened, "GET", "/record"),
    ("forfeit_game", 200): a(opened, "POST", "/forfeit", 0, {}),
    ("forfeit_game", 403): a(opened, "POST", "/forfeit", 0, {"team": "B"}),
    ("forfeit_game", 404): a(opened, "POST", "x/forfeit", 0, {}),
    ("forfeit_game", 409): a(over, "POST", "/forfeit", 0, {}),
    ("forfeit_game", 422): a(opened, "POST", "/forfeit", "organiser", {}),
    ("verify_records", 422): lambda http: http.post(
        "/v1/records/verify",
        json=A_RECORD | {"ruleset": {"preset": "gin", "options": {}}},
    ),
    ("validate", 422): lambda http: http.post(
        "/v1/validate", json={"ruleset": {"preset": "gin"}, **EMPTY_POSITION}
    ),
}
A_RECORD: Final = next(body_of(one) for one in operations() if one.id == "verify_records")
EMPTY_POSITION: Final = {
    "position": {
        "deal": 1, "dealer": 0, "turn": 0, "phase": "draw", "must_use": None, "passes": 0,
        "partial": True, "hands": [1, 1, 1, 1], "stock": 1, "pile": [], "melds": [],
        "totals": {"A": 0, "B": 0},
    },
    "actions": [],
}  # fmt: skip

# Nothing in a small path can be missing, so a name that is none stands for it.
NOT_THERE: Final = {
    "get_docs_asset": "none",
    "get_ruleset": "gin",
    "get_rule": "R-99",
    "get_problem": "none",
}


@pytest.fixture
async def http(store: RedisStore) -> AsyncIterator[httpx.AsyncClient]:
    async with client(create_app(Settings(limits=False), store)) as http:
        yield http


@pytest.mark.parametrize("operation", operations(), ids=lambda operation: operation.id)
async def test_each_declared_status_is_produced(
    http: httpx.AsyncClient,
    redis_url: str,
    tmp_path: Path,
    operation: Operation,
    measured: Callable[[str], None],
) -> None:
    seen: dict[int, int] = {}
    for status in operation.responses:
        if special := SPECIAL.get((operation.id, status)):
            answer: httpx.Response | None = await special(http)
        elif (operation.id, status) == ("open_game", 403):
            answer = await opens_without_a_key(redis_url, await waiting(http))
        elif operation.id == "get_metrics" and status in (401, 403):
            answer = await reads_metrics(redis_url, status)
        elif status in (429, 500, 503):
            answer = await of_a_broken_service(redis_url, operation, status, tmp_path)
        elif status == 404 and operation.id in NOT_THERE:
            stem = operation.path.rpartition("/")[0]
            answer = await send(http, operation, path=f"{stem}/{NOT_THERE[operation.id]}")
        else:
            answer = await provoked(http, operation, status) or await send(http, operation)
        seen[status] = answer.status_code
        declared = deref(operation.body["responses"][str(status)])
        media = answer.headers.get("Content-Type", "").partition(";")[0]
        assert not answer.content or media in declared.get("content", {}), (status, media)
    never = sorted(status for status, found in seen.items() if found != status)
    found = " ".join(map(str, sorted(set(seen.values()))))
    measured(f"statuses of {operation.id}: {found}; declared but never seen: {never or 'none'}")
    assert never == []
