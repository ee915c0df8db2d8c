"""`referee backup` and `restore` as commands: where they read and write, and how they fail."""

import signal
import socket
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from tests.backup.conftest import BackedUp, lifetimes
from tests.commands.running import on_a_terminal, refusal, run, started
from tests.service.commands import ENDS_WITHIN, ROOT, environment
from tests.store.servers import Server
from tests.whole.serving import served


@pytest.fixture
def full(backed_up: BackedUp, server: Server, file: Path) -> Server:
    """A server with the games of an evening."""
    file.write_bytes(b"".join(backed_up.lines))
    assert run("restore", file, "--redis-url", server.url).exit_code == 0
    file.unlink()
    return server


def test_an_embedded_store_is_served_whether_or_not_a_service_runs_on_it(
    backed_up: BackedUp, file: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "games"
    file.write_bytes(b"".join(backed_up.lines))
    done = run("restore", file, "--data", folder)
    assert (done.exit_code, done.stdout) == (0, "5 games: 5 restored, 0 there already\n")
    alone = run("backup", file, "--data", folder)
    with served(folder) as service:
        beside = run("backup", file, "--data", folder)
        again = run("restore", file, "--data", folder)
        path = backed_up.club.tables["finished"].path
        record = httpx.get(f"{service.url}{path}/record", verify=False)
    for done in (alone, beside):
        assert (done.exit_code, done.stderr) == (0, "")
        assert done.stdout.startswith(f"5 games in {file}: 1 waiting, 2 playing, 2 finished; ")
    assert (again.exit_code, again.stdout) == (0, "5 games: 0 restored, 5 there already\n")
    assert record.content == backed_up.told["finished, None, /record"][1]


def test_where_no_games_are_there_is_no_backup(file: Path, tmp_path: Path) -> None:
    told = refusal("backup", file, "--data", tmp_path / "typo")
    assert f"there is no embedded store in the folder {tmp_path / 'typo'}" in told
    assert not (tmp_path / "typo").exists()
    assert not file.exists()


def test_a_store_that_is_away_is_one_line(backed_up: BackedUp, file: Path) -> None:
    url = "redis://us:hush@127.0.0.1:1/0"
    assert "the store at redis://127.0.0.1:1/0 is away" in refusal(
        "backup", file, "--redis-url", url
    )
    assert not file.exists()
    file.write_bytes(b"".join(backed_up.lines))
    told = refusal("restore", file, "--redis-url", url)
    assert "is away" in told
    assert "hush" not in told


@pytest.mark.parametrize("command", ["backup", "restore"])
@pytest.mark.parametrize("url", ["http://example.org", "redis+sentinel://127.0.0.1:1"])
def test_a_url_that_cannot_be_used_is_one_line(
    backed_up: BackedUp, file: Path, command: str, url: str
) -> None:
    file.write_bytes(b"".join(backed_up.lines))
    refusal(command, file, "--redis-url", url)


def test_an_evicting_server_is_refused(full: Server, file: Path) -> None:
    with full.client() as client:
        client.config_set("maxmemory-policy", "allkeys-lru")
        try:
            assert "maxmemory-policy" in refusal("backup", file, "--redis-url", full.url)
        finally:
            client.config_set("maxmemory-policy", "noeviction")


@pytest.mark.parametrize("place", ["missing/games", ".", "/dev/full"])
def test_a_file_that_cannot_be_written_is_one_line(
    full: Server, tmp_path: Path, place: str
) -> None:
    told = refusal("backup", tmp_path / place, "--redis-url", full.url)
    assert "cannot be written" in told
    assert list(tmp_path.iterdir()) == []


def test_a_backup_that_fails_leaves_the_one_before(full: Server, file: Path) -> None:
    file.write_text("yesterday's")
    with full.client() as client:
        client.config_set("maxmemory-policy", "allkeys-lru")
        refusal("backup", file, "--redis-url", full.url)
        client.config_set("maxmemory-policy", "noeviction")
    assert file.read_text() == "yesterday's"
    assert run("backup", file, "--redis-url", full.url).exit_code == 0
    assert run("restore", "--check", file).stdout == "5 games\n"
    assert [found.name for found in file.parent.iterdir()] == [file.name]


def test_it_goes_through_a_pipe(full: Server) -> None:
    with started("backup", "-", "--json", "--redis-url", full.url) as process:
        written, told = process.communicate(timeout=ENDS_WITHIN)
    assert process.returncode == 0
    assert told.startswith(b'{"file":"-","games":{"waiting":1,"playing":2,"finished":2}')
    done = run("restore", "-", "--json", "--redis-url", full.url, stdin=written)
    assert done.stdout == (
        '{"file":"-","games":5,"restored":0,"kept":5,"gone":0,"damaged":0,"is_whole":true}\n'
    )


def test_whoever_reads_may_stop(full: Server) -> None:
    command = f"{sys.executable} -m service backup - --redis-url {full.url} | true"
    done = subprocess.run(
        ["/bin/bash", "-o", "pipefail", "-c", command],
        cwd=ROOT,
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert done.stderr == "referee: - cannot be written: Broken pipe\n"


def test_it_is_not_shown_on_a_terminal(full: Server) -> None:
    status, shown = on_a_terminal("backup", "-", "--redis-url", full.url)
    assert (status, shown.splitlines()) == (
        2,
        ["referee: a backup is not for the eyes: give a FILE, or send it on through a pipe"],
    )


def test_on_a_terminal_a_bar_moves_and_goes_away(full: Server, file: Path) -> None:
    status, shown = on_a_terminal("backup", file, "--redis-url", full.url)
    assert status == 0
    assert "backing up" in shown
    assert "5 games" in shown.splitlines()[-1]


@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_backup_that_is_stopped_leaves_nothing(tmp_path: Path, number: int, status: int) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"redis://127.0.0.1:{silent.getsockname()[1]}"
        with started("backup", tmp_path / "games", "--redis-url", url) as it:
            connected, _ = silent.accept()
            with connected:
                assert len(list(tmp_path.iterdir())) == 1
                it.send_signal(number)
                _, errors = it.communicate(timeout=ENDS_WITHIN)
    assert it.returncode == status
    assert b"Traceback" not in errors
    assert list(tmp_path.iterdir()) == []


def test_a_game_that_cannot_be_read_is_named_and_the_others_are_written(
    full: Server, backed_up: BackedUp, file: Path
) -> None:
    tables = backed_up.club.tables
    playing = tables["playing"].game
    with full.client() as client:
        assert client.exists(f"rummy:{{{playing}}}:mark")
        client.rpop(f"rummy:{{{playing}}}:log")
        client.setrange(f"rummy:{{{tables['finished'].game}}}:state", 0, b"\x63")
    done = run("backup", file, "--redis-url", full.url)
    assert done.exit_code == 1
    assert done.stdout.startswith(f"3 games in {file}: ")
    assert f"game {playing} is at ply 2, but its log has 1 entries" in done.stderr
    assert "a stored value has schema 99; this release reads 1 to" in done.stderr
    # Nothing says that it was called off.
    assert not any('"mark"' in line and playing in line for line in file.read_text().splitlines())
    done = run("restore", "--check", file)
    assert (done.exit_code, done.stdout) == (1, "3 games\n")
    assert "when this was written some games could not be read" in done.stderr


def test_nothing_is_written_by_a_check(
    backed_up: BackedUp, server: Server, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file.write_bytes(b"".join(backed_up.lines))
    monkeypatch.setenv("REFEREE_REDIS_URL", server.url)
    done = run("restore", "--check", file)
    assert (done.exit_code, done.stdout, done.stderr) == (0, "5 games\n", "")
    assert not lifetimes(server)


def test_it_is_said_what_to_protect() -> None:
    told = " ".join(run("backup", "--help").stdout.split())
    assert "PROTECT THE FILE like one of passwords" in told
