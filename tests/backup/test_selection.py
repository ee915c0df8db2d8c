"""Some of the games: those that are over, public ones, those that will soon be gone."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from service.store import keys
from tests.backup.conftest import BackedUp, lifetimes
from tests.commands.running import run
from tests.service.tables import Table
from tests.store.servers import Server

HOUR, DAY = 3600, 24 * 3600
Kept = Callable[..., set[str]]


@pytest.fixture
def tables(backed_up: BackedUp, server: Server, file: Path) -> dict[str, Table]:
    """The tables of the evening, whose games are in the store."""
    file.write_bytes(b"".join(backed_up.lines))
    assert run("restore", file, "--redis-url", server.url).exit_code == 0
    file.unlink()
    return backed_up.club.tables


@pytest.fixture
def names(tables: dict[str, Table], server: Server, file: Path) -> Kept:
    """The names of the tables whose games are in a backup with these options."""

    def written(*options: str) -> set[str]:
        done = run("backup", file, "--redis-url", server.url, *options)
        assert (done.exit_code, done.stderr) == (0, "")
        lines = [json.loads(line) for line in file.read_text().splitlines()]
        ids = {line.get("game") for line in lines}
        return {name for name, table in tables.items() if table.game in ids}

    return written


def expire(server: Server, table: Table, seconds: int) -> None:
    with server.client() as client:
        for key in keys.of_game(table.game):
            client.expire(key, seconds)


def test_only_what_is_asked_for_is_written(names: Kept, tables: dict[str, Table]) -> None:
    assert names() == tables.keys()
    assert names("--finished") == {"finished", "given up"}
    assert names("--public") == {"playing", "drawn", "finished"}
    assert names("--finished", "--public") == {"finished"}
    assert names("--records") == {"finished", "given up"}
    assert names("--records", "--public") == {"finished"}


def test_a_selection_says_so_and_has_no_retries(names: Kept, file: Path) -> None:
    for options, is_all in ((), True), (("--public",), False):
        names(*options)
        lines = [json.loads(line) for line in file.read_text().splitlines()]
        assert lines[0]["is_all"] is is_all
        kinds = {line["kind"] for line in lines}
        assert ({"mark", "reservation"} <= kinds) is is_all
        assert "list" in kinds


def test_games_are_exported_before_they_go(
    names: Kept, tables: dict[str, Table], server: Server, file: Path
) -> None:
    expire(server, tables["finished"], DAY)
    expire(server, tables["playing"], DAY)
    assert names("--expiring-within", str(2 * DAY)) == {"finished", "playing", "waiting"}
    assert names("--expiring-within", str(HOUR)) == set()
    assert names("--finished", "--expiring-within", str(2 * DAY)) == {"finished"}
    # Gone, and back again.
    with server.client() as client:
        client.flushall()
    assert run("restore", file, "--redis-url", server.url).exit_code == 0
    assert len(lifetimes(server)) == 3 + len({"public", "key-club", "open-club"})


def test_records_are_what_verify_reads(names: Kept, file: Path) -> None:
    names("--records")
    done = run("verify", file)
    assert (done.exit_code, done.stdout) == (0, "2 records: 2 right, 0 wrong, 0 unusable\n")


def test_a_restored_game_lasts_as_long_as_it_had_but_an_hour_at_least(
    names: Kept, tables: dict[str, Table], server: Server, file: Path
) -> None:
    expire(server, tables["finished"], 1)
    expire(server, tables["given up"], 2 * HOUR)
    names()
    for options, expected in (
        ((), {"finished": HOUR, "given up": 2 * HOUR, "playing": 7 * DAY}),
        (("--renew",), {"finished": 30 * DAY, "given up": 30 * DAY, "playing": 7 * DAY}),
    ):
        with server.client() as client:
            client.flushall()
            assert run("restore", file, "--redis-url", server.url, *options).exit_code == 0
            for name, seconds in expected.items():
                ends = {client.pexpiretime(key) for key in keys.of_game(tables[name].game)}
                (left,) = {client.pttl(key) / 1000 for key in keys.of_game(tables[name].game)[:1]}
                assert len(ends) == 1
                assert seconds - 60 < left <= seconds


def last_for_ever(server: Server, *names: str) -> None:
    with server.client() as client:
        assert all(client.persist(name) for name in names)


def test_a_game_that_was_made_to_last_for_ever_is_not_about_to_go(
    names: Kept, tables: dict[str, Table], server: Server, file: Path
) -> None:
    for name in ("finished", "waiting"):
        last_for_ever(server, *keys.of_game(tables[name].game))
    assert names("--expiring-within", str(7 * DAY)) == {"playing", "drawn"}
    names()
    with server.client() as client:
        client.flushall()
        assert run("restore", file, "--redis-url", server.url).exit_code == 0
        # Nothing that we write lasts for ever; as long as a game can, then.
        for name, seconds in (("waiting", DAY), ("finished", 30 * DAY)):
            assert seconds - 60 < client.ttl(keys.of_game(tables[name].game)[0]) <= seconds


def test_a_retry_that_was_made_to_last_for_ever_comes_back_for_a_day(
    names: Kept, server: Server, file: Path
) -> None:
    with server.client() as client:
        found = [*client.scan_iter("rummy:*:mark"), *client.scan_iter("rummy:*:reservation")]
        last_for_ever(server, *(key.decode() for key in found))
        names()
        client.flushall()
        assert run("restore", file, "--redis-url", server.url).exit_code == 0
        assert len(found) == 4
        assert all(DAY - 60 < client.ttl(key) <= DAY for key in found)


def test_the_lifetimes_that_begin_anew_are_those_of_the_settings(
    names: Kept,
    tables: dict[str, Table],
    server: Server,
    file: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    names()
    with server.client() as client:
        client.flushall()
        for status, seconds in (("WAITING", "5000"), ("PLAYING", "6000"), ("FINISHED", "7000")):
            monkeypatch.setenv(f"REFEREE_{status}_SECONDS", seconds)
        assert run("restore", "--renew", file, "--redis-url", server.url).exit_code == 0
        for name, seconds in (("waiting", 5000), ("playing", 6000), ("finished", 7000)):
            assert seconds - 60 < client.ttl(keys.of_game(tables[name].game)[0]) <= seconds
