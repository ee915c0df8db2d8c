"""All that is seen of one process."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Final

from engine.game import Entry, Game
from service.sight import access_log
from service.sight.metrics import Metrics
from service.sight.outcome import Outcome
from service.sight.traces import Tracing


class Sight:
    """What is counted and, where that is wanted, traced. The Witness of the store."""

    def __init__(self, tracing: Tracing | None = None) -> None:
        self.metrics: Final = Metrics()
        self.tracing: Final = tracing

    def answered(self, outcome: Outcome, method: str, path: str, marks: Mapping[str, str]) -> None:
        """A request has been answered: count it, and write it down with these marks."""
        self.metrics.answered(outcome)
        access_log.write(outcome, method, path, marks)

    def trip(self, script: str) -> AbstractContextManager[None]:
        """See Witness.trip."""
        return self.metrics.trip(script) if self.tracing is None else self._traced(script)

    @contextmanager
    def _traced(self, script: str) -> Iterator[None]:
        assert self.tracing is not None
        with self.tracing.trip(script), self.metrics.trip(script):
            yield

    def opened(self, game: Game) -> None:
        """See Witness.opened."""
        self.metrics.opened(game)

    def committed(self, game: Game, entries: Sequence[Entry]) -> None:
        """See Witness.committed."""
        self.metrics.committed(game, entries)

    def stale(self) -> None:
        """See Witness.stale."""
        self.metrics.stale()
