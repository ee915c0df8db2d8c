"""Who may do what: every operation, asked by everybody, at a public and at a private game."""

from typing import Any, NamedTuple

import httpx
import pytest

from tests.service.tables import NAMED, Json, Table, bearer, json_of, opened, opening, problem

FOREIGN = ("another seat", "another organiser")
UNKNOWN = (
    "garbage", "empty", "no scheme", "another scheme", "invitation", "replaced", "gone seat",
    "gone organiser", "upper case", "cut short", "too long", "made up", "two tokens", "padded",
    "api key",
)  # fmt: skip
OWN = ("seat", "partner", "opponent", "organiser")
EVERYBODY = ("nobody", *FOREIGN, *UNKNOWN, *OWN)


class Operation(NamedTuple):
    """A request, and how it ends for those at the table; `needs_token` is for the others."""

    method: str
    tail: str
    body: Any
    needs_token: bool
    seat: int
    partner: int
    opponent: int
    organiser: int
    nobody: int = 200


MOVE = {"actions": [json_of("draw_stock")]}
# Seat 1 is to act; seat 3 is its partner, seat 0 an opponent.
OPERATIONS = {
    "view": Operation("GET", "", None, False, 200, 200, 200, 200),
    "log": Operation("GET", "/log", None, False, 200, 200, 200, 200),
    "score": Operation("GET", "/score", None, False, 200, 200, 200, 200),
    "record": Operation("GET", "/record", None, False, 409, 409, 409, 409, 409),
    "legal actions": Operation("GET", "/legal-actions", None, True, 200, 200, 200, 403),
    "move": Operation("POST", "/moves", MOVE, True, 200, 409, 409, 403),
    "forfeit": Operation("POST", "/forfeit", {"team": "B"}, True, 200, 200, 403, 200),
    "call off": Operation("DELETE", "", None, True, 403, 403, 403, 409),
    "new token": Operation("POST", "/seats/2/token", {}, True, 403, 403, 403, 200),
    "no such seat": Operation("POST", "/seats/4/token", {}, True, 404, 404, 404, 404),
    "sit": Operation("POST", "/seats", {"name": "x"}, False, 409, 409, 409, 409, 409),
}
ERRORS = {401: "unauthorized", 403: "forbidden", 404: "not_found"}


async def gone(http: httpx.AsyncClient) -> Table:
    """A game that was called off."""
    table = await opened(http, opening(players=[*NAMED[:3], {"kind": "open"}]))
    assert (await table.ask("DELETE", who="organiser")).status_code == 204
    return table


async def headers_of(table: Table, who: str, past: Table, other: Table) -> dict[str, str]:
    """What this caller sends to be known; `past` is a game that is gone."""
    token = str(table.seats[1])
    match who:
        case "nobody":
            return {}
        case "empty":
            return {"Authorization": ""}
        case "no scheme":
            return {"Authorization": token}
        case "another scheme":
            return {"Authorization": f"Basic {token}"}
        case "two tokens":
            return {"Authorization": f"Bearer {token}, Bearer {token}"}
        case "padded":
            return {"Authorization": f"Bearer {token} x"}
        case "replaced":
            answer = await table.ask("POST", "/seats/1/token", "organiser", {})
            table.seats[1] = answer.json()["token"]
    tokens = {
        "garbage": "garbage",
        "invitation": table.invitation or f"pri_{table.game}_{'0' * 48}",
        "replaced": token,
        "gone seat": past.seats[1],
        "gone organiser": past.organiser,
        "upper case": token.upper(),
        "cut short": token[:-1],
        "too long": token + "0",
        "made up": f"prs_{table.game}_{'0' * 48}",
        "api key": f"prk_{token[4:]}",
        "another seat": other.seats[1],
        "another organiser": other.organiser,
        "seat": token,
        "partner": table.seats[3],
        "opponent": table.seats[0],
        "organiser": table.organiser,
    }
    return bearer(tokens[who])


def expected(operation: Operation, who: str, visibility: str) -> int:
    if who in OWN:
        return int(getattr(operation, who))
    if who in UNKNOWN:
        return 401
    if who == "nobody" and operation.needs_token:
        return 401
    if visibility == "private":
        return 404
    if operation.tail == "/seats/4/token":
        return 404
    return 403 if operation.needs_token else operation.nobody


@pytest.mark.parametrize("visibility", ["public", "private"])
@pytest.mark.parametrize("name", OPERATIONS)
async def test_who_may_do_what(http: httpx.AsyncClient, name: str, visibility: str) -> None:
    operation = OPERATIONS[name]
    past = await gone(http)
    other = await opened(http)
    ends: Json = {}
    for who in EVERYBODY:
        table = await opened(http, opening(visibility=visibility))
        body = operation.body
        if name == "sit" and visibility == "private" and who in OWN:
            body = {**body, "invitation": table.invitation}
        headers = await headers_of(table, who, past, other)
        answer = await table.ask(operation.method, operation.tail, body=body, headers=headers)
        ends[who] = answer.status_code
        if answer.status_code in ERRORS:
            problem(answer, answer.status_code, ERRORS[answer.status_code])
            assert (answer.headers.get("WWW-Authenticate") == "Bearer") == (
                answer.status_code == 401
            )
            await table.untouched(0)
    assert ends == {who: expected(operation, who, visibility) for who in EVERYBODY}


@pytest.mark.parametrize("name", OPERATIONS)
async def test_a_game_that_is_not_there(http: httpx.AsyncClient, name: str) -> None:
    """Who is unknown is told so first; all others learn that there is no such game."""
    operation = OPERATIONS[name]
    other = await opened(http)
    past = await gone(http)
    for path in ("a" * 20, "A" * 20, "x", past.game, f"{other.game}0", str(other.seats[0])):
        nowhere = Table(http, path, [None] * 4, "", None, {})
        for who, status in [
            (None, 401 if operation.needs_token else 404),
            (other.seats[1], 404),
            (other.organiser, 404),
            ("garbage", 401),
            (past.organiser, 401),
        ]:
            answer = await nowhere.ask(operation.method, operation.tail, who, operation.body)
            problem(answer, status, ERRORS[status])


async def test_hidden_and_missing_games_look_the_same(http: httpx.AsyncClient) -> None:
    table = await opened(http, opening(visibility="private"))
    stranger = await opened(http)
    nowhere = Table(http, "a" * 20, [None] * 4, "", None, {})
    for who in (None, stranger.seats[1], "garbage"):
        for operation in OPERATIONS.values():
            hidden, missing = [
                await each.ask(operation.method, operation.tail, who, operation.body)
                for each in (table, nowhere)
            ]
            assert hidden.status_code == missing.status_code
            told, same = hidden.json(), missing.json()
            assert {**told, "instance": ""} == {**same, "instance": ""}
            assert set(hidden.headers) == set(missing.headers)


async def test_the_form_is_judged_before_the_token(http: httpx.AsyncClient) -> None:
    """400, 413 and 415 come before 401, 404 and 403."""
    table = await opened(http, opening(visibility="private"))
    for tail, body in [("/moves", {}), ("/forfeit", {"x": 1}), ("/seats", {}),
                       ("/seats/9/token", {"x": 1})]:  # fmt: skip
        for who in (None, "garbage", 0):
            problem(await table.ask("POST", tail, who, body), 400, "malformed")
    for who in (None, "garbage", 0):
        answer = await table.ask("POST", "/moves", who, {"actions": [], "x": "x" * 17_000})
        problem(answer, 413, "too_large")
        headers = {**bearer(table.token(who)), "Content-Type": "text/plain"}
        answer = await http.post(f"{table.path}/moves", content="{}", headers=headers)
        problem(answer, 415, "unsupported_media_type")
        answer = await table.ask("POST", "/moves", who, MOVE, {"If-Match": "0"})
        problem(answer, 400, "malformed")


async def test_an_unknown_token_opens_and_reads_nothing(http: httpx.AsyncClient) -> None:
    past = await gone(http)
    for token in ("garbage", past.organiser):
        answer = await http.post("/v1/games", json=opening(), headers=bearer(token))
        problem(answer, 401, "unauthorized")
        for path in ("/v1/rulesets", "/v1/rulesets/persian", "/v1/rulesets/none"):
            problem(await http.get(path, headers=bearer(token)), 401, "unauthorized")


async def test_a_known_token_does_not_hinder(http: httpx.AsyncClient) -> None:
    table = await opened(http)
    headers = bearer(table.seats[0])
    assert (await http.post("/v1/games", json=opening(), headers=headers)).status_code == 201
    assert (await http.get("/v1/rulesets/persian", headers=headers)).status_code == 200


async def test_another_games_token_reads_as_a_spectator(http: httpx.AsyncClient) -> None:
    table = await opened(http, opening(organiser_sees_all=True))
    other = await opened(http, opening(organiser_sees_all=True))
    for token in (other.seats[1], other.organiser):
        assert await table.get(who=token) == await table.get()
        assert (await table.get(who=token))["viewer"] == {"kind": "spectator", "seat": None}


async def test_the_scheme_is_read_in_any_case(http: httpx.AsyncClient) -> None:
    table = await opened(http)
    for scheme in ("bearer", "BEARER"):
        headers = {"Authorization": f"{scheme} {table.seats[2]}"}
        view = (await table.ask("GET", headers=headers)).json()
        assert view["viewer"] == {"kind": "seat", "seat": 2}


async def test_two_authorizations_are_none(http: httpx.AsyncClient) -> None:
    table = await opened(http)
    twice = [("Authorization", f"Bearer {table.seats[seat]}") for seat in (0, 1)]
    problem(await http.get(table.path, headers=twice), 401, "unauthorized")


async def test_a_token_elsewhere_is_not_read(http: httpx.AsyncClient) -> None:
    table = await opened(http, opening(visibility="private"))
    token = str(table.seats[1])
    problem(await table.ask("GET", f"?token={token}"), 400, "malformed")
    problem(await table.ask("GET", f"?access_token={token}"), 400, "malformed")
    answer = await table.ask("GET", headers={"X-Api-Key": token, "Cookie": f"token={token}"})
    problem(answer, 404, "not_found")


async def test_tokens_are_long_and_never_alike(http: httpx.AsyncClient) -> None:
    tables = [await opened(http, opening(visibility="private")) for _ in range(10)]
    tokens = [each for table in tables for each in (*table.seats, table.organiser)]
    tokens += [table.invitation for table in tables]
    tails = {str(token).rpartition("_")[2] for token in tokens}
    assert len(tails) == len(tokens)
    assert all(len(tail) * 4 >= 128 for tail in tails)
    for table in tables:
        assert str(table.invitation).startswith(f"pri_{table.game}_")
        assert table.organiser.startswith(f"pro_{table.game}_")
        assert all(str(token).startswith(f"prs_{table.game}_") for token in table.seats)


async def test_a_seat_stays_what_it_is(http: httpx.AsyncClient) -> None:
    """No member of a body or query lets a token act for another seat."""
    table = await opened(http)
    problem(await table.ask("POST", "/moves", 0, {**MOVE, "seat": 1}), 400, "malformed")
    action = {"type": "draw_stock", "seat": 1}
    problem(await table.ask("POST", "/moves", 0, {"actions": [action]}), 400, "malformed")
    problem(await table.ask("POST", "/moves?seat=1", 0, MOVE), 400, "malformed")
    await table.untouched(0)
