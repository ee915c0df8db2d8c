"""Metrics: what a Prometheus reads at `/metrics`.

A service runs as one process, so that this one's registry is all there is of it; of several
replicas each is read on its own, and the reader adds them up.

Every label has a closed list of values: routes as the code has them, words of the contract, names
of scripts. No id, token, name, address or card is ever one.
"""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from functools import cache
from importlib.metadata import version
from time import perf_counter
from types import TracebackType
from typing import Final

from prometheus_client import (
    CollectorRegistry,
    Counter,
    GCCollector,
    Histogram,
    Info,
    PlatformCollector,
    ProcessCollector,
    disable_created_metrics,
)
from prometheus_client.exposition import choose_encoder

from engine import actions
from engine.game import Entry, Forfeit, Game, SeatTaken
from engine.rulebook import Violation
from engine.ruleset import PRESETS, RULES_VERSION
from service.package import PACKAGE
from service.sight.outcome import Outcome
from service.store.protocol import StoreUnavailable
from service.wire.kinds import KINDS

MEDIA_TYPES: Final = ("text/plain", "application/openmetrics-text")
"""The forms of a page; the first is for whoever does not mind."""

UNKNOWN_ROUTE: Final = "unknown"
"""Stands for the route of every path that has none, and of every method that a path has not."""

ACTIONS: Final = {
    actions.DrawStock: "draw_stock",
    actions.DrawDiscard: "draw_discard",
    actions.Meld: "meld",
    actions.LayOff: "lay_off",
    actions.Discard: "discard",
    actions.Pass: "pass",
}
"""Types of actions in the words of the contract."""

# A move takes 1 to 5 ms, a long record seconds.
_REQUEST_SECONDS: Final = (
    0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0,
)  # fmt: skip
# A script takes some 0.3 ms on the same machine; the link gives up within some 7 s.
_TRIP_SECONDS: Final = (
    0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0,
)  # fmt: skip

# The moment at which each series began would be as many lines again, for no question of ours.
# The library leaves this one function without types.
disable_created_metrics()  # type: ignore[no-untyped-call]


def _by_labels(metric: Histogram) -> Callable[..., Histogram]:
    """The series of these labels. Remembered, because finding one costs more than counting."""
    return cache(metric.labels)


class _Trip(AbstractContextManager[None]):
    """One call of a script. No generator, because each move makes three of these."""

    def __init__(self, trips: Callable[[str, str], Histogram], script: str) -> None:
        self._trips = trips
        self._script = script
        self._begun = perf_counter()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if kind is None:
            outcome = "ok"
        else:
            outcome = "unavailable" if issubclass(kind, StoreUnavailable) else "broken_off"
        self._trips(self._script, outcome).observe(perf_counter() - self._begun)


class Metrics:
    """All that one process counts. A Witness of its store."""

    def __init__(self) -> None:
        self._registry: Final = CollectorRegistry()
        self._of_the_process()
        self._of_requests()
        self._of_play()
        self._of_the_store()

    def _of_the_process(self) -> None:
        about = Info("referee_build", "Which referee this is.", registry=self._registry)
        about.info({"version": version(PACKAGE), "rules_version": RULES_VERSION})
        ProcessCollector(registry=self._registry)
        PlatformCollector(registry=self._registry)
        GCCollector(registry=self._registry)

    def _of_requests(self) -> None:
        self._requests = _by_labels(
            Histogram(
                "referee_request_seconds",
                "From the first look at a request to the end of its answer.",
                ("route", "method", "status"),
                buckets=_REQUEST_SECONDS,
                registry=self._registry,
            )
        )

    def _of_play(self) -> None:
        registry = self._registry
        self._problems = Counter(
            "referee_problems", "Problems answered, by name.", ("problem",), registry=registry
        )
        self._violations = Counter(
            "referee_violations",
            "Refusals by the rules of the game, dry runs among them.",
            ("violation",),
            registry=registry,
        )
        self._actions = Counter(
            "referee_actions",
            "Actions of moves: played once the store has them, or refused by a rule.",
            ("action", "outcome"),
            registry=registry,
        )
        self._seats = Counter("referee_seats_taken", "Open seats taken.", registry=registry)
        self._opened = Counter(
            "referee_games_opened", "Games opened, by preset.", ("preset",), registry=registry
        )
        self._finished = Counter(
            "referee_games_finished", "Games finished, by why.", ("reason",), registry=registry
        )
        # What has not happened yet is 0, not absent, so that its first time is seen as a rise.
        for problem in KINDS:
            self._problems.labels(problem)
        for violation in Violation:
            self._violations.labels(violation.value)
        for action in ACTIONS.values():
            for outcome in ("played", "refused"):
                self._actions.labels(action, outcome)
        for preset in PRESETS:
            self._opened.labels(preset)
        for reason in ("score", "forfeit"):
            self._finished.labels(reason)

    def _of_the_store(self) -> None:
        self._trips = _by_labels(
            Histogram(
                "referee_store_trip_seconds",
                "Calls of the store's scripts, sending again included, by script and outcome.",
                ("script", "outcome"),
                buckets=_TRIP_SECONDS,
                registry=self._registry,
            )
        )
        self._stale = Counter(
            "referee_stale_commits",
            "Commits that came too late: somebody else had moved the game on.",
            registry=self._registry,
        )

    def answered(self, outcome: Outcome) -> None:
        """A request has been answered."""
        route = outcome.route or UNKNOWN_ROUTE
        status = f"{outcome.status // 100}xx" if outcome.status else "none"
        self._requests(route, outcome.method, status).observe(outcome.seconds)
        if outcome.problem:
            self._problems.labels(outcome.problem).inc()
        if outcome.violation:
            self._violations.labels(outcome.violation).inc()

    def refused(self, action: actions.Action) -> None:
        """An action of a move was refused by a rule."""
        self._actions.labels(ACTIONS[type(action)], "refused").inc()

    def trip(self, script: str) -> AbstractContextManager[None]:
        """See Witness.trip."""
        return _Trip(self._trips, script)

    def opened(self, game: Game) -> None:
        """See Witness.opened."""
        self._opened.labels(game.opening.preset).inc()

    def committed(self, game: Game, entries: Sequence[Entry]) -> None:
        """See Witness.committed."""
        for entry in entries:
            match entry.step:
                case SeatTaken():
                    self._seats.inc()
                case Forfeit():
                    pass  # it ends the game, which is counted below
                case action:
                    self._actions.labels(ACTIONS[type(action)], "played").inc()
        if game.result:
            self._finished.labels(game.result.reason).inc()

    def stale(self) -> None:
        """See Witness.stale."""
        self._stale.inc()

    def page(self, media_type: str) -> tuple[bytes, str]:
        """All of it in one of MEDIA_TYPES, and the whole name of that."""
        # Only ever given a bare type: it fails on versions that are no numbers.
        write, content_type = choose_encoder(media_type)
        return write(self._registry), content_type
