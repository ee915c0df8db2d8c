"""The embedded server dies alone: the service starts it again, and the games go on.

Whatever was acknowledged is on disk by then, so nothing is lost; meanwhile requests are answered
503, and a client that asks again has its move played once.
"""

import os
import signal
import time
from collections.abc import Callable
from pathlib import Path

from tests.faults.load import UNLIMITED, load_on
from tests.whole.serving import served

KILLS = int(os.environ.get("TEST_KILLS", "2"))


def test_no_move_is_lost_or_doubled_and_no_restart_is_needed(
    tmp_path: Path, measured: Callable[[str], None]
) -> None:
    took = []
    with served(tmp_path, settings=UNLIMITED) as service:
        with load_on(service.url) as load:
            for _ in range(KILLS):
                killed = time.monotonic()
                os.kill(int((tmp_path / "server.pid").read_text()), signal.SIGKILL)
                load.await_moves()
                took.append(load.recovered(killed))
        kept = load.assert_kept()
    assert "503" in load.refusals
    measured(f"embedded server killed: moves again after {max(took):.2f} s; {kept} kept")
