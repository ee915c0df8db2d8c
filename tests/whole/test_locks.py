"""The locks hold what pyproject.toml asks for, pinned with hashes, from nowhere in particular."""

import re
import tomllib

import pytest

from tests.whole.locks import read_lock, unmet
from tests.whole.replay import ROOT, STAGES

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
EXTRAS = re.findall(r"--extra (\S+)", (ROOT / ".ci/lock").read_text("utf-8"))
LOCKS = ("requirements", "build")

AGAIN = "pyproject.toml and service/*.lock differ: make the locks anew with `.ci/lock`"


def test_the_lock_meets_what_the_service_depends_on() -> None:
    project = PROJECT["project"]
    asked = [*project["dependencies"]]
    for extra in EXTRAS:
        asked += project["optional-dependencies"][extra]
    assert unmet(asked, read_lock("requirements").pinned()) == [], AGAIN


def test_the_lock_meets_what_the_package_is_built_with() -> None:
    assert unmet(PROJECT["build-system"]["requires"], read_lock("build").pinned()) == [], AGAIN


@pytest.mark.parametrize("name", LOCKS)
def test_every_pin_is_one_version_with_hashes(name: str) -> None:
    pins = read_lock(name).pins
    assert len(pins) > 3
    for pin in pins:
        assert [each.operator for each in pin.requirement.specifier] == ["=="], pin.name
        assert pin.requirement.url is None
        assert pin.hashes, pin.name
        assert all(re.fullmatch(r"sha256:[0-9a-f]{64}", each) for each in pin.hashes)


@pytest.mark.parametrize("name", LOCKS)
def test_no_lock_names_a_place_to_fetch_from(name: str) -> None:
    text = (ROOT / "service" / f"{name}.lock").read_text("utf-8")
    assert ".ci/lock" in text, "it says how it is made"
    assert not re.search(r"://|--(extra-)?index-url|--find-links|--trusted-host", text)


def test_no_step_of_the_image_names_one_either() -> None:
    assert [step.text for stage in STAGES for step in stage.steps if "://" in step.text] == []
