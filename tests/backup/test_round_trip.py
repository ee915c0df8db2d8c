"""What is backed up, lost and restored is as it was, on every kind of deployment."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.backup.club import DRAW, OPEN
from tests.backup.conftest import BackedUp, Evening, empty, lifetimes
from tests.commands.running import run
from tests.service.tables import problem
from tests.store.deployments import KINDS, Deployment
from tests.store.servers import Server

SECOND_MS = 1000


@pytest.fixture(params=KINDS)
def place(
    request: pytest.FixtureRequest, shared_servers: Callable[[str], Deployment]
) -> Iterator[Deployment]:
    """An empty deployment of each kind."""
    place = shared_servers(request.param)
    empty(place)
    yield place
    empty(place)


@pytest.fixture
def restored(place: Deployment, meeting: Callable[[str], Evening], file: Path) -> Evening:
    """An evening whose games were all lost, and have come back."""
    evening = meeting(place.url)
    evening.run(evening.club.meet())
    evening.before = evening.run(evening.club.told())
    evening.lifetimes = lifetimes(place)
    done = run("backup", file, "--redis-url", place.url)
    assert (done.exit_code, done.stderr) == (0, "")
    assert " games in " in done.stdout
    empty(place)
    assert not lifetimes(place)
    done = run("restore", file, "--redis-url", place.url)
    assert (done.exit_code, done.stderr) == (0, "")
    assert done.stdout == "5 games: 5 restored, 0 there already\n"
    return evening


def test_all_is_as_it_was(restored: Evening, place: Deployment) -> None:
    """Each test would need all of this anew, and it takes a second."""
    club, http = restored.club, restored.http
    assert {status for status, _, _ in restored.before.values()} == {200, 401, 403, 404, 409}

    # Views, logs, hashes, ledgers, records and lists, for everybody.
    assert restored.run(club.told()) == restored.before

    # Every key lasts as long as it would have, give and take the time between.
    after = lifetimes(place)
    assert after.keys() == restored.lifetimes.keys()
    assert all(0 <= after[key] - was < 60 * SECOND_MS for key, was in restored.lifetimes.items())

    # Moves at their ply, seats and openings under their keys: what was done is not done again.
    for sent in club.sent:
        again = restored.run(sent.again(http))
        assert (again.status_code, again.content) == (sent.answer.status_code, sent.answer.content)
    assert club.called_off is not None
    problem(restored.run(club.called_off.again(http)), 404, "not_found")
    assert of_games(lifetimes(place)) == of_games(after)

    # Games go on.
    waiting, playing = club.tables["waiting"], club.tables["playing"]
    seat = waiting.sit("west", invitation=waiting.invitation)
    assert restored.run(seat).json()["game"]["status"] == "playing"
    assert restored.run(playing.ask("POST", "/moves", 2, {"actions": [DRAW]})).status_code == 200


def of_games(lifetimes: dict[bytes, int]) -> dict[bytes, int]:
    """Without those of lists, which begin anew whenever a game is listed."""
    return {key: until for key, until in lifetimes.items() if not key.endswith(b":games")}


def test_games_move_from_a_cluster_to_a_single_server(
    shared_servers: Callable[[str], Deployment],
    meeting: Callable[[str], Evening],
    redis_url: str,
    file: Path,
) -> None:
    cluster = shared_servers("cluster")
    empty(cluster)
    there = meeting(cluster.url)
    there.run(there.club.meet())
    told = there.run(there.club.told())
    run("backup", file, "--redis-url", cluster.url)
    assert run("restore", file, "--redis-url", redis_url).exit_code == 0
    here = meeting(redis_url)
    for table in there.club.tables.values():
        table.http = here.http
    there.club.http = here.http
    empty(cluster)
    assert here.run(there.club.told()) == told


def test_what_is_there_stays_as_it_is(
    server: Server, meeting: Callable[[str], Evening], file: Path
) -> None:
    evening = meeting(server.url)
    evening.run(evening.club.meet())
    run("backup", file, "--redis-url", server.url)
    table = evening.club.tables["playing"]
    evening.run(table.play(2, "draw_stock"))
    evening.run(evening.club.tables["waiting"].ask("DELETE", who="organiser"))
    told, kept = evening.run(evening.club.told()), lifetimes(server)
    done = run("restore", file, "--redis-url", server.url)
    assert (done.exit_code, done.stdout) == (0, "5 games: 1 restored, 4 there already\n")
    for asked, answer in evening.run(evening.club.told()).items():
        assert answer == told[asked] or asked.startswith(("waiting", "list"))
    assert of_games(kept).items() <= of_games(lifetimes(server)).items()


def test_a_game_that_was_called_off_since_stays_gone_while_its_mark_stands(
    server: Server, meeting: Callable[[str], Evening], file: Path
) -> None:
    evening = meeting(server.url)
    club = evening.club
    keyed = evening.run(club.opened("keyed", {"players": [OPEN] * 4}, "calling it off"))
    other = evening.run(club.opened("other", {"players": [OPEN] * 4}))
    run("backup", file, "--redis-url", server.url)
    for table in (keyed, other):
        assert evening.run(table.ask("DELETE", who="organiser")).status_code == 204
    done = run("restore", file, "--redis-url", server.url)
    assert (done.exit_code, done.stdout) == (
        0,
        "2 games: 1 restored, 0 there already, 1 gone since\n",
    )
    problem(evening.run(keyed.ask("GET")), 404, "not_found")
    assert evening.run(other.ask("GET")).status_code == 200
    done = run("restore", file, "--redis-url", server.url, "--json")
    assert '"restored":0,"kept":1,"gone":1,"damaged":0,"is_whole":true' in done.stdout


def test_a_game_that_was_lost_is_not_taken_for_one_that_was_called_off(
    backed_up: BackedUp, server: Server, file: Path
) -> None:
    """Of two backups, each with another line damaged, all games can be had."""
    lines, keyed = backed_up.lines, backed_up.club.tables["playing"].game.encode()
    games = sorted(backed_up.games(), key=lambda at: keyed not in lines[at])
    for at, left in zip(games, ("4 restored, 0", "1 restored, 3"), strict=False):
        file.write_bytes(b"".join([*lines[:at], b"?\n", *lines[at + 1 :]]))
        done = run("restore", file, "--redis-url", server.url)
        assert done.stdout == f"4 games: {left} there already; 1 lines damaged\n"
