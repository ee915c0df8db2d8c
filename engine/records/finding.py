"""Something in a record that is not so."""

from msgspec import Struct

from engine.fault import Path
from engine.rulebook import Violation


class Finding(Struct, frozen=True):
    """Something in a record that is not so.

    `path` leads to it from the record, `ply` is the entry's if it is in the log, and `violation`
    says which rule an action breaks.
    """

    path: Path
    detail: str
    ply: int | None = None
    violation: Violation | None = None
