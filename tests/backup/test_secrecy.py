"""What stands where in a backup: secrets only in the private part, and no token in any."""

import base64
import json
import stat
from hashlib import sha256
from pathlib import Path

import pytest

from service.backup.lines import opened
from service.backup.shapes import GameLine
from tests.backup.club import Club, table_tokens
from tests.backup.conftest import BackedUp
from tests.commands.running import run
from tests.service.tables import SECRET
from tests.store.servers import Server


@pytest.fixture
def written(backed_up: BackedUp) -> bytes:
    """The backup of an evening."""
    return b"".join(backed_up.lines)


def forms(secret: bytes) -> set[bytes]:
    """A secret as it might be written down."""
    return {secret.hex().encode(), base64.b64encode(secret)}


def tokens(club: Club) -> list[str]:
    return [token for table in club.tables.values() for token in table_tokens(table)]


def test_no_token_and_no_key_is_in_a_backup(backed_up: BackedUp, written: bytes) -> None:
    for secret in backed_up.club.secrets():
        assert secret.encode() not in written
        assert secret.rpartition("_")[2].encode() not in written


def test_without_its_private_part_a_backup_holds_no_secret(
    backed_up: BackedUp, written: bytes
) -> None:
    digests = [sha256(token.encode()).digest() for token in tokens(backed_up.club)]
    private = [bytes.fromhex(SECRET), *digests]
    for secret in private:
        assert any(form in written for form in forms(secret))
    lines = [json.loads(line) for line in written.splitlines()]
    for line in lines:
        line.pop("private", None)
    left = json.dumps(lines).encode()
    for secret in private:
        assert not any(form in left for form in forms(secret))
    # Seeds of games that are not over, and who opens games here.
    assert b"c0ffee" in written
    assert b"c0ffee" not in left
    assert b"club" not in left


def test_of_a_game_that_is_played_there_is_beside_it_only_how_far_it_is(written: bytes) -> None:
    lines = [json.loads(line) for line in written.splitlines()]
    played = [line for line in lines if line["kind"] == "game" and line["status"] != "finished"]
    assert len(played) == 3
    for line in played:
        assert line["record"] is None
        assert line.keys() - {"private", "sha256", "kind", "record"} == {
            *("game", "status", "ply", "hash")
        }


def test_the_record_of_a_game_that_is_over_is_the_one_that_is_served(backed_up: BackedUp) -> None:
    lines = [opened(line) for line in backed_up.lines]
    over = {line.game: line for line in lines if isinstance(line, GameLine)}
    for name in ("finished", "given up"):
        status, served, _ = backed_up.told[f"{name}, organiser, /record"]
        assert status == 200
        assert bytes(over[backed_up.club.tables[name].game].record) == served


def test_only_records_of_public_games_are_for_everybody(
    backed_up: BackedUp, written: bytes, server: Server, file: Path
) -> None:
    """What stands beside the private part tells of private games, too; and so it is said."""
    tables = backed_up.club.tables
    private = [tables[name].game for name in ("waiting", "given up")]
    file.write_bytes(written)
    run("restore", file, "--redis-url", server.url)
    told = {}
    for options in ((), ("--records",), ("--records", "--public")):
        run("backup", file, "--redis-url", server.url, *options)
        lines = [json.loads(line) for line in file.read_bytes().splitlines()]
        for line in lines:
            line.pop("private", None)
        told[options] = [game for game in private if game in json.dumps(lines)]
    assert list(told.values()) == [private, private[1:], []]
    assert tables["finished"].game in file.read_text()
    said = " ".join(run("backup", "--help").stdout.split())
    assert "With --records --public it can be given to everybody." in said
    assert "Without --records it is never to be given away" in said


@pytest.mark.parametrize("name", ["games.ndjson", "games.ndjson.gz"])
@pytest.mark.parametrize("what", [(), ("--records",)])
def test_only_the_owner_can_read_it(
    server: Server, tmp_path: Path, name: str, what: tuple[str, ...]
) -> None:
    run("backup", tmp_path / name, "--redis-url", server.url, *what)
    assert stat.S_IMODE((tmp_path / name).stat().st_mode) == 0o600
    assert [found.name for found in tmp_path.iterdir()] == [name]


def test_the_commands_say_nothing_of_it(
    backed_up: BackedUp, written: bytes, server: Server, file: Path
) -> None:
    file.write_bytes(written)
    told = [
        run("restore", "--check", file, "--json"),
        run("restore", file, "--redis-url", server.url),
        run("backup", file, "--redis-url", server.url),
        run("backup", file, "--redis-url", server.url, "--json"),
    ]
    said = "".join(one.stdout + one.stderr for one in told)
    assert said.count("5 games") == 2
    for table in backed_up.club.tables.values():
        assert table.game not in said
