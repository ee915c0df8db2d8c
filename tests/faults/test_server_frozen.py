"""The server hangs, longer than its callers wait: what they ask again is played once.

A frozen server has commands in its sockets, and does them when it goes on, after their senders have
given up and sent them again: first the player who waits for the service, then the service itself.
"""

import time
from collections.abc import Callable

import httpx
import pytest

from tests.faults.load import load_on
from tests.store.servers import Server
from tests.whole.serving import QUICKLY, Service


@pytest.mark.parametrize(
    ("patience", "refusal"),
    [
        pytest.param(0.4, "ReadTimeout", id="longer than a player waits"),
        pytest.param(30.0, "503", id="longer than the service waits"),
    ],
)
def test_no_move_is_played_twice(
    durable: Server,
    service: Service,
    patience: float,
    refusal: str,
    measured: Callable[[str], None],
) -> None:
    with load_on(service.url, patience=patience) as load:
        durable.freeze()
        frozen = time.monotonic()
        load.await_refusals(refusal, 2 if refusal == "ReadTimeout" else 1)
        assert httpx.get(f"{service.url}/healthz", **QUICKLY).status_code == 200
        assert httpx.get(f"{service.url}/readyz", **QUICKLY).status_code == 503
        durable.thaw()
        thawed = time.monotonic()
        load.await_moves()
        took = load.recovered(thawed)
    kept = load.assert_kept()
    assert refusal in load.refusals
    measured(
        f"server frozen for {thawed - frozen:.1f} s: moves again after {took:.2f} s; {kept} kept"
    )
