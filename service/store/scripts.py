"""The Lua scripts, read from the package, ready to be sent."""

import hashlib
from importlib.resources import files
from typing import Final

from msgspec import Struct


class Script(Struct, frozen=True):
    """One script: its source, and the SHA-1 by which the server remembers it."""

    name: str
    source: str
    sha: str
    lasts: bool
    """Whether somebody will rely on what it wrote: replicas have to know it, too."""


def _read(name: str, *, lasts: bool = False) -> Script:
    folder = files("service.store") / "lua"
    flags, _, body = (folder / f"{name}.lua").read_text("utf-8").partition("\n")
    prelude = (folder / "prelude.lua").read_text("utf-8")
    # The server wants the `#!lua` line first, so the shared prelude goes right behind it.
    source = "\n".join((flags, prelude, body))
    # SHA-1 is what the server's script cache is keyed by; nothing secret hangs on it.
    sha = hashlib.sha1(source.encode(), usedforsecurity=False).hexdigest()
    return Script(name, source, sha, lasts)


OPEN: Final = _read("open", lasts=True)
COMMIT: Final = _read("commit", lasts=True)
CONFIRM: Final = _read("confirm", lasts=True)
LOAD: Final = _read("load")
LOG: Final = _read("log")
REPLACE_TOKEN: Final = _read("replace_token", lasts=True)
DELETE: Final = _read("delete", lasts=True)
RESERVE: Final = _read("reserve", lasts=True)
TAKE: Final = _read("take")
LIST: Final = _read("list")
ENLIST: Final = _read("enlist")
DELIST: Final = _read("delist")
WHOLE: Final = _read("whole")
THERE: Final = _read("there")
RESTORE: Final = _read("restore", lasts=True)
PEEK: Final = _read("peek")
PUT: Final = _read("put", lasts=True)
