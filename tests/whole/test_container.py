"""The image: its steps, really done, make what serves games as it should."""

import re
import signal
import socket
import tomllib
from collections.abc import Callable
from importlib.metadata import distributions
from importlib.util import cache_from_source
from pathlib import Path

import httpx
import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.sight.collector import collecting
from tests.store.servers import Server, wait_until
from tests.whole import box
from tests.whole.locks import read_lock, unmet
from tests.whole.replay import ROOT, Image, built
from tests.whole.serving import Players

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))

LARGEST = 80
"""MB. It was 67 when this was written; one needless package may be 25."""


@pytest.mark.skipif(box.needs() is not None, reason=str(box.needs()))
def test_its_steps_make_what_serves_games(tmp_path: Path, measured: Callable[[str], None]) -> None:
    """One test of everything, since the steps take a while."""
    with built(tmp_path) as image, Server("--unixsocketperm", "777") as store:
        it_holds_what_the_lock_pins_and_nothing_else(image)
        measured(f"image: {it_is_small(image)} MB more than its base")
        it_has_nothing_left_to_install_with(image)
        it_can_write_to_its_temporary_folder_alone(image)
        it_compiles_nothing_when_it_runs(image)
        store.folder.chmod(0o711)
        socket_there = f"{image.box.shares(store.folder)}/{store.socket.name}"
        it_serves_as_its_own_user_until_told_to_stop(image, f"unix://{socket_there}")


def it_holds_what_the_lock_pins_and_nothing_else(image: Image) -> None:
    lock = read_lock("requirements")
    installed = distributions(path=[str(packages_of(image))])
    found = {canonicalize_name(each.name): each for each in installed}
    own = found.pop(canonicalize_name(PROJECT["project"]["name"]))
    assert {name: each.version for name, each in found.items()} == lock.pinned()
    assert own.version == PROJECT["project"]["version"]
    asked = [each for package in found.values() for each in unmet(package.requires, lock.pinned())]
    assert {canonicalize_name(Requirement(each).name) for each in asked} <= set(lock.left_out)


def it_is_small(image: Image) -> int:
    """How much the service adds to the base, in MB."""
    folder = Path(image.box.seen_by_others("/app"))
    size = sum(path.lstat().st_size for path in folder.rglob("*")) // 1_000_000
    assert size < LARGEST
    return size


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


def it_compiles_nothing_when_it_runs(image: Image) -> None:
    sources = list(packages_of(image).rglob("*.py"))
    assert len(sources) > 500
    assert [path for path in sources if not Path(cache_from_source(str(path))).exists()] == []
    # Of the standard library, what is loaded at every start.
    search = """if True:
        import pathlib, sys, service.__main__
        kept = [getattr(module, "__cached__", None) for module in sys.modules.values()]
        print([path for path in kept if path and not pathlib.Path(path).exists()])"""
    assert image.says(["python", "-c", search]) == (0, "[]\n")


def it_serves_as_its_own_user_until_told_to_stop(image: Image, redis_url: str) -> None:
    port = str(unused_port())
    url = f"http://127.0.0.1:{port}"
    with collecting() as collector:
        settings = {
            "REFEREE_REDIS_URL": redis_url,
            "REFEREE_PORT": port,
            "REFEREE_DRAIN_SECONDS": "0",
            "OTEL_EXPORTER_OTLP_ENDPOINT": collector.url,
        }
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
    assert collector.spans, "it can send traces"


def packages_of(image: Image) -> Path:
    [packages] = Path(image.box.seen_by_others("/app/lib")).glob("python3.*/site-packages")
    return packages


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
