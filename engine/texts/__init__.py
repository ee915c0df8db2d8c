"""The rules as a player reads them: one text for each rule and ruling, by chapter."""

from functools import cache
from typing import Final

from engine.rulebook import RULES, Violation
from engine.texts.chapter import Chapter, Rule
from engine.texts.going_out import GOING_OUT
from engine.texts.melds import MELDS
from engine.texts.pile import PILE
from engine.texts.referee import REFEREE
from engine.texts.scoring import SCORING
from engine.texts.setting_up import SETTING_UP
from engine.texts.stock import STOCK
from engine.texts.table import TABLE
from engine.texts.turn import TURN

CHAPTERS: Final[tuple[Chapter, ...]] = (
    SETTING_UP,
    MELDS,
    TURN,
    PILE,
    TABLE,
    GOING_OUT,
    STOCK,
    SCORING,
    REFEREE,
)
"""All chapters, in the order in which a newcomer reads them."""


def all_rules() -> tuple[Rule, ...]:
    """Every rule and ruling, chapter by chapter."""
    return tuple(rule for chapter in CHAPTERS for rule in chapter.rules)


def rule(wanted: str) -> Rule:
    """The rule of this id, such as ``R-11``. Raises KeyError."""
    return _by_id()[wanted]


def chapter_of(wanted: str) -> Chapter:
    """The chapter that a rule stands in. Raises KeyError."""
    found = rule(wanted)
    return next(chapter for chapter in CHAPTERS if found in chapter.rules)


def violations_of(wanted: str) -> tuple[Violation, ...]:
    """The violations that break this rule; empty for most rules."""
    return tuple(broken for broken, rules in RULES.items() if wanted in rules)


@cache
def _by_id() -> dict[str, Rule]:
    return {rule.id: rule for rule in all_rules()}
