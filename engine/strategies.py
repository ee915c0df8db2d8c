"""House strategies: pure functions of what a seat may do, and of chance that is handed in."""

from collections.abc import Sequence
from random import Random
from typing import TypeVar

Choice = TypeVar("Choice")


def choose_any(legal: Sequence[Choice], chance: Random) -> Choice:
    """Any of the legal actions, each as likely as the others."""
    return legal[chance.randrange(len(legal))]
