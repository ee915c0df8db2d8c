"""Two processes of the service on one store, against one: the same moves from the same callers.

All of it shares one machine: the services, their store and the callers. So what two do by the clock
is bounded by its cores; that a move costs no more of a core with two is what tells that they
scale.
"""

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter

from tests.bench.http import UNLIMITED, Moves, ask, core_of
from tests.bench.measuring import Spent, Subject
from tests.store.servers import Server
from tests.whole.serving import Service, served


class Together:
    """The callers of `Moves`, spread over the processes of a service."""

    def __init__(self, services: Sequence[Service]) -> None:
        self._services = services
        self._moves = Moves(services[0])

    def __call__(self) -> Spent:
        callers = self._moves.opened()
        before = self._core()
        clock = asyncio.run(self._all_at_once(callers))
        return Spent(sum(map(len, callers)), clock, self._core() - before)

    async def _all_at_once(self, callers: Sequence[Sequence[bytes]]) -> float:
        begun = perf_counter()
        count = len(self._services)
        await asyncio.gather(
            *(ask(self._services[at % count].url, each) for at, each in enumerate(callers))
        )
        return perf_counter() - begun

    def _core(self) -> float:
        return sum(map(core_of, self._services))


@contextmanager
def subjects(folder: Path) -> Iterator[tuple[Subject, Sequence[Subject]]]:
    """One process, and two on the same store."""
    with Server() as server:
        settings = UNLIMITED | {"REFEREE_REDIS_URL": server.url}
        with (
            served(folder / "1", settings=settings) as one,
            served(folder / "2", settings=settings) as other,
        ):
            yield (
                Subject("one process", "moves", Together([one])),
                [Subject("two processes", "moves", Together([one, other]))],
            )
