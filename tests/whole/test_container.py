"""The image: what its Dockerfile promises, and what its steps make when they are really done."""

import json
import re
import signal
import socket
import tomllib
from importlib.metadata import distributions
from pathlib import Path

import httpx
import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from service.settings import PREFIX, Settings, variable
from tests.store.servers import Server, wait_until
from tests.whole import box
from tests.whole.dockerfile import ignored
from tests.whole.locks import read_lock, unmet
from tests.whole.replay import FINAL, ROOT, STAGES, Image, built
from tests.whole.serving import Players

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


@pytest.mark.skipif(box.needs() is not None, reason=str(box.needs()))
def test_its_steps_make_what_serves_games(tmp_path: Path) -> None:
    """One test of everything, since the steps take a while."""
    with built(tmp_path) as image, Server("--unixsocketperm", "777") as store:
        it_holds_what_the_lock_pins_and_nothing_else(image)
        it_has_nothing_left_to_install_with(image)
        it_can_write_to_its_temporary_folder_alone(image)
        store.folder.chmod(0o711)
        socket_there = f"{image.box.shares(store.folder)}/{store.socket.name}"
        it_serves_as_its_own_user_until_told_to_stop(image, f"unix://{socket_there}")


def it_holds_what_the_lock_pins_and_nothing_else(image: Image) -> None:
    lock = read_lock("requirements")
    [packages] = Path(image.box.seen_by_others("/app/lib")).glob("python3.*/site-packages")
    found = {canonicalize_name(each.name): each for each in distributions(path=[str(packages)])}
    own = found.pop(canonicalize_name(PROJECT["project"]["name"]))
    assert {name: each.version for name, each in found.items()} == lock.pinned()
    assert own.version == PROJECT["project"]["version"]
    asked = [each for package in found.values() for each in unmet(package.requires, lock.pinned())]
    assert {canonicalize_name(Requirement(each).name) for each in asked} <= set(lock.left_out)


def it_has_nothing_left_to_install_with(image: Image) -> None:
    look = "for name in apt apt-get aptitude dpkg pip pip3; do command -v $name; done"
    assert image.says(["sh", "-c", look]) == (127, "")
    search = "from importlib.util import find_spec as find; print(find('pip'), find('ensurepip'))"
    for python in ("/app/bin/python", "/usr/local/bin/python"):
        assert image.says([python, "-c", search]) == (0, "None None\n"), python


def it_can_write_to_its_temporary_folder_alone(image: Image) -> None:
    places = ("/new", "/app/new", "/usr/local/new", "/var/tmp/new")
    status, told = image.says(["touch", "/tmp/new", *places])
    assert (status, told.count("Read-only file system")) == (1, len(places)), told


def it_serves_as_its_own_user_until_told_to_stop(image: Image, redis_url: str) -> None:
    port = str(unused_port())
    url = f"http://127.0.0.1:{port}"
    settings = {"REFEREE_REDIS_URL": redis_url, "REFEREE_PORT": port}
    assert image.says(image.health, settings)[0] == 1, "there is nothing healthy yet"
    service = image.start(image.command, settings)
    try:
        wait_until(lambda: service.poll() is not None or answers(f"{url}/readyz"))
        status = Path(f"/proc/{service.pid}/status").read_text("utf-8")
        assert image.user == ":".join(re.findall(r"^[UG]id:\t(\d+)", status, re.MULTILINE))
        assert image.says(image.health, settings) == (0, "")
        assert "swagger-ui.js" in httpx.get(f"{url}/docs").text
        assert Players(url, seed=7).play(url, 20)
    finally:
        service.send_signal(signal.Signals[image.stop_signal])
        told, _ = service.communicate(timeout=30)
    assert service.returncode == 0, told


def unused_port() -> int:
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        port: int = bound.getsockname()[1]
        return port


def answers(url: str) -> bool:
    try:
        return httpx.get(url).is_success
    except httpx.TransportError:
        return False
