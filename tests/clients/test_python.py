"""A client that openapi-python-client makes from the contract plays a whole game."""

import re
import subprocess
import sys
from pathlib import Path

from tests.clients.playing import assert_two_deals
from tests.contract.document import PATH
from tests.whole.serving import environment, served

PLAYER = Path(__file__).parent / "python" / "player.py"
PROGRAMS = Path(sys.executable).parent

# The generator knows JSON and text, and each of these works with what it has made all the same: its
# function for records takes one as JSON, though no stream of them, and the one for the contract
# leaves the bytes to a YAML parser. No other media types would be true.
EXCEPTIONS = [
    "WARNING parsing POST /v1/records/verify within judging.",
    "WARNING parsing GET /openapi.yaml within service.",
]


def generated(package: Path) -> list[str]:
    """Make the client, and tell the headlines of what the generator has to say about it."""
    run = subprocess.run(
        [
            str(PROGRAMS / "openapi-python-client"),
            *("generate", "--path", str(PATH), "--meta", "none", "--output-path", str(package)),
        ],
        check=True,
        capture_output=True,
        text=True,
        # The generator tidies up with Ruff, which it brings along.
        env=environment(PATH=f"{PROGRAMS}:/usr/bin:/bin"),
    )
    return re.findall(r"^(?:WARNING|ERROR|Skipping).*", run.stdout + run.stderr, re.MULTILINE)


def test_it_is_generated_without_a_warning_and_plays_two_deals(tmp_path: Path) -> None:
    assert generated(tmp_path / "referee_client") == EXCEPTIONS
    with served(tmp_path / "games") as service:
        played = subprocess.run(
            [sys.executable, "-W", "error", str(PLAYER), service.url],
            check=True,
            capture_output=True,
            text=True,
            env=environment(PYTHONPATH=str(tmp_path)),
        )
        assert played.stderr == ""
        assert_two_deals(service.url, played.stdout)
