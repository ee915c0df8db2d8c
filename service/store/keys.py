"""Every key that the service writes is named here, and nowhere else.

The braces around the game id are a Redis hash tag: all keys of one game share a cluster slot,
so that one script may touch them together.
"""

import re
from typing import Final, Literal

PREFIX: Final = "rummy:"
"""All keys begin with it: an access list may grant the service `~rummy:*` and no more."""

READY: Final = tuple(f"rummy:{{{number}}}ready" for number in range(12))
"""Keys for the readiness check to write: of so many, each of three shards keeps some."""

Kind = Literal["state", "mark", "reservation", "games"]
"""What a key ends in, of those whose names tell what is kept."""

_KEY: Final = re.compile(rb"rummy:\{([A-Za-z0-9_-]{1,64})\}:[a-z]+")
_NAME: Final = re.compile(r"[A-Za-z0-9_-]{1,64}", re.ASCII)


def of_game(game_id: str) -> tuple[str, str, str]:
    """The state, log and tokens keys of a game, in the order that every script expects as KEYS.

    Raises ValueError for an id that could break out of its hash tag. The routes check the form
    of an id first, so that this is the programmer's error.
    """
    stem = _tagged(game_id)
    return stem + "state", stem + "log", stem + "tokens"


def mark_of(game_id: str) -> str:
    """The key that outlives a game opened under an idempotency key, so that none opens twice."""
    return _tagged(game_id) + "mark"


def reservation(name: str) -> str:
    """The key of what an idempotency key has reserved."""
    return _tagged(name) + "reservation"


def bucket(name: str) -> str:
    """The key of a rate limit's bucket."""
    return _tagged(name) + "bucket"


def index(name: str) -> str:
    """The key of a list of games."""
    return _tagged(name) + "games"


def pattern(kind: Kind) -> str:
    """What SCAN matches all keys of a kind with."""
    return f"{PREFIX}{{*}}:{kind}"


def name_in(key: bytes) -> str | None:
    """The id or name that a key is tagged with; None where it is no key of ours."""
    found = _KEY.fullmatch(key)
    return found[1].decode() if found else None


def _tagged(name: str) -> str:
    if not _NAME.fullmatch(name):
        raise ValueError(f"no name for a key: {name!r}")
    return f"{PREFIX}{{{name}}}:"
