"""Which pages may call, and what a cache and a browser are told."""

import httpx
import pytest

from tests.service.tiny import client, tiny_app

PAGE = "https://cards.example"


async def ask(origins: tuple[str, ...], method: str, path: str, **headers: str) -> httpx.Response:
    async with client(tiny_app(*origins)) as http:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return await http.request(method, path, headers=named)


@pytest.mark.parametrize("path", ["/moves/m", "/nowhere", "/moves//m", "/broken"])
async def test_a_listed_page_sees_every_answer(path: str) -> None:
    answer = await ask((PAGE, "https://other.example"), "GET", path, Origin=PAGE)
    assert answer.headers["Access-Control-Allow-Origin"] == PAGE
    assert "Access-Control-Allow-Credentials" not in answer.headers
    exposed = answer.headers["Access-Control-Expose-Headers"].split(", ")
    assert {"ETag", "Location", "Link", "Retry-After", "RateLimit", "X-Request-Id"} <= set(exposed)
    assert "Origin" in answer.headers.get_list("Vary")


async def test_viewers_and_origins_are_both_kept_apart() -> None:
    answer = await ask((PAGE,), "GET", "/moves/m", Origin=PAGE)
    assert answer.headers.get_list("Vary") == ["Authorization", "Origin"]


@pytest.mark.parametrize("origin", ["https://evil.example", "http://cards.example", "null", ""])
async def test_another_page_is_let_see_nothing(origin: str) -> None:
    answer = await ask((PAGE,), "GET", "/moves/m", Origin=origin)
    assert not [name for name in answer.headers if name.startswith("access-control")]
    assert "Origin" in answer.headers.get_list("Vary")


async def test_all_pages_are_one_answer_for_a_cache() -> None:
    answer = await ask(("*",), "GET", "/moves/m", Origin="https://any.example")
    assert answer.headers["Access-Control-Allow-Origin"] == "*"
    assert answer.headers.get_list("Vary") == ["Authorization"]


async def test_without_the_setting_no_page_may_call() -> None:
    answer = await ask((), "GET", "/moves/m", Origin=PAGE)
    assert not [name for name in answer.headers if name.startswith("access-control")]


async def test_a_preflight_is_answered_for_the_listed_page_alone() -> None:
    asks = {"Access_Control_Request_Method": "POST"}
    answer = await ask((PAGE,), "OPTIONS", "/moves/m", Origin=PAGE, **asks)
    assert answer.status_code == 204
    assert answer.headers["Access-Control-Allow-Origin"] == PAGE
    assert "POST" in answer.headers["Access-Control-Allow-Methods"]
    assert {"Authorization", "Content-Type", "If-Match", "Idempotency-Key"} <= set(
        answer.headers["Access-Control-Allow-Headers"].split(", ")
    )
    assert "X-Request-Id" in answer.headers
    refused = await ask((PAGE,), "OPTIONS", "/moves/m", Origin="https://evil.example", **asks)
    assert not [name for name in refused.headers if name.startswith("access-control")]
    plain = await ask((PAGE,), "OPTIONS", "/moves/m", Origin=PAGE)
    assert "POST" in plain.headers["Allow"]
