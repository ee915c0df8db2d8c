"""Four players at one game, each a client of the service like any other."""

import hashlib
import random
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

import httpx

from service.diagnosis.remote import TROUBLE, read_remote, why

View = dict[str, Any]
Entry = dict[str, Any]
Ledger = dict[str, Any]

NAMES: Final = ("north", "east", "south", "west")
# An answer takes milliseconds; a store that fails over takes seconds.
TIMEOUT_SECONDS: Final = 30.0


class ServiceError(Exception):
    """The service cannot be reached, or answers what the players do not understand."""


class Turn(NamedTuple):
    """One seat's visit to the table: the entries that it made, and the view that it left."""

    seat: int
    entries: list[Entry]
    view: View


class Players:
    """The four of one game, who choose at random among what they may do.

    The same seed gives the same packs and the same choices, hence the same game.
    """

    def __init__(self, url: str, seed: int, key: str | None = None) -> None:
        """Open the game, with an API key where the service wants one. Raises ServiceError."""
        try:
            self._remote = read_remote(url)
        except ValueError as error:
            raise ServiceError(str(error)) from error
        self._http = httpx.Client(base_url=self._remote.url, timeout=TIMEOUT_SECONDS)
        self._choice = random.Random(seed)  # noqa: S311 - not for secrets: the game is a show
        secret = hashlib.sha256(f"persian-rummy demo {seed}".encode()).hexdigest()
        opening = {"players": [{"name": name} for name in NAMES], "secret": secret}
        badge = {} if key is None else {"Authorization": f"Bearer {key}"}
        try:
            opened = self._ask("POST", "/v1/games", None, json=opening, headers=badge).json()
        except ServiceError:
            self.close()
            raise
        self.game: Final[str] = opened["game"]["id"]
        self._tokens: list[str] = opened["tokens"]["seats"]
        self._view: View = opened["game"]

    def play(self) -> Iterator[Turn]:
        """Play the game to its end, turn by turn."""
        while self._view["status"] == "playing":
            yield self._turn(self._view["turn"])

    def ledgers(self) -> list[Ledger]:
        """The ledgers of the deals that are over."""
        score = self._ask("GET", f"/v1/games/{self.game}/score", 0).json()
        return list(score["deals"])

    @property
    def url(self) -> str:
        """Where the service is, as it may be shown."""
        return self._remote.url

    @property
    def view(self) -> View:
        """The view that the seat which acted last has."""
        return self._view

    def close(self) -> None:
        """Leave the table."""
        self._http.close()

    def _turn(self, seat: int) -> Turn:
        self._view = self._ask("GET", f"/v1/games/{self.game}", seat).json()
        entries: list[Entry] = []
        deal = self._view["deal"]
        while (self._view["turn"], self._view["deal"]) == (seat, deal):
            entries += self._move(seat, self._choice.choice(self._view["legal_actions"]))
        return Turn(seat, entries, self._view)

    def _move(self, seat: int, action: dict[str, Any]) -> list[Entry]:
        ply = self._view["ply"]
        answer = self._ask(
            "POST",
            f"/v1/games/{self.game}/moves",
            seat,
            json={"actions": [action]},
            headers={"If-Match": f'"{ply}"'},
        ).json()
        self._view = answer["game"]
        return list(answer["log"])

    def _ask(self, method: str, path: str, seat: int | None, **rest: Any) -> httpx.Response:
        headers: dict[str, str] = rest.pop("headers", {})
        if seat is not None:
            headers["Authorization"] = f"Bearer {self._tokens[seat]}"
        # There is one header for both, and a token says more.
        auth = None if "Authorization" in headers else self._remote.auth
        try:
            answer = self._http.request(method, path, headers=headers, auth=auth, **rest)
        except TROUBLE as error:
            raise ServiceError(f"no answer from the service at {self.url}: {why(error)}") from error
        if answer.is_error:
            raise ServiceError(f"{method} {path} was answered with {_reason(answer)}")
        return answer


def _reason(answer: httpx.Response) -> str:
    if answer.headers.get("Content-Type") != "application/problem+json":
        return f"{answer.status_code}, and not by a referee"
    problem = answer.json()
    return f"{problem['status']} {problem['type']}: {problem['detail']}"
