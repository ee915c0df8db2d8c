"""The data folder of the embedded server: one service at a time, one server at a time.

lock           held by the service for its life; its process id is in it
server.lock    held by the server process for its life, however it and its service end
server.pid     the process id of the server, written by the server
server.socket  where its socket lies: a socket's path must be short, a data folder may be deep
server.log     what the server has to say
appendonlydir  the games

Locks are flocks: the kernel drops them when their last holder dies, so that nothing has to be
cleaned up after a kill, and no process id is trusted for more than it says.
"""

import fcntl
import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

LONGEST_SOCKET_PATH: Final = 103
"""Bytes. Linux takes 107, macOS 103."""
ENDS_WITHIN: Final = 10.0
"""Seconds that a server may take to end by itself. Each write is synced, so killing it is safe."""
LOOK_EVERY: Final = 0.01
"""Seconds between two looks at something that will change soon."""


class FolderInUse(Exception):  # noqa: N818 - a condition, not a mistake
    """Another service works on the folder, or a server that cannot be ended."""


class DataFolder:
    """A data folder that this service alone may use, until `release`."""

    def __init__(self, path: Path) -> None:
        """Take the folder, made if it is missing. Raises FolderInUse, or OSError."""
        self.path: Final = path.absolute()
        self.path.mkdir(mode=0o700, parents=True, exist_ok=True)
        lock = _lock(self.path / "lock")
        if lock is None:
            raise FolderInUse(
                f"the folder {self.path} is in use by another referee (process {self._owner()}). "
                f"Stop that one, or choose another folder."
            )
        self._lock = lock
        os.truncate(lock, 0)
        os.pwrite(lock, str(os.getpid()).encode(), 0)

    @property
    def server_log(self) -> Path:
        """Where the server writes what it has to say."""
        return self.path / "server.log"

    @property
    def server_pid(self) -> Path:
        """Where the server writes its process id."""
        return self.path / "server.pid"

    @contextmanager
    def server_lock(self) -> Iterator[int]:
        """A descriptor that holds the server's lock, for the first server to inherit.

        Ends a server that a killed service left behind, and waits for it. Raises FolderInUse
        where that server does not end.
        """
        lock = self._lock_after_orphan()
        try:
            self.forget_socket()
            self.server_pid.unlink(missing_ok=True)
            yield lock
        finally:
            os.close(lock)

    @contextmanager
    def next_server_lock(self) -> Iterator[int]:
        """The same for a server that takes the place, and the socket, of one that has ended.

        Raises FolderInUse where something of that one still works on the folder.
        """
        lock = _lock(self.path / "server.lock")
        if lock is None:
            raise FolderInUse(f"the server on {self.path} has not ended altogether")
        try:
            yield lock
        finally:
            os.close(lock)

    def new_socket(self) -> Path:
        """A path for the server's socket, in a fresh private folder, and noted in this one.

        Raises OSError where no temporary folder has a path short enough.
        """
        for root in (tempfile.gettempdir(), "/tmp"):  # noqa: S108 - mkdtemp makes it private
            socket = Path(root) / "referee-12345678" / "socket"
            if len(os.fsencode(socket)) <= LONGEST_SOCKET_PATH:
                socket = Path(tempfile.mkdtemp(prefix="referee-", dir=root)) / "socket"
                (self.path / "server.socket").write_text(str(socket), "utf-8")
                return socket
        raise OSError("no temporary folder has a path short enough for a socket: set TMPDIR")

    def forget_socket(self) -> None:
        """Remove the private folder of the noted socket, and the note."""
        if socket := _read(self.path / "server.socket"):
            shutil.rmtree(Path(socket).parent, ignore_errors=True)
        (self.path / "server.socket").unlink(missing_ok=True)

    def release(self) -> None:
        """Let others have the folder."""
        os.close(self._lock)

    def _owner(self) -> str:
        return _read(self.path / "lock") or "unknown"

    def _lock_after_orphan(self) -> int:
        started = time.monotonic()
        signals = [signal.SIGKILL, signal.SIGTERM]
        while (lock := _lock(self.path / "server.lock")) is None:
            waited = time.monotonic() - started
            if waited > 2 * ENDS_WITHIN:
                raise FolderInUse(
                    f"a server left behind on {self.path} does not end "
                    f"(process {_read(self.server_pid) or 'unknown'}). End it, and start again."
                )
            is_due = len(signals) == 2 or (len(signals) == 1 and waited > ENDS_WITHIN)
            if is_due and (pid := self._orphan()):
                os.kill(pid, signals.pop())
            time.sleep(LOOK_EVERY)
        return lock

    def _orphan(self) -> int | None:
        """The process of the server that was left behind; no process that merely has its id."""
        pid, socket = _read(self.server_pid), _read(self.path / "server.socket")
        if pid.isdecimal() and socket and socket in _command_line(int(pid)):
            return int(pid)
        return None


def noted_socket(path: Path) -> Path | None:
    """Where the socket of a folder's server lies, by the note of the service that uses it."""
    noted = _read(path / "server.socket")
    return Path(noted) if noted else None


def holds_games(path: Path) -> bool:
    """Whether an embedded server has ever worked on this folder."""
    return (path / "appendonlydir").is_dir()


def _lock(path: Path) -> int | None:
    """A descriptor that holds the flock of a file, or None where another holds it."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        return None
    return descriptor


def _read(path: Path) -> str:
    """What a note says; empty where there is none."""
    try:
        return path.read_text("utf-8").strip()
    except FileNotFoundError:
        return ""


def _command_line(pid: int) -> str:
    """How a process was started; empty where there is none. A server's names its socket."""
    if Path("/proc/self/cmdline").exists():
        return _read(Path(f"/proc/{pid}/cmdline"))
    # macOS has no /proc, but always has ps.
    found = subprocess.run(  # noqa: S603 - a fixed program and a number
        ["/bin/ps", "-ww", "-o", "command=", "-p", str(pid)],
        capture_output=True,
        text=True,
        check=False,
    )
    return found.stdout
