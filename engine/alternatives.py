"""What a player may have meant: the legal actions nearest to one that was refused."""

from collections.abc import Sequence
from typing import Final

from engine.actions import Action, cards_named
from engine.cards import mask_of

MOST: Final = 5
"""So many alternatives are enough to choose from at a glance."""


def nearest(sent: Action, legal: Sequence[Action], most: int = MOST) -> list[Action]:
    """The legal actions that the fewest changes of cards lead to, nearest first.

    A change adds a card, drops one, or swaps one for another; among equals the same kind of action
    comes first.
    """
    return sorted(legal, key=lambda action: _distance(sent, action))[:most]


def _distance(sent: Action, other: Action) -> tuple[int, bool]:
    wanted, offered = mask_of(cards_named(sent)), mask_of(cards_named(other))
    dropped = (wanted & ~offered).bit_count()
    added = (offered & ~wanted).bit_count()
    return max(dropped, added), type(sent) is not type(other)
