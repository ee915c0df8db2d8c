"""The contract breaks no client that was written by the last released one, and this is found out.

A release keeps its contract as it is then, under its own version:

    cp openapi/openapi.yaml openapi/released/$(sed -n 's/^  version: //p' openapi/openapi.yaml).yaml
"""

from collections.abc import Callable
from copy import deepcopy
from typing import Any, Final

import pytest
import yaml

from tests.contract.breaks import Release
from tests.contract.document import DOCUMENT, PATH

RELEASED: Final = PATH.parent / "released"
GONE: Final = object()

Document = dict[str, Any]
Change = Callable[[Document], None]


def _version(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in text.split("."))


def test_no_client_of_the_last_release_is_broken() -> None:
    last = max(RELEASED.glob("*.yaml"), key=lambda path: _version(path.stem))
    released = yaml.safe_load(last.read_text("utf-8"))
    assert released["info"]["version"] == last.stem
    assert _version(last.stem) <= _version(DOCUMENT["info"]["version"])
    assert Release(released, DOCUMENT).breaks() == []


def to(place: str, value: Any) -> Change:
    """Give a part of the document another value, or take it out; steps have spaces between them."""

    def change(document: Document) -> None:
        *steps, last = place.split(" ")
        part: Any = document
        for step in steps:
            part = part[int(step) if isinstance(part, list) else step]
        if value is GONE:
            del part[int(last) if isinstance(part, list) else last]
        elif last == "+":
            part.append(value)
        else:
            part[last] = value

    return change


def both(one: Change, other: Change) -> Change:
    """Two changes that go together."""

    def change(document: Document) -> None:
        one(document)
        other(document)

    return change


SCHEMAS: Final = "components schemas"
OPEN: Final = "paths /v1/games post"
MOVE: Final = "paths /v1/games/{game}/moves post"
LOG: Final = "paths /v1/games/{game}/log get"
ACTIONS: Final = f"{SCHEMAS} MoveRequest properties actions"
TEXT: Final = {"type": "string"}
QUERY: Final = {"name": "colour", "in": "query", "schema": TEXT}

BREAKS: Final[dict[str, tuple[Change, str]]] = {
    "a path": (to("paths /v1/rulesets", GONE), "GET /v1/rulesets: it is gone"),
    "an operation": (to("paths /v1/games get", GONE), "GET /v1/games: it is gone"),
    "a name of a function": (to(f"{OPEN} operationId", "open"), "operationId: it was open_game"),
    "a name of a type": (
        both(to(f"{SCHEMAS} Action oneOf 5", GONE), to(f"{SCHEMAS} Pass", GONE)),
        "components: Pass is gone",
    ),
    "a token that is needed": (
        to(f"{OPEN} security", [{"key": []}]),
        "security: nobody may not do it",
    ),
    "a token that is not enough": (
        to(f"{MOVE} security", [{"token": [], "key": []}]),
        "security: ['token'] may not do it",
    ),
    "a parameter that is gone": (to(f"{LOG} parameters", []), "query after: it is gone"),
    "a parameter that is needed": (
        to(f"{LOG} parameters +", QUERY | {"required": True}),
        "query colour: it is required now",
    ),
    "an old parameter that is needed": (
        to("components parameters IdempotencyKey required", True),
        "Idempotency-Key: it is required now",
    ),
    "a parameter of fewer values": (
        to("components parameters IdempotencyKey schema maxLength", 64),
        "Idempotency-Key: maxLength is 128 where the other side has 64",
    ),
    "a body that is needed": (
        to("paths /v1/rules get requestBody", {"required": True, "content": {}}),
        "GET /v1/rules body: it is required now",
    ),
    "a body in another format": (
        to(f"{OPEN} requestBody content", {"text/plain": {"schema": TEXT}}),
        "body: application/json is gone",
    ),
    "a status": (to(f"{OPEN} responses 404", GONE), "404: it is gone"),
    "another success": (to(f"{OPEN} responses 202", {}), "202: it is a success"),
    "a header": (to(f"{OPEN} responses 201 headers Location", GONE), "201 Location: it is gone"),
    "a header that may be left out": (
        to("components headers ETag required", False),
        "201 ETag: it may be left out now",
    ),
    "a header of more values": (
        to("components headers CacheControl schema const", "no-store"),
        "Cache-Control: 'no-store' is not on the other side",
    ),
    "an answer in another format": (
        to("paths /v1/rules get responses 200 content text/html", GONE),
        "200: text/html is gone",
    ),
    "an answer of another kind": (
        to(f"{LOG} responses 200 content application/json schema", TEXT),
        "200: the type string is not on the other side",
    ),
    "a member of answers": (to(f"{SCHEMAS} View properties ply", GONE), "201.game.ply: it is gone"),
    "a member of answers that may be left out": (
        to(f"{SCHEMAS} View required", ["id"]),
        "201.game.turn: it is required on one side only",
    ),
    "an optional member of answers": (
        to(f"{SCHEMAS} Problem properties policy", GONE),
        "400.policy: it is gone",
    ),
    "a member of answers that may be null": (
        to(f"{SCHEMAS} View properties ply", {"type": ["integer", "null"]}),
        "201.game.ply: the type null",
    ),
    "a value of answers": (
        to(f"{SCHEMAS} Violation enum +", "cheating"),
        "violation: 'cheating' is not on the other side",
    ),
    "a bound of answers": (to(f"{SCHEMAS} CardCount maximum", 108), "maximum is 108"),
    "a bound of answers that is gone": (to(f"{SCHEMAS} Ply minimum", GONE), "minimum is None"),
    "a form of answers": (to(f"{SCHEMAS} GameId pattern", "^[a-z]+$"), "pattern is ^[a-z]+$"),
    "a choice of answers": (
        to(f"{SCHEMAS} Action oneOf +", {"type": "object"}),
        "legal_actions[]",
    ),
    "a list of answers of another kind": (
        to(f"{SCHEMAS} View properties pile items", {"type": "integer"}),
        "pile[]: the type integer",
    ),
    "a condition of answers": (to(f"{SCHEMAS} Problem then", {}), "then is {}"),
    "a member of requests": (
        to(f"{SCHEMAS} Opening properties dealer", GONE),
        "body.dealer: nothing is allowed",
    ),
    "a member of requests that is needed": (
        to(f"{SCHEMAS} Opening required +", "dealer"),
        "body.dealer: it is required on one side only",
    ),
    "a new member of requests that is needed": (
        to(f"{SCHEMAS} Opening", {"$ref": "#/components/schemas/MoveRequest"}),
        "body.actions: it is required on one side only",
    ),
    "a type of requests": (
        to(f"{SCHEMAS} Opening properties organiser_sees_all type", "string"),
        "body.organiser_sees_all: the type boolean",
    ),
    "a value of requests": (
        to(f"{SCHEMAS} Visibility enum", ["public"]),
        "body.visibility: 'private' is not on the other side",
    ),
    "any value of requests": (
        to(f"{SCHEMAS} GoOutBonus enum", [0, 25]),
        "go_out_bonus: only [0, 25]",
    ),
    "a lower bound of requests": (to(f"{SCHEMAS} HandSize minimum", 5), "minimum is 3"),
    "an upper bound of requests": (to(f"{ACTIONS} maxItems", 16), "maxItems is 32"),
    "a new bound of requests": (to(f"{ACTIONS} uniqueItems", True), "uniqueItems is None"),
    "a choice of requests": (to(f"{SCHEMAS} Action oneOf 5", GONE), "body.actions[]"),
    "a condition of requests": (to(f"{ACTIONS} if", {"minItems": 3}), "body.actions: if is"),
    "a value that is forbidden": (to(f"{SCHEMAS} ClientSeed not", {"const": ""}), "not is None"),
    "members that had no names": (
        to(f"{SCHEMAS} Opening properties clock additionalProperties", False),
        "body.clock.*: nothing is allowed",
    ),
}


@pytest.mark.parametrize(("change", "said"), BREAKS.values(), ids=BREAKS.keys())
def test_a_break_is_found_and_told(change: Change, said: str) -> None:
    new = deepcopy(DOCUMENT)
    change(new)
    found = Release(DOCUMENT, new).breaks()
    assert [each for each in found if said in each], found


GROWTH: Final[dict[str, Change]] = {
    "a path": to("paths /v1/new", {"get": DOCUMENT["paths"]["/healthz"]["get"]}),
    "an operation": to("paths /healthz post", DOCUMENT["paths"]["/healthz"]["get"]),
    "an optional parameter": to(f"{LOG} parameters +", QUERY),
    "a way to refuse": to(f"{OPEN} responses 451", {"description": "Not here."}),
    "a header": to(f"{OPEN} responses 201 headers Age", {"schema": {"type": "integer"}}),
    "a way in": to(f"{LOG} security +", {"key": []}),
    "a member of requests": to(f"{SCHEMAS} Opening properties colour", TEXT),
    "a value of requests": to(f"{SCHEMAS} SeatRequest properties seat", {"maximum": 9}),
    "a bound of requests that is gone": to(f"{ACTIONS} maxItems", GONE),
    "a member of answers": to(f"{SCHEMAS} View properties colour", TEXT),
    "a narrower bound of answers": to(f"{SCHEMAS} View properties melds maxItems", 9),
    "an answer that is never null": to(f"{SCHEMAS} View properties hand type", "array"),
    "a name in the place of what it stands for": to(
        f"{SCHEMAS} View properties turn oneOf",
        [{"type": "integer", "minimum": 0, "maximum": 3}, {"type": "null"}],
    ),
    "a text": to(f"{SCHEMAS} View description", "What a viewer sees."),
}


@pytest.mark.parametrize("change", GROWTH.values(), ids=GROWTH.keys())
def test_growth_is_no_break(change: Change) -> None:
    new = deepcopy(DOCUMENT)
    change(new)
    assert new != DOCUMENT
    assert Release(DOCUMENT, new).breaks() == []
