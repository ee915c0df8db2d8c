"""The contract as the tests read it."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

import yaml
from jsonschema import Draft202012Validator, FormatChecker
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT202012

PATH: Final = Path(__file__).parents[2] / "openapi" / "openapi.yaml"
DOCUMENT: Final[dict[str, Any]] = yaml.safe_load(PATH.read_text("utf-8"))
SCHEMAS: Final[dict[str, Any]] = DOCUMENT["components"]["schemas"]

_URN: Final = "urn:contract"
_REGISTRY: Final[Registry[Any]] = Registry().with_resource(
    _URN, Resource.from_contents(DOCUMENT, default_specification=DRAFT202012)
)


class Operation(NamedTuple):
    """One method at one path."""

    path: str
    method: str
    body: dict[str, Any]

    @property
    def id(self) -> str:
        """Its name in the contract."""
        return str(self.body["operationId"])

    @property
    def responses(self) -> dict[int, dict[str, Any]]:
        """Its answers by status, references followed."""
        return {int(status): deref(answer) for status, answer in self.body["responses"].items()}


class Example(NamedTuple):
    """A body that the contract shows, with its schema and where it stands."""

    where: str
    name: str
    schema: dict[str, Any]
    value: Any
    status: int | None

    def __str__(self) -> str:
        return f"{self.where} {self.name}"


def operations() -> list[Operation]:
    """All operations, in the order of the document."""
    return [
        Operation(path, method, body)
        for path, item in DOCUMENT["paths"].items()
        for method, body in item.items()
        if method != "parameters"
    ]


def deref(part: Mapping[str, Any]) -> dict[str, Any]:
    """A part of the document, or what it refers to."""
    while "$ref" in part:
        place: Any = DOCUMENT
        for step in part["$ref"].removeprefix("#/").split("/"):
            place = place[step]
        part = place
    return dict(part)


def examples() -> Iterator[Example]:
    """Every example of a request or of an answer."""
    for operation in operations():
        bodies = [(None, operation.body.get("requestBody", {})), *operation.responses.items()]
        for status, body in bodies:
            for media in body.get("content", {}).values():
                for name, example in media["examples"].items():
                    where = f"{operation.id} {status or 'request'}"
                    yield Example(where, name, media["schema"], example["value"], status)


def validator(schema: Mapping[str, Any]) -> Draft202012Validator:
    """Judges values by a schema that stands in the document."""
    return Draft202012Validator(
        _absolute(schema), registry=_REGISTRY, format_checker=FormatChecker()
    )


def component(name: str) -> Draft202012Validator:
    """Judges values by the component schema of that name."""
    return validator({"$ref": f"#/components/schemas/{name}"})


def subschemas(schema: Any, where: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """A schema and all those inside it that describe values; conditions are left out."""
    if not isinstance(schema, dict):
        return
    yield where, schema
    for name, part in schema.get("properties", {}).items():
        yield from subschemas(part, f"{where}.{name}")
    yield from subschemas(schema.get("items"), f"{where}[]")
    for number, part in enumerate(schema.get("oneOf", [])):
        yield from subschemas(part, f"{where}|{number}")


def references(part: Any) -> Iterator[str]:
    """Every reference inside a part of the document."""
    if isinstance(part, dict):
        if isinstance(part.get("$ref"), str):
            yield part["$ref"]
        for inner in part.values():
            yield from references(inner)
    elif isinstance(part, list):
        for inner in part:
            yield from references(inner)


def _absolute(schema: Any) -> Any:
    """The schema with its references made absolute, so that it can stand alone."""
    if isinstance(schema, dict):
        return {
            key: _URN + value if key == "$ref" else _absolute(value)
            for key, value in schema.items()
        }
    if isinstance(schema, list):
        return [_absolute(part) for part in schema]
    return schema
