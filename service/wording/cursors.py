"""Cursors: where a page of games ends, in a form that means nothing to a client."""

from typing import Final

from service.store.protocol import Listed

_OPENED_DIGITS: Final = 12


def write(last: Listed) -> str:
    """The cursor of the page that follows this game."""
    return f"{last.opened:0{_OPENED_DIGITS}x}{last.game_id}"


def read(cursor: str | None) -> Listed | None:
    """The game that a page follows; its form has been checked."""
    if cursor is None:
        return None
    return Listed(int(cursor[:_OPENED_DIGITS], 16), cursor[_OPENED_DIGITS:])
