"""A real `referee serve` in a process of its own, and players who talk to it over HTTP."""

import os
import random
import re
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType
from typing import Any

import httpx

REFEREE = (sys.executable, "-m", "service")
NAMES = ("north", "east", "south", "west")
USUAL = {"REFEREE_LOG_LEVEL": "warning", "REFEREE_DRAIN_SECONDS": "0"}
"""Settings of a service that says little and stops soon, unless a test wants others."""

QUICKLY: Any = {"verify": False}
"""For httpx: it reads all certificates of this machine otherwise, for each request without one."""


def environment(**changes: str) -> dict[str, str]:
    """This process's environment without any setting of the referee."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("REFEREE_")}
    return kept | changes


class Service:
    """A service on a data folder; it can be killed, and so can its store."""

    def __init__(
        self,
        folder: Path,
        command: tuple[str, ...] = REFEREE,
        port: int = 0,
        settings: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        self.folder = folder
        self.process = subprocess.Popen(
            [*command, "serve", "--data", str(folder), "--port", str(port)],
            env=environment(**{**USUAL, **settings}),
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self.process.stdout is not None
        self.told = ""
        for line in self.process.stdout:
            self.told += line
            if "Ctrl-C" in line:
                break
        found = re.search(r"listens at (http://\S+)", self.told)
        assert found, f"the service said {self.told!r} and ended with {self.process.poll()}"
        self.url = found[1]

    def kill(self) -> None:
        """SIGKILL for the service and for its store, as when the power fails."""
        stores = _children(self.process.pid)
        assert stores, "the service has a store of its own"
        self.process.kill()
        for store in stores:
            os.kill(store, signal.SIGKILL)
        self._gone()

    def kill_alone(self) -> None:
        """SIGKILL for the service; its store goes on."""
        self.process.kill()
        self._gone()

    def stop(self) -> None:
        """Ask it to end, and see that it does."""
        self.process.terminate()
        assert self.process.wait(30) == 0
        self._gone()

    def _gone(self) -> None:
        self.process.wait(30)
        assert self.process.stdout is not None
        self.process.stdout.close()


def _children(parent: int) -> list[int]:
    tasks = Path(f"/proc/{parent}/task")
    listed = [(task / "children").read_text() for task in tasks.iterdir()]
    return [int(pid) for line in listed for pid in line.split()]


@contextmanager
def served(
    folder: Path,
    command: tuple[str, ...] = REFEREE,
    settings: Mapping[str, str] = MappingProxyType({}),
) -> Iterator[Service]:
    """A service for as long as it is needed; settings by the names of their variables."""
    service = Service(folder, command, settings=settings)
    try:
        yield service
    finally:
        if service.process.poll() is None:
            service.stop()


class Players:
    """Four clients of one game, who play any legal action and remember what was acknowledged."""

    def __init__(self, url: str, seed: int) -> None:
        self.choice = random.Random(seed)
        opening = {"players": [{"name": name} for name in NAMES], "secret": f"{seed:064x}"}
        answer = httpx.post(f"{url}/v1/games", json=opening, **QUICKLY).raise_for_status()
        opened = answer.json()
        self.game: str = opened["game"]["id"]
        self.tokens: list[str] = opened["tokens"]["seats"]
        self.turn: int | None = opened["game"]["turn"]
        self.log: list[dict[str, Any]] = []

    def view(self, url: str) -> dict[str, Any]:
        """The game as the seat to act sees it."""
        path = f"{url}/v1/games/{self.game}"
        answer = httpx.get(path, headers=self._badge(), **QUICKLY).raise_for_status()
        found: dict[str, Any] = answer.json()
        return found

    def choose(self, url: str) -> tuple[int, dict[str, Any]]:
        """The ply, and what the seat to act does there."""
        seen = self.view(url)
        return seen["ply"], self.choice.choice(seen["legal_actions"])

    def send(self, url: str, ply: int, action: dict[str, Any]) -> dict[str, Any]:
        """Play an action at a ply; once it is acknowledged it is remembered."""
        answer = httpx.post(
            f"{url}/v1/games/{self.game}/moves",
            json={"actions": [action]},
            headers=self._badge() | {"If-Match": f'"{ply}"'},
            **QUICKLY,
        ).raise_for_status()
        body: dict[str, Any] = answer.json()
        self.log += body["log"]
        self.turn = body["game"]["turn"]
        return body

    def play(self, url: str, plies: int) -> bool:
        """Play on for so many plies; whether the game goes on still."""
        for _ in range(plies):
            if self.turn is None:
                break
            self.send(url, *self.choose(url))
        return self.turn is not None

    def _badge(self) -> dict[str, str]:
        return {} if self.turn is None else {"Authorization": f"Bearer {self.tokens[self.turn]}"}


def log_of(url: str, game: str, token: str) -> list[dict[str, Any]]:
    """The whole log as a seat sees it, page by page."""
    items: list[dict[str, Any]] = []
    path: str | None = f"/v1/games/{game}/log"
    while path:
        badge = {"Authorization": f"Bearer {token}"}
        answer = httpx.get(url + path, headers=badge, **QUICKLY)
        items += answer.raise_for_status().json()["items"]
        path = answer.links["next"]["url"] if "next" in answer.links else None
    return items
