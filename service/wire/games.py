"""Pages of games."""

from typing import Annotated

from msgspec import Meta, Struct

from service.wire.view import View
from service.wire.words import GamesCursor


class GamesPage(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A page of games, newest first; ``next`` is the cursor of the page after it."""

    items: Annotated[tuple[View, ...], Meta(max_length=100)]
    next: GamesCursor | None
