"""The rules of the game, to be read up."""

from functools import cache

import msgspec

from engine import texts
from service.wire import rule as wire


@cache
def all_rules() -> wire.Rules:
    """Every rule and ruling, chapter by chapter."""
    return wire.Rules(items=tuple(rule(each.id) for each in texts.all_rules()))


def rule(wanted: str) -> wire.Rule:
    """One rule. Raises KeyError where there is none of this id."""
    found = texts.rule(wanted)
    return msgspec.convert(
        {
            "id": found.id,
            "title": found.title,
            "text": found.text,
            "chapter": texts.chapter_of(wanted).title,
            "options": found.options,
            "violations": [broken.value for broken in texts.violations_of(wanted)],
            "link": f"/v1/rules/{wanted}",
        },
        wire.Rule,
    )
