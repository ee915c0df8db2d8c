"""One common form for what a struct and what a schema allow, so that they can be compared.

A shape is a plain dictionary in the words of JSON Schema; a struct, or a component that is an
object, is named and not opened: ``{"struct": "View"}``. What only people read is left out.
"""

import importlib
import json
import pkgutil
import types
from collections.abc import Iterator
from typing import Any, Final

import msgspec
from msgspec import inspect

import service.wire
from tests.contract.document import SCHEMAS, deref

Shape = dict[str, Any]

# Conditions over several members: structs have no words for them, so they judge them when made.
_FOR_PEOPLE_OR_CONDITIONS: Final = {"description", "discriminator", "example", "if", "then", "else"}


def wire_modules() -> list[types.ModuleType]:
    """The modules of the wire."""
    return [
        importlib.import_module(f"{service.wire.__name__}.{found.name}")
        for found in pkgutil.iter_modules(service.wire.__path__)
    ]


def wire_structs() -> dict[str, type[msgspec.Struct]]:
    """Every struct of the wire by its name."""
    found = list(_structs())
    by_name = {struct.__name__: struct for struct in found}
    assert len(by_name) == len(found), "two structs of the wire have one name"
    return by_name


def _structs() -> Iterator[type[msgspec.Struct]]:
    for module in wire_modules():
        for value in vars(module).values():
            is_struct = isinstance(value, type) and issubclass(value, msgspec.Struct)
            if is_struct and value.__module__ == module.__name__:
                yield value


def wire_word(name: str) -> Any:
    """The type that the wire gives a word of the contract, such as ``Card``."""
    found = [getattr(module, name) for module in wire_modules() if hasattr(module, name)]
    assert found, f"the wire has no {name}"
    assert all(one is found[0] for one in found), f"the wire has two kinds of {name}"
    return found[0]


def shape_of_struct(struct: type[msgspec.Struct]) -> Shape:
    """Members, which of them must be there, and whether others are refused."""
    told = inspect.type_info(struct)
    assert isinstance(told, inspect.StructType)
    members = {field.encode_name: shape_of_type(field.type) for field in told.fields}
    required = {field.encode_name for field in told.fields if field.required}
    if told.tag_field is not None:
        members[told.tag_field] = {"type": "string", "enum": [told.tag]}
        required.add(told.tag_field)
    return {"members": members, "required": required, "closed": told.forbid_unknown_fields}


def shape_of_object(schema: dict[str, Any]) -> Shape:
    """The same of an object schema."""
    return {
        "members": {name: shape_of_schema(m) for name, m in schema.get("properties", {}).items()},
        "required": set(schema.get("required", [])),
        "closed": schema.get("additionalProperties") is False,
    }


def shape_of_type(told: inspect.Type) -> Shape:
    """The shape of a type as msgspec understands it."""
    match told:
        case inspect.Metadata():
            extra = told.extra_json_schema or {}
            shape = {} if "$ref" in extra else shape_of_type(told.type)
            return shape_of_schema(shape | extra)
        case inspect.StructType():
            return {"struct": told.cls.__name__}
        case inspect.UnionType():
            return _union([shape_of_type(one) for one in told.types])
        case inspect.LiteralType():
            (kind,) = {type(value) for value in told.values}
            return {"type": _NAMES[kind], "enum": sorted(told.values)}
        case inspect.VarTupleType():
            sizes = {"minItems": told.min_length, "maxItems": told.max_length}
            return {"type": "array", "items": shape_of_type(told.item_type)} | _given(sizes)
        case inspect.IntType():
            assert told.gt is told.lt is told.multiple_of is None
            return {"type": "integer"} | _given({"minimum": told.ge, "maximum": told.le})
        case inspect.StrType():
            sizes = {"minLength": told.min_length, "maxLength": told.max_length}
            return {"type": "string"} | _given(sizes | {"pattern": _javascript(told.pattern)})
        case inspect.DateTimeType():
            assert told.tz, "times of the wire have a zone"
            return {"type": "string", "format": "date-time"}
        case inspect.DictType():
            sizes = {"minProperties": told.min_length, "maxProperties": told.max_length}
            values = {"additionalProperties": shape_of_type(told.value_type)}
            return {"type": "object"} | values | _given(sizes)
        case inspect.BoolType():
            return {"type": "boolean"}
        case inspect.NoneType():
            return {"type": "null"}
    raise AssertionError(f"the contract has no word for {told}")


_NAMES: Final = {str: "string", int: "integer"}


def shape_of_schema(schema: dict[str, Any]) -> Shape:
    """The shape of a schema of the contract."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        whole = deref(schema)
        return {"struct": name} if whole.get("type") == "object" else shape_of_schema(whole)
    if "oneOf" in schema:
        return _union([shape_of_schema(one) for one in schema["oneOf"]])
    if isinstance(schema["type"], list):
        return _union([shape_of_schema(schema | {"type": one}) for one in schema["type"]])
    if schema["type"] == "null":
        return {"type": "null"}
    shape = {key: schema[key] for key in schema.keys() - _FOR_PEOPLE_OR_CONDITIONS}
    if "const" in shape:
        shape["enum"] = [shape.pop("const")]
    if "enum" in shape:
        shape["enum"] = sorted(shape["enum"])
    for inner in ("items", "additionalProperties"):
        if inner in shape:
            shape[inner] = shape_of_schema(shape[inner])
    return {word: value for word, value in shape.items() if _fits(word, shape["type"])}


def _fits(word: str, kind: str) -> bool:
    """Whether a word bounds values of this type; where a schema has several, it may not."""
    return word not in _BOUNDS_OF or _BOUNDS_OF[word] == kind


_BOUNDS_OF: Final = {
    "minimum": "integer",
    "maximum": "integer",
    "minLength": "string",
    "maxLength": "string",
    "pattern": "string",
    "minItems": "array",
    "maxItems": "array",
}


def object_components() -> dict[str, dict[str, Any]]:
    """The component schemas that are objects."""
    return {name: schema for name, schema in SCHEMAS.items() if schema.get("type") == "object"}


def _union(shapes: list[Shape]) -> Shape:
    """A union, with the unions inside it opened; the order of its parts means nothing."""
    flat = [part for shape in shapes for part in shape.get("union", [shape])]
    return {"union": sorted(flat, key=lambda part: json.dumps(part, sort_keys=True))}


def _given(words: dict[str, Any]) -> Shape:
    return {word: value for word, value in words.items() if value is not None}


def _javascript(pattern: str | None) -> str | None:
    r"""A pattern as the contract writes it: what is ``\Z`` in Python is ``$`` in JavaScript."""
    if pattern is None:
        return None
    assert "$" not in pattern, f"{pattern} lets a line break at the end pass"
    return pattern.replace(r"\Z", "$")
