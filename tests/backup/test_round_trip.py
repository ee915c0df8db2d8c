"""What is backed up, lost and restored is as it was, on every kind of deployment."""

from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.backup.conftest import Evening
from tests.commands.running import run
from tests.store.deployments import KINDS, Deployment


@pytest.fixture(params=KINDS)
def place(
    request: pytest.FixtureRequest, shared_servers: Callable[[str], Deployment]
) -> Deployment:
    """An empty deployment of each kind."""
    place = shared_servers(request.param)
    empty(place)
    return place


def empty(place: Deployment) -> None:
    with ExitStack() as connected:
        for client in [connected.enter_context(client) for client in place.each()]:
            client.flushall()


def test_everything_is_as_it_was(
    place: Deployment, meeting: Callable[[str], Evening], tmp_path: Path
) -> None:
    evening = meeting(place.url)
    club = evening.club
    evening.run(club.meet())
    before = evening.run(club.told())
    assert {status for status, _, _ in before.values()} == {200, 401, 403, 404, 409}
    file = tmp_path / "games.ndjson"
    done = run("backup", file, "--redis-url", place.url)
    assert (done.exit_code, done.stderr) == (0, "")
    empty(place)
    done = run("restore", file, "--redis-url", place.url)
    assert (done.exit_code, done.stderr) == (0, "")
    assert done.stdout == "5 games: 5 restored, 0 there already\n"
    assert evening.run(club.told()) == before
