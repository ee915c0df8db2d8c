"""The contract's table of contents: its operations by tag, for a page that people read."""

from functools import cache
from typing import Final, NamedTuple

import msgspec

from service.contract_files import contract_folder

_METHODS: Final = ("get", "put", "post", "delete", "patch")


class Operation(NamedTuple):
    """One method at one path, and what it is for."""

    method: str
    path: str
    summary: str


class Chapter(NamedTuple):
    """The operations of one tag, in the order of the contract, and what they have in common."""

    tag: str
    description: str
    operations: list[Operation]


@cache
def chapters() -> list[Chapter]:
    """All operations of the contract. Raises FileNotFoundError."""
    document = msgspec.yaml.decode((contract_folder() / "openapi.yaml").read_bytes())
    found = {tag["name"]: Chapter(tag["name"], tag["description"], []) for tag in document["tags"]}
    for path, item in document["paths"].items():
        for method in _METHODS:
            if operation := item.get(method):
                for tag in operation["tags"]:
                    listed = Operation(method.upper(), path, operation["summary"])
                    found[tag].operations.append(listed)
    return list(found.values())
