"""A proxy before a server that keeps one answer back, so that its command is surely done."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from socketserver import BaseRequestHandler, ThreadingTCPServer

from tests.store.servers import Server

MOST = 1 << 16


class Proxy(ThreadingTCPServer):
    """Passes everything on, but for the answer to one command."""

    daemon_threads = True

    def __init__(self, server: Server) -> None:
        self.server = server
        self.command: bytes | None = None
        """A piece of the command whose answer is kept back."""
        self.kept = threading.Event()
        """Set once that answer has come, and was not passed on."""
        super().__init__(("127.0.0.1", 0), Passing)

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.server_address[1]}"


class Passing(BaseRequestHandler):
    """One connection: commands one way, answers the other."""

    server: Proxy
    request: socket.socket
    _keeps = False

    def handle(self) -> None:
        with socket.socket(socket.AF_UNIX) as self._server:
            self._server.connect(str(self.server.server.socket))
            answers = threading.Thread(target=self._answers, daemon=True)
            answers.start()
            while some := self.request.recv(MOST):
                if self.server.command and self.server.command in some:
                    self._keeps = True
                self._server.sendall(some)
            self._server.shutdown(socket.SHUT_RDWR)
            answers.join()

    def _answers(self) -> None:
        while some := self._server.recv(MOST):
            if self._keeps:
                self.server.kept.set()
            else:
                self.request.sendall(some)


@contextmanager
def proxy_to(server: Server) -> Iterator[Proxy]:
    """A proxy on a TCP port of this machine."""
    with Proxy(server) as proxy:
        thread = threading.Thread(target=proxy.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield proxy
        finally:
            proxy.shutdown()
            thread.join()
