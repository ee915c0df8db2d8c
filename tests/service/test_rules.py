"""Rules and problems to read up: in JSON and as pages, and nothing leads nowhere."""

import re
from base64 import b64encode
from hashlib import sha256
from html.parser import HTMLParser
from typing import Any

import httpx
import pytest

from engine.rulebook import RULES, Violation
from engine.texts import all_rules
from service.web.pages import marked, page
from service.wire.kinds import KINDS
from service.wire.rule import Rule
from service.wording.problem_pages import problem_page
from tests.service.tables import bearer, opened, problem

# What is answered here comes with the request, or is the same for everybody.
pytestmark = pytest.mark.one_store

BROWSER = {"Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"}
EACH_KIND = ["/v1/rules", "/v1/rules/R-11", "/problems/stale"]

STRANGER = "prs_k3f9qz7m2x8c5v1b0n4t_" + "0" * 48


class Links(HTMLParser):
    """What a page links to, what in it can be linked to, and its tags and attributes."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.to: set[str] = set()
        self.anchors: set[str] = set()
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.tags.add(tag)
        self.attributes |= given.keys()
        self.to |= {given["href"] or ""} if "href" in given else set()
        self.anchors |= {given["id"] or ""} if "id" in given else set()


async def get(http: httpx.AsyncClient, path: str, **headers: str) -> httpx.Response:
    answer = await http.get(path, headers=headers)
    assert answer.status_code == 200, answer.text
    return answer


async def test_the_list_has_every_rule_as_it_is_by_itself(http: httpx.AsyncClient) -> None:
    items = (await get(http, "/v1/rules")).json()["items"]
    assert [item["id"] for item in items] == [rule.id for rule in all_rules()]
    for item in items:
        assert (await get(http, item["link"])).json() == item


async def test_a_rule_tells_its_options_and_violations(http: httpx.AsyncClient) -> None:
    told = (await get(http, "/v1/rules/R-18")).json()
    assert told["options"] == ["pickup_use", "top_discard"]
    assert told["violations"] == ["pickup_unusable", "must_use_pickup"]
    assert told["chapter"] == "Taking from the pile"


@pytest.mark.parametrize("name", KINDS)
async def test_a_kind_of_problem(http: httpx.AsyncClient, name: str) -> None:
    told = (await get(http, f"/problems/{name}")).json()
    assert told["type"] == f"/problems/{name}"
    # The names are those of the problems.
    assert (told["status"], told["title"]) == KINDS[name]  # type: ignore[index]


def test_texts_of_problems_say_what_happened_and_what_to_do() -> None:
    texts = [problem_page(name).text for name in KINDS]
    assert len(set(texts)) == len(texts)
    for text in texts:
        assert re.fullmatch(r"[A-Z][^\n]{30,}\.\n\n[A-Z][^\n]{30,}\.", text)


def test_each_violation_is_told_by_one_kind_of_problem() -> None:
    told = [violation for name in KINDS for violation in problem_page(name).violations]
    assert sorted(told) == sorted(Violation)
    assert problem_page("not_your_turn").violations == ("not_your_turn",)


async def test_all_that_a_refusal_links_to_is_there(http: httpx.AsyncClient) -> None:
    table = await opened(http)
    told = problem(await table.send(1, "discard 4S"), 422, "illegal_move")
    assert told["links"] == [f"/v1/rules/{rule}" for rule in told["rules"]]
    for link in [told["type"], *told["links"]]:
        await get(http, link)
        await get(http, link, **BROWSER)


@pytest.mark.parametrize("violation", Violation)
async def test_the_rules_of_a_violation_name_it(
    http: httpx.AsyncClient, violation: Violation
) -> None:
    for rule in RULES[violation]:
        assert violation in (await get(http, f"/v1/rules/{rule}")).json()["violations"]


@pytest.mark.parametrize("path", EACH_KIND)
@pytest.mark.parametrize(
    ("accept", "media"),
    [
        ({}, "application/json"),
        ({"Accept": "*/*"}, "application/json"),
        ({"Accept": "application/problem+json"}, "application/json"),
        ({"Accept": "text/html;q=0.5, application/json"}, "application/json"),
        ({"Accept": "text/html"}, "text/html; charset=utf-8"),
        (BROWSER, "text/html; charset=utf-8"),
    ],
)
async def test_the_form_is_the_one_liked_best(
    http: httpx.AsyncClient, path: str, accept: dict[str, str], media: str
) -> None:
    answer = await get(http, path, **accept)
    assert answer.headers["Content-Type"] == media
    assert answer.headers["Vary"] == "Accept"
    assert answer.headers["Cache-Control"] == "public, max-age=3600"
    assert ("Content-Security-Policy" in answer.headers) == media.startswith("text/html")
    head = await http.head(path, headers=accept)
    assert head.content == b""
    for name in ("Content-Type", "Content-Length", "Vary", "Cache-Control"):
        assert head.headers[name] == answer.headers[name]


@pytest.mark.parametrize("path", EACH_KIND)
async def test_no_other_form_is_given(http: httpx.AsyncClient, path: str) -> None:
    told = problem(await http.get(path, headers={"Accept": "image/png"}), 406, "not_acceptable")
    assert "text/html" in told["detail"]


async def test_every_link_of_every_page_leads_somewhere(http: httpx.AsyncClient) -> None:
    seen: dict[str, Links] = {}
    asked = [f"/problems/{name}" for name in KINDS]
    while asked:
        path, _, anchor = asked.pop().partition("#")
        if path not in seen:
            seen[path] = Links((await get(http, path, **BROWSER)).text)
            asked += seen[path].to
        assert not anchor or anchor in seen[path].anchors
    assert {f"/v1/rules/{rule.id}" for rule in all_rules()} < seen.keys()


@pytest.mark.parametrize("path", EACH_KIND)
async def test_a_page_may_load_its_own_style_and_nothing_else(
    http: httpx.AsyncClient, path: str
) -> None:
    answer = await get(http, path, **BROWSER)
    (style,) = re.findall("<style>(.*?)</style>", answer.text, re.DOTALL)
    policy = dict(
        part.split(" ", 1) for part in answer.headers["Content-Security-Policy"].split("; ")
    )
    told = b64encode(sha256(style.encode()).digest()).decode()
    assert policy.pop("style-src") == f"'sha256-{told}'"
    assert policy.pop("default-src") == "'none'"
    assert set(policy.values()) == {"'none'"}
    assert "color-scheme: light dark" in style


@pytest.mark.parametrize("path", EACH_KIND)
async def test_a_page_is_plain_html_with_the_text_in_it(http: httpx.AsyncClient, path: str) -> None:
    links = Links((await get(http, path, **BROWSER)).text)
    assert links.tags >= {"html", "head", "title", "style", "body", "nav", "main", "h1"}
    assert links.tags.isdisjoint({"script", "img", "link", "iframe", "form"})
    assert links.attributes <= {"lang", "charset", "name", "content", "href", "id", "class"}


def hostile(**changes: Any) -> Rule:
    members = {
        "id": "R-11", "title": "A set", "text": "Three or four.", "chapter": "Sets and runs",
        "options": (), "violations": (), "link": "/v1/rules/R-11",
    }  # fmt: skip
    return Rule(**members | changes)


@pytest.mark.parametrize("member", ["title", "text", "chapter"])
def test_what_a_text_says_is_no_markup(member: str) -> None:
    shown = page(hostile(**{member: "<script>\"'&</script>"}))
    assert "<script>" not in shown
    assert "&lt;script&gt;&#34;&#39;&amp;&lt;/script&gt;" in shown


def test_cards_words_and_rules_stand_out_in_a_text() -> None:
    assert marked("See R-11: 4S 4D 4H & X1, not bad_meld.") == (
        'See <a href="/v1/rules/R-11">R-11</a>: <code>4S 4D 4H</code> &amp; <code>X1</code>, '
        "not <code>bad_meld</code>."
    )
    assert marked("A run of T J Q; an IS, 10S or X5.") == "A run of T J Q; an IS, 10S or X5."


@pytest.mark.parametrize(
    "path",
    [
        "/v1/rules/R-33", "/v1/rules/r-11", "/v1/rules/R-1", "/v1/rules/R-11x", "/v1/rules/G-09",
        "/problems/nothing", "/problems/STALE", "/problems/stale.md", "/problems/openapi.yaml",
        "/problems",
    ],
)  # fmt: skip
async def test_there_is_nothing_else(http: httpx.AsyncClient, path: str) -> None:
    for accept in ({}, BROWSER):
        problem(await http.get(path, headers=accept), 404, "not_found")


@pytest.mark.parametrize("path", ["/v1/rules", "/v1/rules/R-11", "/v1/rules/R-33"])
async def test_a_token_that_is_sent_must_be_known(http: httpx.AsyncClient, path: str) -> None:
    problem(await http.get(path, headers=bearer(STRANGER)), 401, "unauthorized")


@pytest.mark.parametrize("path", ["/v1/rules", "/v1/rules/R-11"])
async def test_who_is_known_reads_the_same(http: httpx.AsyncClient, path: str) -> None:
    table = await opened(http)
    answer = await http.get(path, headers=bearer(table.organiser))
    assert answer.json() == (await get(http, path)).json()


@pytest.mark.parametrize("path", ["/v1/rules?limit=5", "/v1/rules/R-11?a=b"])
async def test_a_query_is_refused(http: httpx.AsyncClient, path: str) -> None:
    problem(await http.get(path), 400, "malformed")
