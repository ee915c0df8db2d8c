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


def _read(name: str) -> Script:
    folder = files("service.store") / "lua"
    flags, _, body = (folder / f"{name}.lua").read_text("utf-8").partition("\n")
    prelude = (folder / "prelude.lua").read_text("utf-8")
    # The server wants the `#!lua` line first, so the shared prelude goes right behind it.
    source = "\n".join((flags, prelude, body))
    # SHA-1 is what the server's script cache is keyed by; nothing secret hangs on it.
    sha = hashlib.sha1(source.encode(), usedforsecurity=False).hexdigest()
    return Script(name, source, sha)


OPEN: Final = _read("open")
COMMIT: Final = _read("commit")
LOAD: Final = _read("load")
LOG: Final = _read("log")
REPLACE_TOKEN: Final = _read("replace_token")
DELETE: Final = _read("delete")
RESERVE: Final = _read("reserve")
TAKE: Final = _read("take")
LIST: Final = _read("list")
ENLIST: Final = _read("enlist")
DELIST: Final = _read("delist")
