"""The engine's values are values: nothing of them can be changed once they are made."""

import pkgutil
from importlib import import_module

import pytest
from msgspec import Struct

import engine
from engine.state import State

STRUCTS = {
    found
    for module in pkgutil.walk_packages(engine.__path__, "engine.")
    for found in vars(import_module(module.name)).values()
    if isinstance(found, type) and issubclass(found, Struct) and found is not Struct
}


@pytest.mark.parametrize("struct", sorted(STRUCTS, key=str), ids=lambda struct: struct.__name__)
def test_every_struct_is_frozen(struct: type[Struct]) -> None:
    assert struct.__struct_config__.frozen


def test_a_state_cannot_be_assigned_to() -> None:
    with pytest.raises(AttributeError):
        State().turn = 1  # type: ignore[misc, assignment]  # that it cannot be is the point
