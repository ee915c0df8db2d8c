"""The texts of the rules: each is there, says something of its own, and names what changes it."""

import re

import pytest

from engine.rulebook import RULES, Violation
from engine.ruleset import Ruleset
from engine.scoring import RULE_OF
from engine.texts import CHAPTERS, all_rules, chapter_of, rule, violations_of
from engine.texts.chapter import Rule

OPTIONS = Ruleset.__struct_fields__

# "jokers" is an option and a word of the game, so that a text may name it and mean the cards.
UNMISTAKABLE = [name for name in OPTIONS if "_" in name]

each_rule = pytest.mark.parametrize("told", all_rules(), ids=lambda told: told.id)


def numbers(letter: str) -> list[int]:
    return sorted(int(told.id[2:]) for told in all_rules() if told.id.startswith(letter))


def names(text: str, word: str) -> bool:
    return re.search(rf"\b{word}\b", text) is not None


def test_every_rule_and_every_ruling_has_a_text() -> None:
    assert numbers("R") == list(range(1, 33))
    gaps = {9, 10, 49, 68, 69}
    assert numbers("G") == [number for number in range(1, 75) if number not in gaps]


def test_no_two_say_the_same() -> None:
    for part in ("id", "title", "text"):
        said = [getattr(told, part) for told in all_rules()]
        assert len(set(said)) == len(said)


@each_rule
def test_a_text_is_a_few_sentences(told: Rule) -> None:
    assert re.fullmatch(r"[RG]-[0-9]{2}", told.id)
    assert re.fullmatch(r"[A-Z].{4,59}(?<!\.)", told.title)
    assert re.fullmatch(r"[A-Z].{30,400}\.", told.text)
    assert told.text.count(". ") < 4


@each_rule
def test_an_option_that_changes_a_rule_is_named_in_its_text(told: Rule) -> None:
    assert set(told.options) <= set(OPTIONS)
    assert all(names(told.text, option) for option in told.options)
    assert {option for option in UNMISTAKABLE if names(told.text, option)} <= set(told.options)


@pytest.mark.parametrize("option", OPTIONS)
def test_every_option_changes_some_rule(option: str) -> None:
    assert any(option in told.options for told in all_rules())


@each_rule
def test_a_rule_that_a_text_names_exists(told: Rule) -> None:
    for named in re.findall(r"\b[RG]-[0-9]{2}\b", told.text):
        assert rule(named).id != told.id


def test_what_verdicts_and_ledgers_cite_exists() -> None:
    for cited in {*(one for rules in RULES.values() for one in rules), *RULE_OF.values()}:
        assert rule(cited).id == cited


@pytest.mark.parametrize("broken", Violation)
def test_a_violation_is_listed_with_just_the_rules_that_it_breaks(broken: Violation) -> None:
    listed = {told.id for told in all_rules() if broken in violations_of(told.id)}
    assert listed == set(RULES[broken])


def test_a_rule_stands_in_one_chapter() -> None:
    assert len({chapter.title for chapter in CHAPTERS}) == len(CHAPTERS)
    for chapter in CHAPTERS:
        assert all(chapter_of(told.id) is chapter for told in chapter.rules)


@pytest.mark.parametrize("wanted", ["R-33", "G-09", "r-11", "R-11 ", ""])
def test_there_is_no_other_rule(wanted: str) -> None:
    for ask in (rule, chapter_of):
        with pytest.raises(KeyError):
            ask(wanted)
