"""Accept: who can use what a resource gives, and which form is liked best."""

import pytest

from service.http.accept import best
from tests.service.tiny import client, tiny_app

PAIR = ("application/json", "text/html")


@pytest.mark.parametrize(
    ("accept", "liked"),
    [
        ("", "application/json"),
        ("*/*", "application/json"),
        ("garbage", "application/json"),
        ("text/html", "text/html"),
        ("Text/HTML;q=0.5, image/png", "text/html"),
        ("text/html,application/xhtml+xml,*/*;q=0.8", "text/html"),
        ("application/*;q=0.2, text/*;q=0.3", "text/html"),
        ("*/*;q=0.9, application/json;q=0.1", "text/html"),
        ("application/json;q=0, */*", "text/html"),
        ("application/json ; q=0.4, text/html ; q=0.4", "application/json"),
        ("application/json; charset=utf-8", "application/json"),
        ("application/json;q=nonsense", "application/json"),
        ("application/json;q=7", "application/json"),
        ("*/*;q=0", None),
        ("application/json;q=0.0, text/html;q=0", None),
        ("application/xml", None),
        ("text/*;q=0, application/xml", None),
    ],
)
def test_the_best_offer(accept: str, liked: str | None) -> None:
    assert best(accept, PAIR) == liked


@pytest.mark.parametrize(
    ("path", "accept", "status"),
    [
        ("/plain", "application/json", 200),
        ("/plain", "application/problem+json", 200),
        ("/plain", "application/*", 200),
        ("/plain", "*/*", 200),
        ("/plain", "application/xml", 406),
        ("/plain", "text/html, */*;q=0", 406),
        ("/plain", "application/json;q=0, */*", 406),
        ("/plain", "application/problem+json;q=0", 406),
        ("/sheet", "application/yaml", 200),
        ("/sheet", "text/html,*/*;q=0.8", 200),
        ("/sheet", "application/json", 406),
        ("/nowhere", "application/xml", 404),
    ],
)
async def test_a_resource_is_given_to_who_can_use_it(path: str, accept: str, status: int) -> None:
    async with client(tiny_app()) as http:
        answer = await http.get(path, headers={"Accept": accept})
    assert answer.status_code == status
    if status == 406:
        assert answer.headers["Content-Type"] == "application/problem+json"


async def test_several_accept_headers_are_one() -> None:
    async with client(tiny_app()) as http:
        headers = [("Accept", "image/png"), ("Accept", "application/json")]
        assert (await http.get("/plain", headers=headers)).status_code == 200


async def test_a_refused_body_is_not_looked_at() -> None:
    async with client(tiny_app()) as http:
        answer = await http.post("/length", content=b"x", headers={"Accept": "image/png"})
    assert answer.status_code == 406
