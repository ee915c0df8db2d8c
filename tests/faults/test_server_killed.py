"""The server is killed under load: what was acknowledged is on its disk.

With `appendfsync always` no acknowledged move is lost, whenever the kill strikes, and no move is
played twice, however often its client sends it again. Nobody has to restart the service.
"""

import os
import time
from collections.abc import Callable

from tests.faults.load import load_on
from tests.store.servers import Server
from tests.whole.serving import Service

KILLS = int(os.environ.get("TEST_KILLS", "5"))


def test_no_move_is_lost_or_doubled(
    durable: Server, service: Service, measured: Callable[[str], None]
) -> None:
    took = []
    with load_on(service.url) as load:
        for _ in range(KILLS):
            durable.kill()
            durable.start()
            back = time.monotonic()
            load.await_moves()
            took.append(load.recovered(back))
    kept = load.assert_kept()
    measured(f"server killed {KILLS} times: moves {max(took):.2f} s after it is back; {kept} kept")
