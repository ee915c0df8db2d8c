"""A club's evening: games of every kind over HTTP, and all that anybody was told of them."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

import httpx

from service.api_keys import listing, new_key, read_keys
from service.settings import Settings
from tests.service.tables import NAMED, SECRET, Json, Table, Who, bearer, opening

CLUB: Final = new_key()
SETTINGS: Final = Settings(api_keys=read_keys(listing("club", ["games"], CLUB)), limits=False)
VIEWERS: Final[tuple[Who, ...]] = (None, "organiser", 1, 2)
TAILS: Final = ("", "/log", "/score", "/record", "/position", "/legal-actions")
LISTS: Final = ("", "?status=waiting", "?status=playing", "?status=finished")
OPEN: Final[Json] = {"kind": "open"}
DRAW: Final[Json] = {"type": "draw_stock"}

Told = dict[str, tuple[int, bytes, str | None]]
"""Status, body and ETag by what was asked."""


@dataclass
class Sent:
    """A request that may be sent again, and how it was answered."""

    path: str
    body: Json
    headers: Mapping[str, str]
    answer: httpx.Response

    async def again(self, http: httpx.AsyncClient) -> httpx.Response:
        """The same request once more."""
        return await http.post(self.path, json=self.body, headers=dict(self.headers))


class Club:
    """Who opens, plays and watches; `http` may be changed."""

    def __init__(self, http: httpx.AsyncClient) -> None:
        self.http = http
        self.tables: dict[str, Table] = {}
        self.sent: list[Sent] = []
        """Requests that are safe to send again."""
        self.called_off: Sent | None = None
        """The opening of a game that is gone: its repetition opens nothing."""

    async def meet(self) -> None:
        """Play until there is a game of each kind."""
        await self._waiting()
        await self._playing()
        await self._drawn()
        await self._finished()
        await self._given_up()
        await self._gone()

    async def _waiting(self) -> None:
        table = await self.opened(
            "waiting", {"players": [*NAMED[:2], OPEN, OPEN], "visibility": "private"}
        )
        sit = {"name": "south", "client_seed": "c0ffee", "invitation": table.invitation}
        answer = await self._post(f"{table.path}/seats", sit, self._key("taking a seat"))
        table.seats[answer.json()["seat"]] = answer.json()["token"]

    async def _playing(self) -> None:
        table = await self.opened("playing", {"players": NAMED, "secret": SECRET}, "playing")
        await self._move(table, DRAW)
        seen = await table.get(who=1)
        discards = [one for one in seen["legal_actions"] if one["type"] == "discard"]
        await self._move(table, discards[0])

    async def _drawn(self) -> None:
        players = [OPEN, NAMED[1], OPEN, NAMED[3]]
        await self.opened("drawn", {"players": players, "team_formation": "draw"})
        table = self.tables["drawn"]
        for name, seed in (("first", "00ff"), ("second", "")):
            assert (await table.sit(name, client_seed=seed)).status_code == 201
        await self._move(table, DRAW)

    async def _finished(self) -> None:
        """A deal to its end, by whichever action comes first."""
        table = await self.opened("finished", opening(organiser_sees_all=True))
        while (seen := await table.get(who="organiser"))["turn"] is not None:
            mine = await table.get(who=seen["turn"])
            await self._move(table, mine["legal_actions"][-1])

    async def _given_up(self) -> None:
        table = await self.opened("given up", {"players": NAMED, "visibility": "private"})
        await self._move(table, DRAW)
        assert (await table.ask("POST", "/forfeit", 2, {})).status_code == 200

    async def _gone(self) -> None:
        table = await self.opened("gone", {"players": [OPEN] * 4}, "gone")
        self.called_off = self.sent.pop()
        assert (await table.ask("DELETE", who="organiser")).status_code == 204
        del self.tables["gone"]

    async def opened(self, name: str, body: Json, key: str = "") -> Table:
        """Open a game; with a key, so that the request may be sent again."""
        headers = bearer(CLUB) | (self._key(key) if key else {})
        if key:
            answer = await self._post("/v1/games", body, headers)
        else:
            answer = await self.http.post("/v1/games", json=body, headers=headers)
            assert answer.status_code == 201, answer.text
        told = answer.json()
        tokens = told["tokens"]
        self.tables[name] = Table(
            http=self.http,
            game=told["game"]["id"],
            seats=tokens["seats"],
            organiser=tokens["organiser"],
            invitation=told["invitation"],
            first_view=told["game"],
        )
        return self.tables[name]

    async def _move(self, table: Table, action: Json) -> None:
        seen = await table.get(who="organiser")
        headers = bearer(table.seats[seen["turn"]]) | {"If-Match": f'"{seen["ply"]}"'}
        await self._post(f"{table.path}/moves", {"actions": [action]}, headers)

    async def _post(self, path: str, body: Json, headers: Mapping[str, str]) -> httpx.Response:
        answer = await self.http.post(path, json=body, headers=dict(headers))
        assert answer.is_success, answer.text
        self.sent.append(Sent(path, body, headers, answer))
        return answer

    def _key(self, purpose: str) -> dict[str, str]:
        return {"Idempotency-Key": f"the key for {purpose}"}

    async def told(self) -> Told:
        """All that anybody is told of all the games."""
        return {asked: self._essence(await answer) for asked, answer in self._questions()}

    def _questions(self) -> Iterator[tuple[str, Any]]:
        for name, table in self.tables.items():
            for who in VIEWERS:
                for tail in TAILS:
                    headers = bearer(table.token(who))
                    asked = self.http.get(table.path + tail, headers=headers)
                    yield f"{name}, {who}, {tail}", asked
        for query in LISTS:
            for holder in (None, CLUB):
                asked = self.http.get(f"/v1/games{query}", headers=bearer(holder))
                yield f"list {query} of {holder}", asked

    @staticmethod
    def _essence(answer: httpx.Response) -> tuple[int, bytes, str | None]:
        # The id of the request is another one each time.
        body = answer.content if answer.status_code == 200 else b""
        return answer.status_code, body, answer.headers.get("ETag")

    def secrets(self) -> list[str]:
        """What nobody but its holder, or nobody at all, may be told."""
        return [
            CLUB,
            *(token for table in self.tables.values() for token in table_tokens(table)),
            *("the key for taking a seat", "the key for playing"),
        ]


def table_tokens(table: Table) -> list[str]:
    """All tokens of a table."""
    return [token for token in (*table.seats, table.organiser, table.invitation) if token]
