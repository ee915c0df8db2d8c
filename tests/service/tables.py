"""Tables to play at: a game opened with packs in card notation, and how its people talk to it.

`await opened(http, hands=[…], up="7H", stock="2S")` opens a game of one deal; `who` is a seat's
number, `"organiser"`, None for nobody, or any other text as a bearer token.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

import httpx

from engine import notation
from engine.actions import Action
from engine.cards import CODES, ORDER

Json = dict[str, Any]
Who = int | str | None

NAMES = ("north", "east", "south", "west")
NAMED: list[Json] = [{"name": name} for name in NAMES]
SECRET = "2b" * 32
ONE_DEAL: Json = {"game_end": {"deals": 1}}

# Three cards each, none of which go together; seat 1 begins, and draws a 5C.
HANDS = ("KD 8C 2H", "4S 4D 4H", "QD 7C 3H", "JD 6S AC")
UP = "9D"
STOCK = "5C TH 6D JC"


def pack(
    hands: Sequence[str] = HANDS, up: str = UP, stock: str = STOCK, *, dealer: int = 0
) -> list[str]:
    """A pack that deals these hands by seat, then this card and this stock, then all the rest."""
    dealt = [hand.split() for hand in hands]
    first = [(dealer + turn) % 4 for turn in (1, 2, 3, 4)]
    listed = [dealt[seat][turn] for turn in range(len(dealt[0])) for seat in first]
    listed += [up, *stock.split()]
    assert len(set(listed)) == len(listed), "a card is dealt twice"
    return listed + [CODES[card] for card in ORDER if CODES[card] not in listed]


def opening(*packs: list[str], options: Json | None = None, **members: Any) -> Json:
    """The body that opens a game of as many deals as there are packs, three cards a hand."""
    packs = packs or (pack(),)
    chosen = {"game_end": {"deals": len(packs)}, "hand_size": 3, **(options or {})}
    return {"players": NAMED, "ruleset": {"options": chosen}, "packs": list(packs), **members}


def json_of(written: str | Action) -> Json:
    """An action as it is sent, its cards in the order written."""
    verb, *words = (written if isinstance(written, str) else notation.text(written)).split()
    match verb:
        case "meld":
            return {"type": verb, "cards": words}
        case "lay_off":
            return {"type": verb, "cards": words[:-2], "meld": int(words[-1])}
        case "discard" | "draw_discard":
            return {"type": verb, "card": words[0]}
        case _:
            return {"type": verb}


def problem(answer: httpx.Response, status: int, name: str) -> Json:
    """The problem that an answer must be."""
    told: Json = answer.json()
    assert (answer.status_code, told["type"]) == (status, f"/problems/{name}"), answer.text
    assert answer.headers["Content-Type"] == "application/problem+json"
    assert told["status"] == status
    assert told["instance"] == answer.headers["X-Request-Id"]
    return told


def bearer(token: str | None) -> dict[str, str]:
    return {} if token is None else {"Authorization": f"Bearer {token}"}


@dataclass
class Table:
    """A game over HTTP, with all of its tokens."""

    http: httpx.AsyncClient
    game: str
    seats: list[str | None]
    organiser: str
    invitation: str | None
    first_view: Json

    @property
    def path(self) -> str:
        return f"/v1/games/{self.game}"

    def token(self, who: Who) -> str | None:
        if isinstance(who, int):
            return self.seats[who]
        return self.organiser if who == "organiser" else who

    async def ask(
        self,
        method: str,
        tail: str = "",
        who: Who = None,
        body: Any = None,
        headers: dict[str, str] | None = None,
    ) -> httpx.Response:
        """Any request; `tail` is what follows the path of the game."""
        sent = {**bearer(self.token(who)), **(headers or {})}
        json = {} if body is None else {"json": body}
        return await self.http.request(method, self.path + tail, headers=sent, **json)

    async def get(self, tail: str = "", who: Who = None) -> Json:
        """What a GET must answer with 200."""
        answer = await self.ask("GET", tail, who)
        assert answer.status_code == 200, answer.text
        told: Json = answer.json()
        return told

    async def send(
        self, who: Who, *actions: str | Action, at: int | str | None = None
    ) -> httpx.Response:
        """A move; `at` is the ply of If-Match, or its whole text."""
        headers = {} if at is None else {"If-Match": f'"{at}"' if isinstance(at, int) else at}
        body = {"actions": [json_of(action) for action in actions]}
        return await self.ask("POST", "/moves", who, body, headers)

    async def play(self, who: Who, *actions: str | Action, at: int | None = None) -> Json:
        """A move that must be done."""
        answer = await self.send(who, *actions, at=at)
        assert answer.status_code == 200, answer.text
        told: Json = answer.json()
        return told

    async def sit(self, name: str, **members: Any) -> httpx.Response:
        """Somebody wants an open seat; who gets one can be asked for by its number."""
        answer = await self.ask("POST", "/seats", body={"name": name, **members})
        if answer.status_code == 201:
            self.seats[answer.json()["seat"]] = answer.json()["token"]
        return answer

    async def untouched(self, ply: int) -> None:
        """Nothing has changed since this ply: game and log say so."""
        assert (await self.get(who="organiser"))["ply"] == ply
        assert len((await self.get("/log", "organiser"))["items"]) == ply


async def opened(http: httpx.AsyncClient, body: Json | None = None) -> Table:
    """The table of an opening; without one, the usual hands and one deal."""
    answer = await http.post("/v1/games", json=opening() if body is None else body)
    assert answer.status_code == 201, answer.text
    told = answer.json()
    tokens = told["tokens"]
    return Table(
        http=http,
        game=told["game"]["id"],
        seats=tokens["seats"],
        organiser=tokens["organiser"],
        invitation=told["invitation"],
        first_view=told["game"],
    )


def reordered(action: Json, chance: Random) -> Json:
    """The same action, its cards listed in another order."""
    if "cards" not in action:
        return action
    return {**action, "cards": chance.sample(action["cards"], len(action["cards"]))}
