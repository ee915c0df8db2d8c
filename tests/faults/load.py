"""Players who move all the time, and know afterwards what they were told.

Each plays games of its own, for all four seats, one move after the other. A move whose answer does
not come, or is 503, is sent again at the same ply until it is answered: that is all that a client
has to do to lose nothing and to play nothing twice.
"""

import random
import threading
import time
import uuid
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import httpx

from tests.store.servers import wait_until
from tests.whole.serving import NAMES

Json = dict[str, Any]
Told = tuple[int, int, str]
"""The ply, the seat and the action of an entry: what every viewer is told of it."""

UNLIMITED = {"REFEREE_LIMITS": "off"}
_BETWEEN_ATTEMPTS = 0.01
_GIVES_UP_AFTER = 60.0


@dataclass
class Played:
    """A game of one player, and the entries that were acknowledged."""

    game: str
    tokens: list[str]
    acknowledged: list[Told] = field(default_factory=list)


class Player:
    """One client: a thread, a connection that is kept alive, and one game at a time."""

    def __init__(self, load: "Load", seed: int) -> None:
        self.games: list[Played] = []
        self.moved: list[float] = []
        """When each move was acknowledged."""
        self.refused: Counter[str] = Counter()
        """What went wrong how often, by its status or the name of its error."""
        self.failure: BaseException | None = None
        self._load = load
        self._choice = random.Random(seed)
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def join(self) -> None:
        self._thread.join()

    def _run(self) -> None:
        try:
            # Not one certificate is looked at here, and reading them all takes its time.
            with httpx.Client(timeout=self._load.patience, verify=False) as self._http:
                while not self._load.ended.is_set():
                    self._play_game()
        except BaseException as failure:
            self.failure = failure

    def _play_game(self) -> None:
        body = {"players": [{"name": name} for name in NAMES]}
        opened = self._ask("POST", "/v1/games", body, {"Idempotency-Key": str(uuid.uuid4())})
        game = Played(opened["game"]["id"], opened["tokens"]["seats"])
        self.games.append(game)
        turn = opened["game"]["turn"]
        while turn is not None and not self._load.ended.is_set():
            turn = self._move(game, turn)

    def _move(self, game: Played, turn: int) -> int | None:
        """Any move of the seat to act; whose turn it is then."""
        path = f"/v1/games/{game.game}"
        badge = {"Authorization": f"Bearer {game.tokens[turn]}"}
        seen = self._ask("GET", path, None, badge)
        assert seen["ply"] == len(game.acknowledged), (seen["ply"], len(game.acknowledged))
        body = {"actions": [self._choice.choice(seen["legal_actions"])]}
        told = self._ask("POST", f"{path}/moves", body, badge | {"If-Match": f'"{seen["ply"]}"'})
        game.acknowledged += [_told(entry) for entry in told["log"]]
        self.moved.append(time.monotonic())
        next_turn: int | None = told["game"]["turn"]
        return next_turn

    def _ask(self, method: str, path: str, body: Json | None, headers: dict[str, str]) -> Json:
        """The answer to a request, which is sent until there is one."""
        until = time.monotonic() + _GIVES_UP_AFTER
        while True:
            try:
                answer = self._http.request(
                    method, self._load.url + path, json=body, headers=headers
                )
            except httpx.TransportError as error:
                self.refused[type(error).__name__] += 1
            else:
                if answer.is_success:
                    found: Json = answer.json()
                    return found
                self.refused[str(answer.status_code)] += 1
                assert answer.status_code == 503, answer.text
                assert answer.headers["Retry-After"]
            assert time.monotonic() < until, "the service did not come back"
            # A good client waits as long as it is told; a hasty one is harder to satisfy.
            time.sleep(_BETWEEN_ATTEMPTS)


class Load:
    """Some players at once."""

    def __init__(self, url: str, players: int = 3, patience: float = 10.0) -> None:
        """`patience` is how many seconds a player waits for an answer before it asks again."""
        self.url = url
        """Where to ask; a test may change it."""
        self.patience = patience
        self.ended = threading.Event()
        self._players = [Player(self, seed) for seed in range(players)]

    @property
    def games(self) -> list[Played]:
        return [game for player in self._players for game in player.games]

    @property
    def refusals(self) -> set[str]:
        """What went wrong, by its status or the name of its error."""
        return {name for player in self._players for name in player.refused}

    def await_moves(self, number: int = 5) -> None:
        """Return when each player has had so many more moves acknowledged."""
        self._await_each(lambda player: len(player.moved), number)

    def await_refusals(self, name: str, number: int = 1) -> None:
        """Return when each player has been refused so many more times in this way."""
        self._await_each(lambda player: player.refused[name], number)

    def recovered(self, since: float) -> float:
        """Seconds from a moment on until every player had a move acknowledged."""
        return (
            max(
                next(moment for moment in player.moved if moment > since)
                for player in self._players
            )
            - since
        )

    def end(self) -> None:
        """Let each player finish the move that it is at."""
        self.ended.set()
        for player in self._players:
            player.join()
        self._raise()

    def assert_kept(self) -> int:
        """Every acknowledged move is in the log, once, and nothing else is; how many there are."""
        for game in self.games:
            kept = log_of(self.url, game)
            assert kept == game.acknowledged, (game.game, len(kept), len(game.acknowledged))
        return sum(len(game.acknowledged) for game in self.games)

    def _await_each(self, count: Callable[[Player], int], number: int) -> None:
        enough = [count(player) + number for player in self._players]

        def came() -> bool:
            pairs = zip(self._players, enough, strict=True)
            return all(count(player) >= least for player, least in pairs)

        wait_until(lambda: self._failed() or came(), within=60)
        self._raise()

    def _failed(self) -> bool:
        return any(player.failure for player in self._players)

    def _raise(self) -> None:
        for player in self._players:
            if player.failure:
                raise player.failure


@contextmanager
def load_on(url: str, players: int = 3, patience: float = 10.0) -> Iterator[Load]:
    """Players who have begun to move, until this is left."""
    load = Load(url, players, patience)
    try:
        load.await_moves()
        yield load
        load.end()
    finally:
        load.ended.set()


def log_of(url: str, game: Played) -> list[Told]:
    """The whole log of a game, page by page."""
    told: list[Told] = []
    path: str | None = f"/v1/games/{game.game}/log"
    with httpx.Client(base_url=url, verify=False) as http:
        while path:
            answer = http.get(path).raise_for_status()
            told += [_told(entry) for entry in answer.json()["items"]]
            path = answer.links["next"]["url"] if "next" in answer.links else None
    return told


def _told(entry: Json) -> Told:
    return entry["ply"], entry["seat"], str(entry["action"])
