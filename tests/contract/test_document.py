"""The contract is sound in itself: valid, complete, bounded, and true to its own examples."""

from collections import Counter
from typing import Any

import pytest
from openapi_spec_validator import OpenAPIV31SpecValidator, validate

from tests.contract.document import (
    DOCUMENT,
    SCHEMAS,
    Example,
    Operation,
    component,
    deref,
    examples,
    operations,
    references,
    subschemas,
    validator,
)

each_operation = pytest.mark.parametrize("operation", operations(), ids=lambda one: one.id)
each_example = pytest.mark.parametrize("example", list(examples()), ids=str)

DRAW_STOCK = {"type": "draw_stock"}
DISCARD = {"type": "discard", "card": "3D"}


def is_of_a_game(operation: Operation) -> bool:
    return operation.path.startswith("/v1/games/")


def needs_a_token(operation: Operation) -> bool:
    return bool(operation.body["security"]) and {} not in operation.body["security"]


def test_it_is_valid_openapi_3_1() -> None:
    assert DOCUMENT["openapi"].startswith("3.1.")
    validate(DOCUMENT, cls=OpenAPIV31SpecValidator)


def test_operation_ids_are_unique() -> None:
    counts = Counter(operation.id for operation in operations())
    assert [name for name, count in counts.items() if count > 1] == []


@each_operation
def test_an_operation_says_what_it_is(operation: Operation) -> None:
    for member in ("operationId", "summary", "description", "tags", "security"):
        assert member in operation.body
    assert len(operation.body["summary"]) <= 60


@each_operation
def test_an_operation_declares_every_status_it_can_give(operation: Operation) -> None:
    expected = {405, 406, 414, 431}
    if operation.path.startswith("/v1/"):
        # What lies elsewhere is the same for everybody, and asks no store.
        expected |= {400, 401, 429, 500, 503}
    if "requestBody" in operation.body:
        expected |= {413, 415}
    if is_of_a_game(operation) or "{" in operation.path:
        expected |= {404}
    if needs_a_token(operation):
        expected |= {403}
    assert expected <= operation.responses.keys()
    assert any(200 <= status < 300 for status in operation.responses)


@each_operation
def test_every_answer_tells_the_request_id_and_how_it_may_be_kept(operation: Operation) -> None:
    for status, answer in operation.responses.items():
        headers = answer["headers"]
        assert "X-Request-Id" in headers
        if status >= 400:
            assert headers["Cache-Control"]["$ref"].endswith("/NoStore")
        elif operation.path.startswith("/v1/games") and status != 204:
            assert headers["Cache-Control"]["$ref"].endswith("/CacheControl")
            assert "Vary" in headers


@pytest.mark.parametrize(
    ("status", "header"),
    [(201, "ETag"), (401, "WWW-Authenticate"), (405, "Allow"), (412, "ETag"), (503, "Retry-After")],
)
def test_a_status_brings_its_header(status: int, header: str) -> None:
    answers = [one.responses[status] for one in operations() if status in one.responses]
    assert answers
    for answer in answers:
        assert deref(answer["headers"][header])["required"]


@each_operation
def test_request_and_answer_have_the_same_examples(operation: Operation) -> None:
    if "requestBody" not in operation.body:
        return
    sent = operation.body["requestBody"]["content"]["application/json"]["examples"]
    (answer,) = (body for status, body in operation.responses.items() if 200 <= status < 300)
    assert sent.keys() == answer["content"]["application/json"]["examples"].keys()


@each_operation
def test_every_body_has_an_example(operation: Operation) -> None:
    for status, answer in operation.responses.items():
        contents = answer.get("content", {})
        assert bool(contents) == (status not in (204, 304))
        assert all(media["examples"] for media in contents.values())


@each_example
def test_an_example_satisfies_its_schema(example: Example) -> None:
    assert [error.message for error in validator(example.schema).iter_errors(example.value)] == []


@each_example
def test_a_problem_is_shown_under_its_status(example: Example) -> None:
    if example.status is not None and example.status >= 400:
        assert example.value["status"] == example.status
        assert example.value["type"] == f"/problems/{example.name}"


def test_actions_are_told_apart_by_their_type() -> None:
    action = SCHEMAS["Action"]
    mapping = action["discriminator"]["mapping"]
    assert action["discriminator"]["propertyName"] == "type"
    assert sorted(mapping.values()) == sorted(part["$ref"] for part in action["oneOf"])
    for name, reference in mapping.items():
        member = deref({"$ref": reference})
        assert member["properties"]["type"]["const"] == name
        assert "type" in member["required"]


@pytest.mark.parametrize(
    ("actions", "is_sound"),
    [
        ([], False),
        ([DRAW_STOCK], True),
        ([DISCARD] * 32, True),
        ([DISCARD] * 33, False),
        ([DRAW_STOCK, DISCARD], False),
        ([DISCARD, DRAW_STOCK], False),
        ([DRAW_STOCK, DRAW_STOCK], False),
    ],
)
def test_a_draw_from_the_stock_stands_alone(actions: list[Any], is_sound: bool) -> None:
    assert component("MoveRequest").is_valid({"actions": actions}) == is_sound


@pytest.mark.parametrize("name", SCHEMAS)
def test_objects_are_closed_and_values_bounded(name: str) -> None:
    for where, schema in subschemas(SCHEMAS[name], name):
        types = schema.get("type", [])
        for kind in [types] if isinstance(types, str) else types:
            assert _is_bounded(kind, schema), f"{where} has no bounds"


def _is_bounded(kind: str, schema: dict[str, Any]) -> bool:
    if "enum" in schema or "const" in schema:
        return True
    match kind:
        case "object":
            return schema.get("additionalProperties") is False or "maxProperties" in schema
        case "string":
            return bool(schema.keys() & {"maxLength", "pattern", "format"})
        case "integer":
            return {"minimum", "maximum"} <= schema.keys()
        case "array":
            return "maxItems" in schema and "items" in schema
        case _:
            return True


def test_every_component_is_used() -> None:
    used = set(references(DOCUMENT)) | set(SCHEMAS["Action"]["discriminator"]["mapping"].values())
    unused = [
        f"#/components/{kind}/{name}"
        for kind, parts in DOCUMENT["components"].items()
        if kind != "securitySchemes"
        for name in parts
        if f"#/components/{kind}/{name}" not in used
    ]
    assert unused == []


@pytest.mark.parametrize("name", DOCUMENT["components"]["links"])
def test_a_link_leads_to_an_operation_and_fills_its_path(name: str) -> None:
    link = DOCUMENT["components"]["links"][name]
    (target,) = (one for one in operations() if one.id == link["operationId"])
    parameters = [
        deref(part)
        for part in (
            *DOCUMENT["paths"][target.path].get("parameters", []),
            *target.body.get("parameters", []),
        )
    ]
    filled = set(link["parameters"])
    if needs_a_token(target):
        assert "header.Authorization" in filled
    filled.discard("header.Authorization")
    assert filled <= {part["name"] for part in parameters}
    assert {part["name"] for part in parameters if part["in"] == "path"} - {"seat"} <= filled


def test_a_new_game_leads_to_its_view_and_its_moves() -> None:
    (opening,) = (one for one in operations() if one.id == "open_game")
    targets = {deref(link)["operationId"] for link in opening.responses[201]["links"].values()}
    assert {one.id for one in operations() if is_of_a_game(one)} == targets
