"""The closed lists of the contract are those of the engine and of the service."""

from typing import Any

import pytest

from engine.rulebook import RULES, Violation
from engine.ruleset import BOUNDS, CHOICES, END_BOUNDS, PRESETS, RULES_VERSION, Ruleset
from service.wire.kinds import KINDS
from service.wording.problem_pages import problem_page
from service.wording.rules import all_rules
from tests.contract.document import DOCUMENT, PATH, SCHEMAS, Example, deref, examples
from tests.engine import test_violations as tested

problems = [one for one in examples() if one.status is not None and one.status >= 400]


def option(name: str) -> dict[str, Any]:
    return deref(SCHEMAS["Options"]["properties"][name])


def test_violations() -> None:
    assert SCHEMAS["Violation"]["enum"] == list(Violation)


def test_problems() -> None:
    assert SCHEMAS["ProblemType"]["enum"] == [f"/problems/{name}" for name in KINDS]


def test_presets() -> None:
    assert SCHEMAS["PresetName"]["enum"] == list(PRESETS)


def test_the_version_of_the_rules() -> None:
    assert SCHEMAS["RulesVersion"]["const"] == RULES_VERSION


def test_options() -> None:
    names = list(Ruleset.__struct_fields__)
    assert list(SCHEMAS["Options"]["properties"]) == names
    assert SCHEMAS["ResolvedOptions"]["properties"] == SCHEMAS["Options"]["properties"]
    assert SCHEMAS["ResolvedOptions"]["required"] == names


@pytest.mark.parametrize("name", CHOICES)
def test_an_option_that_takes_one_of_a_few_values(name: str) -> None:
    schema = option(name)
    if schema["type"] == "boolean":
        assert set(CHOICES[name]) == {False, True}
    else:
        assert schema["enum"] == list(CHOICES[name])


@pytest.mark.parametrize("name", BOUNDS)
def test_an_option_that_takes_a_number(name: str) -> None:
    assert (option(name)["minimum"], option(name)["maximum"]) == BOUNDS[name]


def test_the_ends_of_a_game() -> None:
    members = SCHEMAS["GameEnd"]["properties"]
    assert {
        name: (member["minimum"], member["maximum"]) for name, member in members.items()
    } == dict(END_BOUNDS)


@pytest.mark.parametrize("example", problems, ids=str)
def test_a_problem_has_the_title_and_the_rules_of_its_kind(example: Example) -> None:
    problem = example.value
    # The names of the examples are those of the problems.
    assert problem["title"] == KINDS[example.name].title  # type: ignore[index]
    if "rules" in problem:
        assert tuple(problem["rules"]) == RULES[Violation(problem["violation"])]
        assert problem["links"] == [f"/v1/rules/{rule}" for rule in problem["rules"]]


def test_names_of_problems() -> None:
    (parameter,) = DOCUMENT["paths"]["/problems/{type}"]["parameters"]
    assert deref(parameter)["schema"]["enum"] == list(KINDS)
    assert {path.stem for path in (PATH.parent / "problems").iterdir()} == set(KINDS)


def test_violations_of_the_pages() -> None:
    of_rules = {one for rule in all_rules().items for one in rule.violations}
    of_problems = {one for name in KINDS for one in problem_page(name).violations}
    assert of_rules == of_problems == set(SCHEMAS["Violation"]["enum"])


@pytest.mark.parametrize("violation", Violation)
def test_a_violation_has_a_test_named_for_it_and_for_its_first_rule(violation: Violation) -> None:
    named = RULES[violation][0].replace("-", "").lower()
    assert callable(getattr(tested, f"test_{named}_{violation}"))


@pytest.mark.parametrize("name", SCHEMAS["Options"]["properties"])
def test_an_option_is_named_by_a_rule(name: str) -> None:
    assert any(name in rule.options for rule in all_rules().items)
