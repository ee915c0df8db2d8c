"""Actions as they are sent and listed; ``type`` tells them apart."""

from typing import Annotated

from msgspec import Meta, Struct

from service.wire.words import Card, MeldId

Cards = Annotated[tuple[Card, ...], Meta(min_length=1, max_length=56)]


class DrawStock(
    Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", tag="draw_stock"
):
    """Draw the top card of the stock."""


class DrawDiscard(
    Struct,
    frozen=True,
    kw_only=True,
    forbid_unknown_fields=True,
    tag_field="type",
    tag="draw_discard",
):
    """Take a card of the pile, and every card on top of it."""

    card: Card


class Meld(
    Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="type", tag="meld"
):
    """Put a new meld on the table."""

    cards: Cards


class LayOff(
    Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="type", tag="lay_off"
):
    """Add cards to a meld on the table."""

    cards: Cards
    meld: MeldId


class Discard(
    Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="type", tag="discard"
):
    """Put a card on the pile, which ends the turn."""

    card: Card


class Pass(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", tag="pass"):
    """Let the turn go by."""


Action = DrawStock | DrawDiscard | Meld | LayOff | Discard | Pass
