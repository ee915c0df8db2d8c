"""Who watches a store at work: to count, to measure, to follow a request through it."""

from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Final, Protocol

from engine.game import Entry, Game


class Witness(Protocol):
    """Told of each call when it is over, and of what was kept once the servers have said so."""

    def trip(self, script: str) -> AbstractContextManager[None]:
        """Around one call of a script, by name: from before it is sent until its answer is read.

        What goes wrong passes through, StoreUnavailable above all.
        """
        ...

    def opened(self, game: Game) -> None:
        """A new game is kept."""
        ...

    def committed(self, game: Game, entries: Sequence[Entry]) -> None:
        """These entries are kept, and have led to `game`."""
        ...

    def stale(self) -> None:
        """A commit came too late: its game had moved on."""
        ...


class _Nobody:
    def trip(self, script: str) -> AbstractContextManager[None]:
        return nullcontext()

    def opened(self, game: Game) -> None:
        pass

    def committed(self, game: Game, entries: Sequence[Entry]) -> None:
        pass

    def stale(self) -> None:
        pass


NOBODY: Final[Witness] = _Nobody()
"""The witness of a store that nobody watches."""
