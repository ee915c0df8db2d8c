"""The closed lists of the contract are those of the engine and of the service."""

from typing import Any

import pytest

from engine.rulebook import RULES, Violation
from engine.ruleset import BOUNDS, CHOICES, END_BOUNDS, PRESETS, RULES_VERSION, Ruleset
from service.problems import KINDS
from tests.contract.document import SCHEMAS, Example, deref, examples

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
    assert problem["title"] == KINDS[example.name].title  # type: ignore[index]
    if "rules" in problem:
        assert tuple(problem["rules"]) == RULES[Violation(problem["violation"])]
        assert problem["links"] == [f"/v1/rules/{rule}" for rule in problem["rules"]]
