"""A client with types that openapi-typescript makes from the contract plays a whole game."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.clients.playing import assert_two_deals
from tests.contract.document import PATH
from tests.whole.serving import environment, served

PROJECT = Path(__file__).parent / "typescript"
NEEDED_NODE = 20


def _run(folder: Path, *command: str) -> str:
    """The output of a command that has nothing to complain of."""
    done = subprocess.run(
        command, cwd=folder, capture_output=True, text=True, env=environment(), check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return re.sub("\x1b.*?m", "", done.stdout + done.stderr)


def _missing() -> str | None:
    """Why a TypeScript client cannot be made here, or None."""
    if not (shutil.which("node") and shutil.which("npm")):
        return f"there is no node or no npm here: install Node.js {NEEDED_NODE} or later"
    version = _run(PROJECT, "node", "--version").strip()
    if int(version.lstrip("v").split(".")[0]) < NEEDED_NODE:
        return f"node is {version} here: install Node.js {NEEDED_NODE} or later"
    return None


def _is_installed() -> bool:
    """Whether node_modules holds what the lock file names."""
    installed = PROJECT / "node_modules" / ".package-lock.json"
    lock = PROJECT / "package-lock.json"
    return installed.exists() and installed.stat().st_mtime >= lock.stat().st_mtime


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """The player in a folder where it can be compiled, with all that it needs."""
    if reason := _missing():
        # A laptop may do without; the run that decides may not.
        (pytest.fail if os.environ.get("CI") else pytest.skip)(reason)
    if not _is_installed():
        _run(PROJECT, "npm", "ci")
    folder = tmp_path / "client"
    shutil.copytree(PROJECT, folder, ignore=shutil.ignore_patterns("node_modules"))
    (folder / "node_modules").symlink_to(PROJECT / "node_modules")
    return folder


def test_it_is_generated_without_a_warning_and_plays_two_deals(
    project: Path, tmp_path: Path
) -> None:
    programs = project / "node_modules" / ".bin"
    told = _run(project, str(programs / "openapi-typescript"), str(PATH), "-o", "referee.ts")
    # It says its name and what it has made: anything more is a warning.
    assert [line[0] for line in told.splitlines() if line] == ["✨", "🚀"]
    assert _run(project, str(programs / "tsc"), "--strict") == ""
    with served(tmp_path / "games") as service:
        assert_two_deals(service.url, _run(project, "node", "player.js", service.url))


def test_the_lock_file_names_no_registry() -> None:
    lock = (PROJECT / "package-lock.json").read_text("utf-8")
    assert '"resolved"' not in lock
    assert lock.count('"integrity"') == lock.count('"node_modules/')
