"""Ports of this machine that nobody uses."""

import socket
from contextlib import ExitStack


def unused_ports(count: int) -> list[int]:
    """So many ports that were free a moment ago, all different."""
    with ExitStack() as held:
        ports = []
        for _ in range(count):
            listener = held.enter_context(socket.socket())
            listener.bind(("127.0.0.1", 0))
            ports.append(int(listener.getsockname()[1]))
        return ports
