"""Queries: one spelling for each value, and nothing that the operation does not know."""

from typing import Any

import httpx
import pytest

from tests.service.tiny import client, tiny_app


async def page(query: str) -> httpx.Response:
    async with client(tiny_app()) as http:
        return await http.get(httpx.URL("http://tiny/pages", query=query.encode()))


@pytest.mark.parametrize(
    ("query", "member", "value"),
    [
        ("", "limit", 20),
        ("limit=1", "limit", 1),
        ("limit=100", "limit", 100),
        ("after=0", "after", 0),
        ("limit=5&after=41", "after", 41),
        ("dry_run=true", "dry_run", True),
        ("dry_run=false", "dry_run", False),
        ("status=waiting", "status", "waiting"),
        ("name=5", "name", "5"),
        ("name=", "name", ""),
        ("name=a+b%20c%C3%A9%2B", "name", "a b cé+"),
        ("l%69mit=7", "limit", 7),
    ],
)
async def test_a_parameter_is_read(query: str, member: str, value: Any) -> None:
    answer = await page(query)
    assert answer.status_code == 200
    assert answer.json()[member] == value


@pytest.mark.parametrize(
    "query",
    ["limit=0", "limit=101", "limit=-1", "limit=+5", "limit=%2B5", "limit=1_0", "limit=05",
     "limit=5.0", "limit=1e1", "limit=", "limit", "limit=%205", "limit=5%20", "limit=0x5",
     "limit=%D9%A5", "limit=%EF%BC%95", "limit=true", "limit=null", "after=-0",
     "after=" + "9" * 16, "after=" + "1" * 400, "after=18446744073709551617",
     "dry_run=1", "dry_run=TRUE", "dry_run=True", "dry_run=yes", "dry_run=", "dry_run",
     "status=finished", "status=", "Limit=5", "token=prs_a_b", "limit=5&limit=5", "a=1&a=1",
     "limit=5&", "&", "&&", "=", "=5", "name=%zz", "name=%", "name=%C3", "name=%ff",
     "limit=5;after=1", "actions[]=1"],
)  # fmt: skip
async def test_everything_else_is_malformed(query: str) -> None:
    answer = await page(query)
    assert answer.status_code == 400
    assert answer.json()["type"] == "/problems/malformed"
    assert answer.json()["errors"][0]["pointer"] == ""


async def test_the_parameter_is_named() -> None:
    assert "`limit`" in (await page("limit=0")).json()["detail"]
    assert "`wait`" in (await page("wait=0")).json()["detail"]


async def test_a_long_query_is_not_repeated_at_length() -> None:
    assert len((await page("x" * 4000 + "=1")).content) < 1000


async def test_an_operation_without_a_query_takes_none() -> None:
    async with client(tiny_app()) as http:
        assert (await http.get("/plain")).status_code == 200
        assert (await http.get("/plain?")).status_code == 200
        assert (await http.get("/plain?limit=1")).status_code == 400
