"""`referee demo`: a whole game by four clients over HTTP, the same for the same seed."""

import json
import re
import signal
from pathlib import Path
from typing import Any

import httpx
import pytest

from service.api_keys import listing, new_key, read_keys
from service.app import create_app
from service.settings import Settings
from tests.service.commands import line, referee, running
from tests.service.tiny import served

# Players over HTTP see no store.
pytestmark = pytest.mark.one_store


def told(*arguments: str) -> dict[str, Any]:
    """The one JSON object of a demo."""
    done = referee("demo", "--json", *arguments)
    assert (done.returncode, done.stderr) == (0, "")
    assert len(done.stdout.splitlines()) == 1
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_a_seed_plays_the_same_game_anywhere(redis_url: str, tmp_path: Path) -> None:
    here = told("--seed", "7", "--data", str(tmp_path / "games"))
    assert (tmp_path / "games").is_dir()
    with served(create_app(Settings(redis_url=redis_url))) as port:
        url = f"http://127.0.0.1:{port}"
        there = told("--seed", "7", "--url", url)
        # The running service keeps the game, and says the same of it.
        view = httpx.get(f"{url}/v1/games/{there['game']}").json()
        assert (view["status"], view["result"]) == ("finished", there["result"])
    assert set(here) == {"game", "seed", "totals", "result", "deals"}
    assert here["game"] != there["game"]
    assert here | {"game": ""} == there | {"game": ""}
    assert_adds_up(here)


def assert_adds_up(game: dict[str, Any]) -> None:
    assert [deal["deal"] for deal in game["deals"]] == [1, 2]
    for team in ("A", "B"):
        for deal in game["deals"]:
            points = [item["points"] for item in deal["items"] if item["team"] == team]
            assert sum(points) == deal["scores"][team]
        assert sum(deal["scores"][team] for deal in game["deals"]) == game["totals"][team]
    assert game["result"]["totals"] == game["totals"]


def test_a_pipe_gets_plain_text_with_each_turn_and_the_ledgers(redis_url: str) -> None:
    with served(create_app(Settings(redis_url=redis_url))) as port:
        url = f"http://127.0.0.1:{port}"
        done = referee("demo", "--seed", "8", "--url", url)
        game = done.stdout.split()[1]
        score = httpx.get(f"{url}/v1/games/{game}/score").json()
    assert (done.returncode, done.stderr) == (0, "")
    assert "\x1b" not in done.stdout
    printed = done.stdout.splitlines()
    assert printed[0] == f"Game {game} at {url}, seed 8"
    turns = [text for text in printed if re.match(r" *\d+  (north|east |south|west ) ", text)]
    assert len(turns) > 20
    assert done.stdout.count("The table at the end of deal") == 2
    for deal in score["deals"]:
        assert f"\nDeal {deal['deal']}\n" in done.stdout
        for item in deal["items"]:
            assert re.search(rf" {item['points']} +{item['rule']} ", done.stdout)
    totals = score["totals"]
    assert printed[-1].endswith(f": A {totals['A']}, B {totals['B']}")


def test_a_service_that_wants_a_key_is_given_one(redis_url: str) -> None:
    key = new_key()
    known = read_keys(listing("show", ["games"], key))
    with served(create_app(Settings(redis_url=redis_url, api_keys=known))) as port:
        at = ("--url", f"http://127.0.0.1:{port}", "--json", "--seed", "8")
        assert referee("demo", *at, "--key", key).returncode == 0
        assert referee("demo", *at, API_KEY=key).returncode == 0
        refused = referee("demo", *at)
    assert (refused.returncode, len(refused.stderr.splitlines())) == (2, 1)
    assert "401" in refused.stderr


@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_it_can_be_stopped_and_takes_its_service_along(number: int, status: int) -> None:
    with running("demo", "--seed", "7") as process:
        url = line(process).split(" at ")[1].split(",")[0]
        assert httpx.get(f"{url}/healthz").status_code == 200
        assert line(process)
        process.send_signal(number)
        _, errors = process.communicate(timeout=30)
    assert process.returncode == status
    assert "Traceback" not in errors
    with pytest.raises(httpx.ConnectError):
        httpx.get(f"{url}/healthz")


def refusal(*arguments: str, **variables: str) -> str:
    done = referee("demo", *arguments, **variables)
    assert (done.returncode, done.stdout) == (2, "")
    assert "Traceback" not in done.stderr
    return done.stderr


def test_what_goes_wrong_is_said_in_a_line() -> None:
    assert "http://127.0.0.1:1" in refusal("--url", "http://127.0.0.1:1")
    assert "nonsense" in refusal("--url", "nonsense")
    assert "--data" in refusal("--url", "http://127.0.0.1:1", "--data", "here")
    assert "REFEREE_PROT" in refusal(REFEREE_PROT="80")
