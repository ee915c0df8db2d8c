"""A service of one's own: a `referee serve` in the background, for as long as it is needed."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import service
from service.commands.players import ServiceError

# It ends within REFEREE_SHUTDOWN_SECONDS, and its store needs a moment to close.
_ENDS_WITHIN_SECONDS: Final = 30.0
_LISTENS: Final = re.compile(r"listens at (http://\S+)")


@contextmanager
def own_service(folder: Path | None) -> Iterator[str]:
    """The URL of a new service, which keeps its games in ``folder``, or else nowhere.

    Raises ServiceError if it does not start; it has said why on stderr by then.
    """
    with TemporaryDirectory(prefix="referee-") as passing:
        serving = _start(folder or Path(passing))
        try:
            yield _url(serving)
        finally:
            _stop(serving)


def _start(folder: Path) -> subprocess.Popen[str]:
    command = [sys.executable, "-P", "-m", "service", "serve"]
    options = ["--host", "127.0.0.1", "--port", "0", "--data", str(folder)]
    # The same code as this, wherever the command was called from.
    ours = str(Path(service.__file__).parent.parent)
    paths = [ours, *filter(None, [os.environ.get("PYTHONPATH")])]
    quiet = {"REFEREE_LOG_LEVEL": os.environ.get("REFEREE_LOG_LEVEL") or "warning"}
    # It has no caller but this, who needs no time to go elsewhere.
    hurried = {"REFEREE_DRAIN_SECONDS": "0"}
    return subprocess.Popen(  # noqa: S603 - our own command, with a folder from our own caller
        command + options,
        env={**os.environ, **quiet, **hurried, "PYTHONPATH": os.pathsep.join(paths)},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,  # Ctrl-C is for us; it is told to end when we have done with it
    )


def _url(serving: subprocess.Popen[str]) -> str:
    assert serving.stdout is not None
    for line in serving.stdout:
        if found := _LISTENS.search(line):
            return found[1]
    raise ServiceError("the service of this demo did not start")


def _stop(serving: subprocess.Popen[str]) -> None:
    serving.terminate()
    try:
        serving.communicate(timeout=_ENDS_WITHIN_SECONDS)
    except subprocess.TimeoutExpired:
        serving.kill()
        serving.communicate()
