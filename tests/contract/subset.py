"""Whether every value of one schema is a value of another, as far as that can be proven.

What cannot be proven counts as a break: a comparison may cry wolf, and never keeps quiet about one.
It knows the keywords that the contract uses; any other has to be the same on both sides.
"""

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

from jsonschema import Draft202012Validator
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT202012

Schema = Mapping[str, Any] | bool

_URN: Final = "urn:contract"

# Words that judge no value.
_TEXTS: Final = {
    *("title", "description", "summary", "example", "examples"),
    *("default", "deprecated", "discriminator"),
}

_TYPES: Final = ("null", "boolean", "integer", "number", "string", "array", "object")

NOTHING: Final[Mapping[str, Any]] = {"not": {}}
"""The schema `false`, as a mapping."""

# Keywords that judge values of one type only.
_OF_TYPE: Final = {
    "integer": {"minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum", "multipleOf"},
    "string": {"minLength", "maxLength", "pattern", "format"},
    "array": {"minItems", "maxItems", "items", "uniqueItems", "contains"},
    "object": {"minProperties", "maxProperties", "properties", "required", "additionalProperties"},
}
_OF_ONE_TYPE: Final = frozenset[str]().union(*_OF_TYPE.values())

# Keywords that are compared in a way of their own.
_LEAST: Final = {"minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"}
_MOST: Final = {"maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"}
_TAKEN_APART: Final = {
    *("type", "enum", "const", "oneOf", "anyOf"),
    *("items", "properties", "required", "additionalProperties"),
}


class Side(NamedTuple):
    """A whole document, in which the references of its schemas lead on."""

    document: dict[str, Any]
    registry: "Registry[Any]"

    @classmethod
    def of(cls, document: dict[str, Any]) -> "Side":
        """The side of a document."""
        resource = Resource.from_contents(document, default_specification=DRAFT202012)
        return cls(document, Registry().with_resource(_URN, resource))

    def follow(self, part: Any) -> Any:
        """A part of the document without a reference at its top; what stands beside one is kept."""
        while isinstance(part, Mapping) and "$ref" in part:
            found = self.registry.resolver(_URN).lookup(part["$ref"]).contents
            beside = {name: value for name, value in part.items() if name != "$ref"}
            assert beside.keys() <= _TEXTS, f"beside {part['$ref']}: {sorted(beside)}"
            part = {**found, **beside} if isinstance(found, Mapping) else found
        return part

    def in_full(self, part: Any) -> Any:
        """A part with every reference in it replaced by what it leads to, and without its texts."""
        part = self.follow(part)
        if isinstance(part, Mapping):
            return {k: self.in_full(v) for k, v in part.items() if k not in _TEXTS}
        return [self.in_full(each) for each in part] if isinstance(part, list) else part

    def takes(self, schema: Schema, value: Any) -> bool:
        """Whether a value satisfies a schema."""
        return bool(Draft202012Validator(_absolute(schema), registry=self.registry).is_valid(value))


class Comparison:
    """Looks for values of ``inner`` that ``outer`` does not know.

    With ``may_grow`` an object may have members that the outer schema does not name, though it
    calls itself closed (who reads an answer skips them); all that it names must still be there.
    """

    def __init__(self, outer: Side, inner: Side, *, may_grow: bool = False) -> None:
        self._outer = outer
        self._inner = inner
        self._may_grow = may_grow
        self._known: dict[str, list[str]] = {}

    def breaks(self, outer: Schema, inner: Schema, where: str = "") -> list[str]:
        """Where a value could be new, and why: empty if all is well."""
        key = json.dumps([outer, inner], sort_keys=True)
        if key not in self._known:
            self._known[key] = []  # a schema inside itself is well if all the rest is
            self._known[key] = [*self._breaks(outer, inner)]
        return [where + each for each in self._known[key]]

    def _breaks(self, outer: Schema, inner: Schema) -> Iterator[str]:
        outer, inner = _plain(self._outer.follow(outer)), _plain(self._inner.follow(inner))
        if inner is NOTHING or not outer:
            return
        if outer is NOTHING:
            yield ": nothing is allowed"
            return
        parts = list(_parts(inner))
        if len(parts) > 1:
            for part in parts:
                yield from self.breaks(outer, part)
        elif "const" in inner or "enum" in inner:
            for value in inner.get("enum", [inner.get("const")]):
                if not self._outer.takes(outer, value):
                    yield f": {value!r} is not on the other side"
        elif choices := outer.get("oneOf", outer.get("anyOf")):
            rest = {name: part for name, part in outer.items() if name not in ("oneOf", "anyOf")}
            yield from self.breaks(rest, inner)
            yield from min((self.breaks(choice, inner) for choice in choices), key=len)
        else:
            yield from self._of_one_type(outer, inner)

    def _of_one_type(self, outer: Mapping[str, Any], inner: Mapping[str, Any]) -> Iterator[str]:
        (kind,) = _types(inner)
        if kind not in _types(outer) and not (kind == "integer" and "number" in _types(outer)):
            yield f": the type {kind} is not on the other side"
            return
        if "enum" in outer or "const" in outer:
            yield f": only {outer.get('enum', outer.get('const'))!r} is on the other side"
        of_others = _OF_ONE_TYPE - _OF_TYPE.get("integer" if kind == "number" else kind, set())
        for name in outer.keys() - _TAKEN_APART - of_others:
            yield from self._of_keyword(name, outer, inner)
        if kind == "array":
            yield from self.breaks(outer.get("items", {}), inner.get("items", {}), "[]")
        if kind == "object":
            yield from self._of_objects(outer, inner)

    def _of_keyword(
        self, name: str, outer: Mapping[str, Any], inner: Mapping[str, Any]
    ) -> Iterator[str]:
        told, found = self._outer.in_full(outer[name]), self._inner.in_full(inner.get(name))
        if name in _LEAST:
            is_within = found is not None and found >= told
        elif name in _MOST:
            is_within = found is not None and found <= told
        else:
            is_within = found == told
        if not is_within:
            yield f": {name} is {found} where the other side has {told}"

    def _of_objects(self, outer: Mapping[str, Any], inner: Mapping[str, Any]) -> Iterator[str]:
        for name in sorted({*outer.get("required", ())} - {*inner.get("required", ())}):
            yield f".{name}: it is required on one side only"
        known, given = outer.get("properties", {}), inner.get("properties", {})
        other, others = (side.get("additionalProperties", True) for side in (outer, inner))
        for name, part in given.items():
            if name in known or not self._may_grow:
                yield from self.breaks(known.get(name, other), part, f".{name}")
        for name in known.keys() - given.keys():
            if self._may_grow and others is False:
                yield f".{name}: it is gone"
            yield from self.breaks(known[name], others, f".{name}")
        if not (self._may_grow and other is False):
            yield from self.breaks(other, others, ".*")


def _plain(schema: Schema) -> Mapping[str, Any]:
    """A schema as a mapping, without the words that judge nothing."""
    if isinstance(schema, bool):
        return {} if schema else NOTHING
    return {name: part for name, part in schema.items() if name not in _TEXTS}


def _parts(schema: Mapping[str, Any]) -> Iterator[Schema]:
    """Schemas that together take what this one takes: one for each choice, or for each type."""
    choices = schema.get("oneOf", schema.get("anyOf"))
    if choices and schema.keys() <= {"oneOf", "anyOf"}:
        yield from choices
    elif "enum" in schema or "const" in schema:
        yield schema
    else:
        for kind in _types(schema):
            yield {**schema, "type": kind}


def _types(schema: Mapping[str, Any]) -> list[str]:
    told = schema.get("type", _TYPES)
    return [told] if isinstance(told, str) else list(told)


def _absolute(schema: Any) -> Any:
    """The schema with its references made absolute, so that it can stand alone."""
    if isinstance(schema, Mapping):
        return {k: _URN + v if k == "$ref" else _absolute(v) for k, v in schema.items()}
    return [_absolute(part) for part in schema] if isinstance(schema, list) else schema
