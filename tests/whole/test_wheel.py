"""The built wheel, in an empty environment, plays a game: nothing it needs is left behind."""

import json
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.whole.serving import environment

ROOT = Path(__file__).parents[2]
EXAMPLES = ("examples/shuffle.json", "examples/verify_shuffle.py", "examples/verify_shuffle.mjs")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of this checkout."""
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run(
        [sys.executable, "-m", "build", "--wheel", "--outdir", str(folder), str(ROOT)],
        check=True,
        capture_output=True,
    )
    return next(folder.glob("*.whl"))


def test_it_holds_the_scripts_and_the_contract(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as packed:
        names = set(packed.namelist())
    scripts = {f"service/store/lua/{path.name}" for path in ROOT.glob("service/store/lua/*.lua")}
    assert len(scripts) > 1
    contract = {f"service/contract/{path}" for path in ("openapi.yaml", *EXAMPLES)}
    assert scripts | contract | {"service/py.typed", "engine/py.typed"} <= names
    assert {name.split("/")[0] for name in names if ".dist-info/" not in name} == {
        "engine",
        "service",
    }


def test_it_plays_a_game_in_an_empty_environment(wheel: Path, tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-m", "venv", str(tmp_path / "env")], check=True)
    programs = tmp_path / "env" / "bin"
    subprocess.run(
        [str(programs / "pip"), "install", "--quiet", f"{wheel}[embedded]"],
        check=True,
        capture_output=True,
    )
    played = subprocess.run(
        [str(programs / "referee"), "demo", "--seed", "1", "--json"],
        check=True,
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env=environment(),
    )
    told = json.loads(played.stdout)
    assert told["result"]["totals"] == told["totals"]
    assert len(told["deals"]) == 2
