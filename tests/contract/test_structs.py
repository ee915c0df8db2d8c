"""The structs of the wire and the component schemas of the contract are the same, both ways."""

from datetime import datetime
from typing import Any

import msgspec
import pytest

from tests.contract.document import SCHEMAS, Example, component, examples
from tests.contract.shapes import (
    object_components,
    shape_of_object,
    shape_of_schema,
    shape_of_struct,
    shape_of_type,
    wire_structs,
    wire_word,
)

STRUCTS = wire_structs()
OBJECTS = object_components()
WORDS = sorted(SCHEMAS.keys() - OBJECTS.keys())

DRAW_STOCK = {"type": "draw_stock"}
DISCARD = {"type": "discard", "card": "3D"}


def test_each_has_its_counterpart() -> None:
    assert STRUCTS.keys() == OBJECTS.keys()


@pytest.mark.parametrize("name", sorted(STRUCTS.keys() & OBJECTS.keys()))
def test_a_struct_is_its_component(name: str) -> None:
    assert shape_of_struct(STRUCTS[name]) == shape_of_object(OBJECTS[name])


@pytest.mark.parametrize("name", WORDS)
def test_a_word_is_its_component(name: str) -> None:
    told = msgspec.inspect.type_info(wire_word(name))
    assert shape_of_type(told) == shape_of_schema(SCHEMAS[name])


@pytest.mark.parametrize("struct", STRUCTS.values(), ids=STRUCTS.keys())
def test_a_struct_of_the_wire_is_frozen_and_strict(struct: type[msgspec.Struct]) -> None:
    settings = struct.__struct_config__
    assert settings.frozen
    assert settings.forbid_unknown_fields
    assert not settings.array_like


@pytest.mark.parametrize("example", [one for one in examples() if "$ref" in one.schema], ids=str)
def test_an_example_passes_through_its_struct(example: Example) -> None:
    struct = STRUCTS[example.schema["$ref"].rpartition("/")[2]]
    value = msgspec.convert(example.value, struct)
    assert _in_one_spelling(msgspec.to_builtins(value)) == _in_one_spelling(example.value)


def _in_one_spelling(value: Any) -> Any:
    """The value with its times in one spelling, for a second has more than one."""
    match value:
        case dict():
            return {
                key: datetime.fromisoformat(part) if key == "at" else _in_one_spelling(part)
                for key, part in value.items()
            }
        case list() | tuple():
            return [_in_one_spelling(part) for part in value]
        case _:
            return value


@pytest.mark.parametrize(
    ("name", "body", "is_sound"),
    [
        ("MoveRequest", {"actions": []}, False),
        ("MoveRequest", {"actions": [DRAW_STOCK]}, True),
        ("MoveRequest", {"actions": [DISCARD] * 2}, True),
        ("MoveRequest", {"actions": [DRAW_STOCK, DISCARD]}, False),
        ("MoveRequest", {"actions": [DISCARD, DRAW_STOCK]}, False),
        ("MoveRequest", {"actions": [{"type": "discard", "card": "10D"}]}, False),
        ("MoveRequest", {"actions": [{"type": "meld", "cards": ["3D", "3D"]}]}, True),
        ("MoveRequest", {"actions": [{"type": "draw_stock", "card": "3D"}]}, False),
        ("MoveRequest", {"actions": [{"card": "3D"}]}, False),
        ("OpeningPlayer", {"name": "north"}, True),
        ("OpeningPlayer", {"kind": "client", "name": "شمال"}, True),
        ("OpeningPlayer", {"kind": "open"}, True),
        ("OpeningPlayer", {"kind": "house"}, True),
        ("OpeningPlayer", {}, False),
        ("OpeningPlayer", {"kind": "client"}, False),
        ("OpeningPlayer", {"kind": "open", "name": "north"}, False),
        ("OpeningPlayer", {"kind": "house", "name": "north"}, True),
        ("OpeningPlayer", {"name": "north", "kind": None}, False),
        ("OpeningPlayer", {"name": "a\u202eb"}, False),
        ("OpeningPlayer", {"name": "a\u0000"}, False),
        ("SeatRequest", {"name": "east", "seat": None}, False),
        ("ForfeitRequest", {}, True),
        ("ForfeitRequest", {"team": "C"}, False),
        ("TokenRequest", {"seat": 1}, False),
    ],
)
def test_struct_and_schema_judge_alike(name: str, body: dict[str, Any], is_sound: bool) -> None:
    assert component(name).is_valid(body) == is_sound
    if is_sound:
        msgspec.convert(body, STRUCTS[name])
    else:
        with pytest.raises(msgspec.ValidationError):
            msgspec.convert(body, STRUCTS[name])


def test_a_line_break_at_the_end_makes_another_card() -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"type": "discard", "card": "AS\n"}, STRUCTS["Discard"])
