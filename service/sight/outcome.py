"""What became of a request: all that is counted, traced and logged of it."""

from typing import Final, NamedTuple

_METHODS: Final = frozenset(("GET", "HEAD", "POST", "DELETE", "OPTIONS", "PUT", "PATCH"))


class Outcome(NamedTuple):
    """One request, answered."""

    method: str
    """One of a closed list, see `method_of`."""
    route: str | None
    """The template of its path, None where no route has that path and method."""
    status: int
    """0 where it ended before any."""
    seconds: float
    problem: str | None = None
    """The name of the problem that answered it, if one did."""
    violation: str | None = None
    """The violation that the problem tells of."""


def method_of(sent: str) -> str:
    """A method that is worth telling from others, or `other`."""
    return sent if sent in _METHODS else "other"
