"""A real `referee serve` over HTTP: a process of its own, its own store, a few callers at once.

The service, its store and the callers share the machine, so what is done by the clock is a lower
bound. The time of a core is that of the service alone, without its store. The baseline is
`/healthz`, which asks nothing of engine or store.
"""

import asyncio
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import count, cycle, islice
from pathlib import Path
from time import perf_counter
from typing import Any, Final
from urllib.parse import urlsplit

import httpx
import msgspec

from engine.cards import Seat
from engine.game import Game
from engine.judging.position import Position, full_position, seen_position
from engine.view import Viewer
from service.wording import actions, positions
from tests.bench.courses import NAMES, Course, course
from tests.bench.measuring import Run, Spent, Subject
from tests.whole.serving import Service, served

CALLERS: Final = 8
"""Connections that are kept, each of which asks again as soon as it is answered."""

ASKED: Final = 100
"""Requests of each caller in a round."""

UNLIMITED: Final = {
    f"REFEREE_{whose}_{what}": "1000000"
    for whose in ("ADDRESS", "TOKEN")
    for what in ("RATE", "BURST")
}
"""Settings with which no request is refused for coming too soon."""


class Refused(Exception):  # noqa: N818 - a benchmark must not count it as done
    """An answer other than 200."""


def request(method: str, path: str, body: Any = None, **headers: str) -> bytes:
    """A request as it goes over the wire."""
    content = b"" if body is None else msgspec.json.encode(body)
    lines = [f"{method} {path} HTTP/1.1", "Host: bench", f"Content-Length: {len(content)}"]
    if content:
        lines.append("Content-Type: application/json")
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    return "\r\n".join([*lines, "", ""]).encode() + content


async def ask(url: str, requests: Iterable[bytes]) -> None:
    """One caller: each request after the answer to the one before."""
    address = urlsplit(url)
    reader, writer = await asyncio.open_connection(address.hostname, address.port)
    try:
        for one in requests:
            writer.write(one)
            head = (await reader.readuntil(b"\r\n\r\n")).lower()
            length = int(head.partition(b"content-length: ")[2].partition(b"\r\n")[0])
            body = await reader.readexactly(length)
            if b" 200 " not in head[:16]:
                raise Refused(head + body)
    finally:
        writer.close()
        await writer.wait_closed()


def answered(service: Service, callers: Sequence[Sequence[bytes]]) -> Spent:
    """What it takes to answer all callers at once."""

    async def all_at_once() -> float:
        begun = perf_counter()
        await asyncio.gather(*(ask(service.url, one) for one in callers))
        return perf_counter() - begun

    before = core_of(service)
    clock = asyncio.run(all_at_once())
    return Spent(sum(map(len, callers)), clock, core_of(service) - before)


def core_of(service: Service) -> float:
    """Seconds that the service has had a processor, all its threads together (Linux)."""
    tasks = Path(f"/proc/{service.process.pid}/task").glob("*/schedstat")
    return sum(int(task.read_text().split()[0]) for task in tasks) / 1e9


def repeated(service: Service, requests: Sequence[bytes]) -> Run:
    """Runs in which all callers go through these requests, each from another place."""
    callers = [
        list(islice(cycle(requests), start * 7, start * 7 + ASKED)) for start in range(CALLERS)
    ]
    return lambda: answered(service, callers)


# --- positions ---


def _validations(told: Course, position_of: Callable[[Game, Seat], Position]) -> list[bytes]:
    """For each ply of a game the position, as it is told, and the action played there."""
    return [
        request(
            "POST",
            "/v1/validate",
            {
                "position": positions.to_wire(position_of(game, seat)),
                "actions": [actions.to_wire(action)],
            },
        )
        for game, (seat, action) in zip(told.plies, told.steps, strict=True)
    ]


def _whole(game: Game, _: Seat) -> Position:
    assert game.state is not None
    return full_position(game.state, game.totals)


def _own_view(game: Game, seat: Seat) -> Position:
    return seen_position(game, Viewer("seat", seat))


# --- games ---


class Moves:
    """Fresh games for each run, one for each caller, played as they were worked out before."""

    def __init__(self, service: Service) -> None:
        self._service = service
        enough = (told for told in map(course, count()) if len(told.steps) >= ASKED)
        self._courses = list(islice(enough, CALLERS))

    def __call__(self) -> Spent:
        return answered(self._service, self.opened())

    def opened(self) -> list[list[bytes]]:
        """Open a game for each caller; the requests that play them."""
        return [self._opened(told) for told in self._courses]

    def _opened(self, told: Course) -> list[bytes]:
        """Open the game, and write down the requests that play it."""
        opening = {"players": [{"name": name} for name in NAMES], "secret": told.secret.hex()}
        answer = httpx.post(f"{self._service.url}/v1/games", json=opening).raise_for_status()
        opened = json.loads(answer.content)
        return [
            request(
                "POST",
                f"/v1/games/{opened['game']['id']}/moves",
                {"actions": [actions.to_wire(action)]},
                Authorization=f"Bearer {opened['tokens']['seats'][seat]}",
                If_Match=f'"{ply}"',
            )
            for ply, (seat, action) in enumerate(told.steps[:ASKED])
        ]


@contextmanager
def subjects(folder: Path) -> Iterator[tuple[Subject, Sequence[Subject]]]:
    """The baseline and what is held against it, for as long as a service serves them."""
    with served(folder, settings=UNLIMITED) as service:
        told = course(0)
        health = repeated(service, [request("GET", "/healthz")])
        whole = repeated(service, _validations(told, _whole))
        seen = repeated(service, _validations(told, _own_view))
        yield (
            Subject("GET /healthz", "answers", health),
            (
                Subject("POST /v1/validate, all known", "answers", whole),
                Subject("POST /v1/validate, one hand", "answers", seen),
                Subject("POST …/moves", "moves", Moves(service)),
            ),
        )
