"""What the Dockerfile and .dockerignore promise about the image, read from them."""

import json
import re
import tomllib

import pytest

from service.settings import PREFIX, Settings, variable
from tests.whole.dockerfile import ignored
from tests.whole.replay import FINAL, ROOT, STAGES

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))


def every(word: str) -> list[str]:
    return [step.text for stage in STAGES for step in stage.steps if step.word == word]


def test_its_base_is_one_release_and_no_floating_tag() -> None:
    named = {stage.base for stage in STAGES} - {stage.name for stage in STAGES}
    assert len(named) == 1
    assert re.fullmatch(r"python:3\.\d+\.\d+-slim-[a-z]+", named.pop())


def test_its_user_is_two_numbers_and_not_root() -> None:
    assert re.fullmatch(r"[1-9]\d{3,}:[1-9]\d{3,}", FINAL.last("USER").text)


def test_its_commands_are_run_without_a_shell() -> None:
    health = FINAL.last("HEALTHCHECK").text
    for command in (FINAL.last("ENTRYPOINT").text, FINAL.last("CMD").text, health.split("CMD ")[1]):
        assert all(isinstance(word, str) for word in json.loads(command))


def test_its_labels_say_what_it_is() -> None:
    labels = FINAL.last("LABEL").pairs
    for name in ("title", "description", "licenses", "version", "revision"):
        assert labels[f"org.opencontainers.image.{name}"]
    assert labels["org.opencontainers.image.licenses"] == PROJECT["project"]["license"]
    assert f"VERSION={PROJECT['project']['version']}" in every("ARG")


def test_its_variables_are_settings() -> None:
    names = [name for step in FINAL.steps if step.word == "ENV" for name in step.pairs]
    known = {variable(field) for field in Settings.__struct_fields__}
    assert {name for name in names if name.startswith(PREFIX)} <= known
    assert FINAL.last("EXPOSE").text == FINAL.last("ENV").pairs[variable("port")]


def test_whatever_it_installs_is_pinned_with_hashes_or_our_own() -> None:
    commands = [part for text in every("RUN") for part in text.split("&&") if "install" in part]
    assert commands
    for command in commands:
        pinned = {"--require-hashes", "--no-deps", "--only-binary=:all:"} <= set(command.split())
        own = {"--no-index", "--no-deps", "/wheels/*.whl"} <= set(command.split())
        assert pinned or own, command


@pytest.mark.parametrize(
    "path", ["tests", ".git", ".ci", "k8s", "Dockerfile", ".env", "openapi.yaml"]
)
def test_nothing_else_of_the_folder_goes_into_the_build(path: str) -> None:
    assert ignored(ROOT, ROOT / path)


def test_no_byte_code_goes_into_the_build() -> None:
    assert ignored(ROOT, ROOT / "engine/__pycache__/play.cpython-313.pyc")
    assert not ignored(ROOT, ROOT / "engine/play.py")
