"""The server forgets its scripts under load: nobody notices.

A script that is not there is sent whole, in the one command that runs it too.
"""

from tests.faults.load import load_on
from tests.store.servers import Server
from tests.whole.serving import Service


def test_no_request_fails(durable: Server, service: Service) -> None:
    with load_on(service.url) as load, durable.client() as client:
        for _ in range(50):
            client.script_flush()
            load.await_moves(1)
    assert load.refusals == set()
    load.assert_kept()
