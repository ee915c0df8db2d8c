"""Schemathesis drives the app from the contract, with all its checks and all its phases."""

import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from service.app import create_app
from service.settings import Settings
from tests.contract.document import PATH
from tests.service.tiny import served

CONFIG = Path(__file__).with_name("schemathesis.toml")
TOP = Path(__file__).parents[2]

# Cases for each operation in the fuzzing phase; the other phases add as many again.
CASES = int(os.environ.get("TEST_CASES", "30"))
# Far above the minute that the usual cases take.
SECONDS = 300 + 20 * CASES


def test_schemathesis_finds_no_fault(
    redis_url: str, tmp_path: Path, measured: Callable[[str], None]
) -> None:
    with served(create_app(Settings(redis_url=redis_url, limits=False))) as port:
        command = ["--config-file", str(CONFIG), "--no-color", "run", str(PATH)]
        command += ["--url", f"http://127.0.0.1:{port}", "--max-examples", str(CASES)]
        run = subprocess.run(
            [sys.executable, "-m", "schemathesis.cli", *command],
            cwd=tmp_path,
            env=os.environ | {"PYTHONPATH": str(TOP)},
            check=False,
            capture_output=True,
            text=True,
            timeout=SECONDS,
        )
    print(run.stdout, run.stderr)
    assert run.returncode == 0, run.stdout + run.stderr
    generated = re.search(r"(\d+) generated", run.stdout)
    assert generated
    assert int(generated[1]) >= 2000
    measured(f"Schemathesis: {generated[1]} cases, 0 failures")
    for phase in ("Examples", "Coverage", "Fuzzing", "Stateful"):
        assert f"✅ {phase}" in run.stdout
