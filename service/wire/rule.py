"""What can be read up: the rules of the game, and the kinds of problems."""

from typing import Annotated

from msgspec import Meta, Struct

from service.wire.problem import ProblemType, RuleLink, Violation
from service.wire.words import RuleId

Title = Annotated[str, Meta(min_length=1, max_length=100)]
Text = Annotated[str, Meta(min_length=1, max_length=2000)]
OptionName = Annotated[str, Meta(min_length=1, max_length=40, pattern=r"^[a-z_]*\Z")]


class Rule(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A rule or ruling, the options that change it, and the violations that break it."""

    id: RuleId
    title: Title
    text: Text
    chapter: Title
    options: Annotated[tuple[OptionName, ...], Meta(max_length=50)]
    violations: Annotated[tuple[Violation, ...], Meta(max_length=50)]
    link: RuleLink


class Rules(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """All rules and rulings, chapter by chapter."""

    items: Annotated[tuple[Rule, ...], Meta(max_length=200)]


class ProblemPage(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A kind of problem: what has happened and what to do, and the violations told by it."""

    type: ProblemType
    title: Title
    status: Annotated[int, Meta(ge=400, le=599)]
    text: Text
    violations: Annotated[tuple[Violation, ...], Meta(max_length=50)]
