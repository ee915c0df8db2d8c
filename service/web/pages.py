"""Pages: an answer of the contract as plain HTML, without scripts."""

import re
from base64 import b64encode
from collections.abc import Iterable, Iterator
from functools import cache
from hashlib import sha256
from importlib.resources import files
from itertools import groupby
from typing import Final

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from engine.rulebook import MEANINGS, RULES, Violation
from service.web.contract import Chapter
from service.wire.rule import ProblemPage, Rule, Rules
from service.wording.refusals import problem_name

_STYLE: Final = (files("service.web") / "page.css").read_text("utf-8")

POLICY: Final = "; ".join(
    (
        "default-src 'none'",
        f"style-src 'sha256-{b64encode(sha256(_STYLE.encode()).digest()).decode()}'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    )
)
"""The Content-Security-Policy of every page: its own style, and nothing else at all."""

_TEMPLATES: Final = {Rules: "rules.html", Rule: "rule.html", ProblemPage: "problem.html"}

_CARD: Final = "(?:[2-9TJQKA][CDHS]|X[1-4])"
_MARKS: Final = re.compile(
    rf"(?P<rule>\b[RG]-[0-9]{{2}}\b)|\b{_CARD}(?: {_CARD})*\b|\b[a-z]+(?:_[a-z]+)+\b"
)
"""In a text: the id of a rule, some cards, or a word of the contract."""


@cache
def page(body: Rules | Rule | ProblemPage) -> str:
    """The page that says the same as a body of JSON."""
    template = _ENVIRONMENT.get_template(_TEMPLATES[type(body)])
    return template.render(body=body)


def docs_page(template: str, chapters: Iterable[Chapter]) -> str:
    """The page of a template that tells of the operations of the contract."""
    return _ENVIRONMENT.get_template(template).render(chapters=chapters)


def marked(text: str) -> Markup:
    """A text with links to the rules that it names; cards and words of the contract stand out."""
    return Markup(_MARKS.sub(_mark, str(escape(text))))  # noqa: S704 - escaped just here


def by_chapter(rules: Iterable[Rule]) -> Iterator[tuple[str, Iterator[Rule]]]:
    """The title of each chapter, with its rules; a chapter's rules stand together."""
    return groupby(rules, key=lambda rule: rule.chapter)


def _mark(found: re.Match[str]) -> str:
    name = found[0]
    return f'<a href="/v1/rules/{name}">{name}</a>' if found["rule"] else f"<code>{name}</code>"


def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("service.web"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    environment.filters |= {"marked": marked, "by_chapter": by_chapter}
    environment.globals |= {
        "style": Markup(_STYLE),  # noqa: S704 - our own file
        "meanings": {broken.value: meaning for broken, meaning in MEANINGS.items()},
        "rules_of": {broken.value: rules for broken, rules in RULES.items()},
        "problem_of": {broken.value: problem_name(broken) for broken in Violation},
    }
    return environment


_ENVIRONMENT: Final = _environment()
