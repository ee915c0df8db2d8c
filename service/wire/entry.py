"""The log of a game."""

from datetime import datetime
from typing import Annotated

from msgspec import Meta, Struct

from service.wire.action import Action
from service.wire.ledger import Ledger
from service.wire.words import Card, Cursor, DealNumber, Digest, GameEvent, Ply, SeatNumber


class Entry(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One change of a game, which led to its ply; either an action or an event."""

    ply: Ply
    deal: DealNumber
    seat: SeatNumber
    action: Action | None
    event: GameEvent | None
    drawn: Card | None
    deal_ended: Ledger | None
    at: Annotated[datetime, Meta(tz=True)]
    hash: Digest

    def __post_init__(self) -> None:
        """Raise ValueError for an entry that is both or neither."""
        if (self.action is None) == (self.event is None):
            raise ValueError("an entry is an action or an event, and not both")


class LogPage(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A page of the log; ``next`` is the cursor of the page after it, None on the last."""

    items: Annotated[tuple[Entry, ...], Meta(max_length=100)]
    next: Cursor | None
