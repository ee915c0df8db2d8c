"""Every example of the contract, sent in the order of four small games, is answered as written."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from service.app import create_app
from service.http.problems import problem_of
from service.settings import Settings
from service.store.redis import RedisStore
from tests.contract.document import DOCUMENT
from tests.contract.telling import BY_ID, REQUEST_ID, Telling, all_keys
from tests.service.tiny import client

SETTINGS = Settings(data=Path("unused"))

DISCARD = {"actions": [{"type": "discard", "card": "3D"}]}
DRAW = {"actions": [{"type": "draw_stock"}]}


class Cast:
    """The game of an example of opening, and the tokens that it gave."""

    def __init__(self, example: str) -> None:
        answers = BY_ID["open_game"].responses[201]["content"]["application/json"]["examples"]
        opened = answers[example]["value"]
        self.game: str = opened["game"]["id"]
        self.organiser: str = opened["tokens"]["organiser"]
        self.seats: list[str] = opened["tokens"]["seats"]


NAMED = Cast("named_seats")
OPEN = Cast("open_seats")
PACKS = Cast("given_packs")


@pytest.fixture
async def telling(store: RedisStore) -> AsyncIterator[Telling]:
    async with client(create_app(SETTINGS, store)) as http:
        yield Telling(http)


async def test_every_example_is_answered_as_it_is_written(telling: Telling) -> None:
    await tell_the_service(telling)
    await tell_the_named_game(telling)
    await tell_the_open_game(telling)
    await tell_the_given_packs(telling)
    await telling.tell("open_game", 201, "drawn_teams")
    await tell_the_limits(telling)
    # No request makes the service fail, the store of this test does not go away, and its limits are
    # wide.
    assert all_keys() - telling.told == {
        "Internal internal",
        "Unavailable unavailable",
        "RateLimited rate_limited",
    }


async def tell_the_service(telling: Telling) -> None:
    await telling.tell("get_welcome", 200, "welcome")
    await telling.tell("get_health", 200, "running")
    await telling.tell("get_readiness", 200, "ready")
    await telling.tell("get_metrics", 200, "page")
    as_openmetrics = {"Accept": "application/openmetrics-text"}
    await telling.tell("get_metrics", 200, "page", headers=as_openmetrics)
    await telling.tell("get_contract", 200, "beginning")
    await telling.tell("get_docs", 200, "page")
    await telling.tell("get_docs_asset", 200, "style", name="swagger-ui.css")
    await telling.tell("get_docs_asset", 200, "script", name="start.js")
    await telling.tell("list_rulesets", 200, "all")
    await telling.tell("get_ruleset", 200, "persian", name="persian")
    as_browsers_do = {"Accept": "text/html,*/*;q=0.8"}
    await telling.tell("list_rules", 200, "beginning")
    await telling.tell("list_rules", 200, "page", headers=as_browsers_do)
    await telling.tell("get_rule", 200, "ace", name="R-13")
    await telling.tell("get_rule", 200, "page", name="R-13", headers=as_browsers_do)
    await telling.tell("get_problem", 200, "game_over", name="game_over")
    await telling.tell("get_problem", 200, "page", name="game_over", headers=as_browsers_do)


async def tell_the_named_game(telling: Telling) -> None:
    game, seats, organiser = NAMED.game, NAMED.seats, NAMED.organiser
    await telling.tell("open_game", 201, "named_seats")
    first = {"If-Match": '"0"'}
    await telling.tell("play_move", 200, "take_and_meld", game=game, token=seats[1], headers=first)
    await telling.tell("get_game", 200, "seat", game=game, token=seats[2])
    await telling.tell("get_game", 200, "spectator", game=game)
    await telling.tell("get_position", 200, "beginning_of_deal", game=game, query={"at": "0"})
    await telling.tell("get_game", 304, "", game=game, headers={"If-None-Match": '"3"'})
    await telling.tell("play_move", 409, "not_your_turn", game=game, token=seats[1], body=DRAW)
    await telling.tell("play_move", 422, "illegal_move", game=game, token=seats[2], body=DISCARD)
    third = {"If-Match": '"3"'}
    await telling.tell("play_move", 200, "draw", game=game, token=seats[2], headers=third)
    await telling.tell(
        "play_move", 412, "stale", game=game, token=seats[2], body=DISCARD, headers=third
    )
    await telling.tell("get_legal_actions", 200, "to_act", game=game, token=seats[2])
    await telling.tell("get_legal_actions", 200, "waiting", game=game, token=seats[1])
    await telling.tell("get_log", 200, "first_page", game=game, query={"limit": "3"})
    await telling.tell("get_log", 200, "last_page", game=game, token=seats[2], query={"after": "3"})
    await telling.tell("get_score", 200, "playing", game=game)
    await telling.tell("get_record", 409, "game_not_over", game=game)
    await telling.tell("delete_game", 409, "game_started", game=game, token=organiser)
    await telling.tell("delete_game", 403, "forbidden", game=game, token=seats[0])
    await telling.tell("forfeit_game", 422, "contradiction", game=game, token=organiser)
    await telling.tell("forfeit_game", 200, "organiser", game=game, token=organiser)
    await telling.tell("get_score", 200, "forfeited", game=game)
    await telling.tell("get_record", 200, "forfeited", game=game)
    await telling.tell("forfeit_game", 409, "game_over", game=game, token=seats[0])
    await telling.tell("delete_game", 409, "game_over", game=game, token=organiser)
    await telling.tell("play_move", 409, "game_over", game=game, token=seats[2], body=DRAW)
    await telling.tell("replace_token", 200, "lost", game=game, seat=1, token=organiser)
    await telling.tell("get_game", 401, "unauthorized", game=game, token=seats[1])


async def tell_the_open_game(telling: Telling) -> None:
    game, seats, organiser = OPEN.game, OPEN.seats, OPEN.organiser
    await telling.tell("open_game", 201, "open_seats")
    await telling.tell("list_games", 200, "none", query={"status": "waiting"})
    await telling.tell("get_position", 409, "game_not_started", game=game, token=organiser)
    await telling.tell("get_game", 404, "not_found", game=game)
    await telling.tell("take_seat", 201, "invited", game=game)
    invited: dict[str, Any] = BY_ID["take_seat"].body["requestBody"]["content"]
    again = invited["application/json"]["examples"]["invited"]["value"] | {"seat": 2}
    await telling.tell("take_seat", 409, "seat_taken", game=game, body=again)
    await telling.tell(
        "play_move", 428, "precondition_required", game=game, token=seats[0], body=DRAW
    )
    now = {"If-Match": '"1"'}
    await telling.tell(
        "play_move", 409, "game_not_started", game=game, token=seats[0], body=DRAW, headers=now
    )
    await telling.tell("forfeit_game", 409, "game_not_started", game=game, token=seats[0])
    await telling.tell("delete_game", 204, "", game=game, token=organiser)


async def tell_the_given_packs(telling: Telling) -> None:
    game, seats = PACKS.game, PACKS.seats
    await telling.tell("open_game", 201, "given_packs")
    drawn = {"actions": [{"type": "draw_stock"}]}
    answer = await telling.send("play_move", game=game, token=seats[1], body=drawn)
    assert answer.status_code == 200
    await telling.tell(
        "play_move", 200, "go_out", game=game, token=seats[1], headers={"If-Match": '"1"'}
    )
    await telling.tell("get_game", 200, "finished", game=game, token=PACKS.organiser)
    await telling.tell("get_score", 200, "scored", game=game)
    await telling.tell("get_record", 200, "scored", game=game)


async def tell_the_limits(telling: Telling) -> None:
    game, token = PACKS.game, PACKS.seats[1]
    players = [{"name": name} for name in ("north", "east", "south", "west")]
    large = {"ruleset": {"options": {"hand_size": 13}}, "players": players}
    house = {"players": [*players[:3], {"kind": "house"}]}
    nothing: dict[str, Any] = {"actions": []}
    await telling.tell("play_move", 400, "malformed", game=game, token=token, body=nothing)
    await telling.tell("get_health", 405, "method_not_allowed", method="DELETE")
    await telling.tell(
        "get_game", 406, "not_acceptable", game=game, headers={"Accept": "text/html"}
    )
    many = {"actions": [{"type": "pass"}] * 2000}
    await telling.tell("play_move", 413, "too_large", game=game, token=token, body=many)
    await telling.tell("get_game", 414, "too_large", game=game, query={"q": "a" * 8192})
    plain = {"Content-Type": "text/plain"}
    await telling.tell(
        "play_move",
        415,
        "unsupported_media_type",
        game=game,
        token=token,
        body=DRAW,
        headers=plain,
    )
    await telling.tell("open_game", 422, "contradiction", body=large)
    await telling.tell("verify_records", 200, "right")
    lines = {"Content-Type": "application/x-ndjson"}
    await telling.tell("verify_records", 200, "unusable_line", body="{}\n", headers=lines)
    await telling.tell("validate", 200, "meld")
    await telling.tell("validate", 200, "refused")
    impossible = BY_ID["validate"].body["requestBody"]["content"]["application/json"]["examples"]
    position = impossible["refused"]["value"]["position"]
    twice = {**position, "passes": 1, "hands": [["2S", "2S", "AS"], 1, 1, 1]}
    await telling.tell("validate", 422, "contradiction", body={"position": twice, "actions": []})
    await telling.tell("open_game", 422, "unsupported", body=house)
    keyed = {"Idempotency-Key": "0b6f4f5e-8c1c-4a57-9f0e-6f6a5f0f3c55"}
    opening = {"players": [*players[:3], {"kind": "open"}]}
    answer = await telling.send("open_game", body=opening, headers=keyed)
    await telling.tell(
        "open_game", 422, "idempotency_mismatch", body={"players": players}, headers=keyed
    )
    waiting = answer.json()["game"]["id"]
    await telling.send("take_seat", game=waiting, body={"name": "west"}, headers=keyed)
    await telling.tell(
        "take_seat",
        422,
        "idempotency_mismatch",
        game=waiting,
        body={"name": "east"},
        headers=keyed,
    )
    await telling.tell("get_health", 431, "too_large", headers={"Cookie": "a" * 16384})


async def test_a_caller_who_calls_too_often(store: RedisStore) -> None:
    limited = replace(SETTINGS, address_rate=1, address_burst=3)
    async with client(create_app(limited, store)) as http:
        telling = Telling(http)
        while (await telling.send("list_rulesets")).status_code == 200:
            pass
        told = DOCUMENT["components"]["responses"]["RateLimited"]["content"]
        written = told["application/problem+json"]["examples"]["rate_limited"]["value"]
        answer = await telling.send("list_rulesets")
        assert answer.json() == written | {"detail": answer.json()["detail"]}


async def test_a_store_that_is_away(tmp_path: Path) -> None:
    app = create_app(Settings(redis_url=f"unix://{tmp_path}/nobody"))
    async with app.litestar.lifespan(), client(app) as http:
        telling = Telling(http)
        await telling.tell("get_readiness", 503, "unavailable")
        await telling.tell("open_game", 503, "unavailable", body={"players": [{"name": "n"}] * 4})


def test_a_failure_of_the_service() -> None:
    shown = DOCUMENT["components"]["responses"]["Internal"]["content"]["application/problem+json"]
    told = problem_of(RuntimeError()).body(REQUEST_ID)
    assert msgspec.json.decode(told) == shown["examples"]["internal"]["value"]
