"""Every key that the service writes is named here, and nowhere else.

The braces around the game id are a Redis hash tag: all keys of one game share a cluster slot,
so that one script may touch them together.
"""

import re
from typing import Final

PREFIX: Final = "rummy:"
"""All keys begin with it: an access list may grant the service `~rummy:*` and no more."""

READY: Final = "rummy:ready"
"""The key that the readiness check writes."""

_GAME_ID: Final = re.compile(r"[A-Za-z0-9_-]{1,64}", re.ASCII)


def of_game(game_id: str) -> tuple[str, str, str]:
    """The state, log and token keys of a game, in the order that every script expects as KEYS.

    Raises ValueError for an id that could break out of its hash tag. The routes check the form
    of an id first, so that this is the programmer's error.
    """
    if not _GAME_ID.fullmatch(game_id):
        raise ValueError(f"not a game id: {game_id!r}")
    stem = f"{PREFIX}{{{game_id}}}:"
    return stem + "state", stem + "log", stem + "tokens"
