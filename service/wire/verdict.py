"""Verdicts on whole records."""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from service.wire.problem import Violation
from service.wire.words import GameId, Ply, RuleId


class Finding(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Something in a record that is not so; ``ply`` is the entry's, if it is in the log."""

    pointer: Annotated[str, Meta(max_length=1000, pattern=r"^(/|\Z)")]
    detail: Annotated[str, Meta(min_length=1, max_length=1000)]
    ply: Ply | None
    violation: Violation | None
    rules: Annotated[tuple[RuleId, ...], Meta(max_length=10)]


class Verdict(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What there is to say of one record; ``line`` is its number in a stream, from 1."""

    line: Annotated[int, Meta(ge=1, le=10**15)] | UnsetType = UNSET
    game: GameId | None
    status: Literal["right", "wrong", "unusable"]
    first_wrong_ply: Ply | None
    findings: Annotated[tuple[Finding, ...], Meta(max_length=100)]
    is_all: bool
