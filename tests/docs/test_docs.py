"""The page /docs: interactive with the extra, readable without, and no other host in either."""

import os
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest

from service.app import create_app
from service.settings import Settings
from tests.contract.document import operations
from tests.docs import chromium
from tests.docs.chromium import Tab
from tests.service.commands import line, running
from tests.service.tiny import served

IS_DARK = "document.documentElement.classList.contains('dark-mode')"
PATHS = {operation.path for operation in operations()}


@pytest.fixture
def url(redis_url: str) -> Iterator[str]:
    """A service that listens."""
    with served(create_app(Settings(redis_url=redis_url))) as port:
        yield f"http://127.0.0.1:{port}"


@pytest.fixture
def tab(tmp_path: Path) -> Iterator[Tab]:
    """A browser's empty page."""
    if chromium.PROGRAM is None:
        # A laptop may do without; the run that decides may not.
        missing = "there is no Chromium here: install Debian's package `chromium`, or Chrome"
        (pytest.fail if os.environ.get("CI") else pytest.skip)(missing)
    with chromium.tab(tmp_path / "profile") as opened:
        yield opened


def shown(tab: Tab) -> set[str]:
    """The paths that the page lists."""
    tab.until("document.querySelector('.opblock')")
    paths = "[...document.querySelectorAll('.opblock-summary-path')].map(e => e.dataset.path)"
    return set(tab.run(paths))


def test_it_lists_every_operation_and_asks_no_other_host(tab: Tab, url: str) -> None:
    tab.open(f"{url}/docs")
    assert shown(tab) == PATHS
    assert f"{url}/openapi.yaml" in tab.requested()
    hosts = {urlsplit(each).netloc for each in tab.requested() if not each.startswith("data:")}
    assert hosts == {urlsplit(url).netloc}
    assert tab.complaints() == []


def test_a_request_can_be_tried_out(tab: Tab, url: str) -> None:
    tab.open(f"{url}/docs")
    for button in (".opblock-summary-control", ".execute"):
        found = f"document.querySelector('#operations-games-open_game {button}')"
        tab.until(found)
        tab.run(f"{found}.click()")
    answer = "document.querySelector('.live-responses-table .response')"
    tab.until(answer)
    assert tab.run(f"{answer}.innerText").startswith("201")
    assert f"{url}/v1/games" in tab.requested()
    assert tab.complaints() == []


def test_it_is_as_dark_as_the_reader_likes_it(tab: Tab, url: str) -> None:
    prefer(tab, "dark")
    tab.open(f"{url}/docs")
    tab.until("document.querySelector('.opblock')")
    assert tab.run(IS_DARK)
    prefer(tab, "light")
    tab.until(f"!{IS_DARK}")


def prefer(tab: Tab, scheme: str) -> None:
    feature = {"name": "prefers-color-scheme", "value": scheme}
    tab.ask("Emulation.setEmulatedMedia", features=[feature])


def test_without_scripts_it_can_be_read(url: str) -> None:
    answer = httpx.get(f"{url}/docs", headers={"Accept": "text/html"})
    _, _, unscripted = answer.text.partition("<noscript>")
    assert_lists_the_operations(unscripted)


def test_without_the_extra_it_can_be_read(redis_url: str, tmp_path: Path) -> None:
    hidden = tmp_path / "mkdocs_swagger_ui_tag"
    hidden.mkdir()
    (hidden / "__init__.py").write_text("raise ImportError('not here')")
    with running(
        "serve", "--port", "0", "--redis-url", redis_url, PYTHONPATH=str(tmp_path)
    ) as process:
        url = line(process).split()[-1]
        page = httpx.get(f"{url}/docs")
        script = httpx.get(f"{url}/docs/start.js")
    assert_lists_the_operations(page.text)
    assert "<script" not in page.text
    assert page.headers["Content-Security-Policy"].startswith(
        "default-src 'none'; style-src 'sha256-"
    )
    assert (script.status_code, script.json()["type"]) == (404, "/problems/not_found")


def assert_lists_the_operations(page: str) -> None:
    readable = unescape(page)
    for operation in operations():
        assert f"<code>{operation.method.upper()} {operation.path}</code>" in readable
        assert f"<dd>{operation.body['summary']}</dd>" in readable


def test_the_files_of_the_docs_are_known_by_their_names_alone(url: str) -> None:
    assert (
        httpx.get(f"{url}/docs/swagger-ui.js").headers["Content-Type"].startswith("text/javascript")
    )
    assert httpx.get(f"{url}/docs/plugin.py").status_code == 404
