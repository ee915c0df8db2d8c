"""A root folder to build and run an image in, for want of a container engine.

What lies in it at first is this machine's own root, with the Python that runs the tests in
/usr/local, where the official images have theirs. Whatever is written or removed in it stays in
memory, out of everybody's sight, and is gone with the box. Needs root.
"""

import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final

# Layers over the root and over the Python, both in memory; nothing below can be written to.
_LAYERS: Final = """
set -eu
mount -t tmpfs -o mode=755 box "$1" && cd "$1"
mkdir upper work upper-python work-python root
mount -t overlay -o "lowerdir=/,upperdir=$1/upper,workdir=$1/work" box root
mount -t overlay -o "lowerdir=$2,upperdir=$1/upper-python,workdir=$1/work-python" box root/usr/local
[ -e root/usr/local/bin/python ] || ln -s python3 root/usr/local/bin/python
# The user of the image is to reach it, also if it lies in somebody's home.
folder=$2; while folder=$(dirname "$folder"); [ "$folder" != / ]; do chmod a+x "root$folder"; done
mount -t proc proc root/proc
mount --rbind /dev root/dev
mount -t tmpfs -o mode=1777 tmp root/tmp
"""
_UNTIL_CLOSED: Final = "echo there; exec cat"


class Box:
    """A root folder of its own, in a mount namespace of its own, which this process keeps."""

    def __init__(self, folder: Path, keeper: int) -> None:
        self.folder = folder
        self.root = folder / "root"
        self._keeper = keeper

    def outside(self, *command: str) -> None:
        """Do something to the box from outside, where `root` is what it will see as /."""
        subprocess.run([*self._entered(), *command], check=True)

    def inside(self, *command: str, user: str = "0:0") -> list[str]:
        """The command line that runs a command in the box, as a user who cannot become another."""
        uid, _, gid = user.partition(":")
        ids = ("--reuid", uid, "--regid", gid, "--clear-groups", "--no-new-privs")
        return [*self._entered(), "chroot", str(self.root), "setpriv", *ids, *command]

    def run(self, environ: Mapping[str, str], *command: str) -> None:
        """Run a command in it as root. Fails with what it said."""
        done = subprocess.run(
            self.inside(*command),
            env=environ,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        # Not check=True: that would keep to itself what the command said.
        assert done.returncode == 0, f"{' '.join(command)}\n{done.stdout}"

    def shares(self, folder: Path) -> str:
        """Where a folder of this machine is in the box, below its /tmp."""
        inner = f"/tmp/{folder.name}"
        self.outside("mkdir", f"{self.root}{inner}")
        self.outside("mount", "--bind", str(folder), f"{self.root}{inner}")
        return inner

    def seen_by_others(self, path: str) -> str:
        """Where those who are not in this box's mount namespace find a path of it."""
        return f"/proc/{self._keeper}/root{self.root}{path}"

    def _entered(self) -> list[str]:
        return ["nsenter", "--mount", "--target", str(self._keeper), "--"]

    def freeze(self) -> None:
        """Let nothing be written from now on but in /tmp, which is empty again."""
        for layer in (self.root, self.root / "usr/local"):
            self.outside("mount", "-o", "remount,ro", str(layer))
        self.outside("mount", "-t", "tmpfs", "-o", "mode=1777", "tmp", str(self.root / "tmp"))


@contextmanager
def box(folder: Path) -> Iterator[Box]:
    """A box for as long as it is needed. Raises OSError where this machine allows none."""
    keeper = subprocess.Popen(
        ["unshare", "--mount", "sh", "-c", _LAYERS + _UNTIL_CLOSED, "box", folder, sys.base_prefix],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert keeper.stdout is not None
    try:
        if not keeper.stdout.readline():
            assert keeper.stderr is not None
            raise OSError(f"no box can be had here: {keeper.stderr.read().decode()}")
        yield Box(folder, keeper.pid)
    finally:
        keeper.communicate()


def needs() -> str | None:
    """Why no box can be had here, or None."""
    if sys.platform != "linux" or os.geteuid() != 0:
        return "only root on Linux can change root folders and users"
    tried = subprocess.run(["unshare", "--mount", "true"], capture_output=True, check=False)
    return None if tried.returncode == 0 else "this machine has no mount namespaces to give"
