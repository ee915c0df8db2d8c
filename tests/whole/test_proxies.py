"""Whose X-Forwarded-For is believed: only that of the proxies that were named."""

from pathlib import Path

import httpx
import pytest

from tests.whole.serving import served

# Two at once and one a second: the third of one caller is refused, unless it is another's first.
TIGHT = {"REFEREE_ADDRESS_RATE": "1", "REFEREE_ADDRESS_BURST": "2"}


def statuses(url: str, *addresses: str) -> list[int]:
    path = f"{url}/v1/rulesets"
    return [httpx.get(path, headers={"X-Forwarded-For": one}).status_code for one in addresses]


@pytest.mark.parametrize("proxies", ["127.0.0.1", "127.0.0.0/8", "10.0.0.1, 127.0.0.1"])
def test_a_named_proxy_tells_who_calls(tmp_path: Path, proxies: str) -> None:
    settings = TIGHT | {"REFEREE_TRUSTED_PROXIES": proxies}
    with served(tmp_path, settings=settings) as service:
        callers = ("203.0.113.1", "203.0.113.1", "203.0.113.2", "203.0.113.2")
        assert statuses(service.url, *callers) == [200] * 4


@pytest.mark.parametrize("settings", [{}, {"REFEREE_TRUSTED_PROXIES": "10.0.0.1"}])
def test_nobody_else_does(tmp_path: Path, settings: dict[str, str]) -> None:
    with served(tmp_path, settings=TIGHT | settings) as service:
        told = statuses(service.url, *(f"203.0.113.{number}" for number in range(20)))
    assert 429 in told
