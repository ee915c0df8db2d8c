"""A fault of a position: where it is, and what."""

from msgspec import Struct

Path = tuple[str | int, ...]
"""The members and indexes that lead to a place in a position, from the position itself."""


class Fault(Struct, frozen=True):
    """One contradiction of a position, and the place that has it; an empty path is the whole."""

    path: Path
    detail: str


def written(path: Path) -> str:
    """A path with slashes, as people read it."""
    return "/" + "/".join(str(step) for step in path)
