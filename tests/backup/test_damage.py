"""Files that are not what they were: cut off, changed, put together wrongly, or something else."""

import gzip
import json
from pathlib import Path

import pytest

from service.backup.files import LONGEST_LINE
from service.backup.lines import opened, sealed
from tests.backup.conftest import BackedUp, empty, lifetimes
from tests.backup.forger import resealed, sum_of
from tests.commands.games import record
from tests.commands.running import refusal, run
from tests.store.servers import Server


@pytest.fixture
def lines(backed_up: BackedUp) -> list[bytes]:
    """The lines of a whole backup, to be changed."""
    return [*backed_up.lines]


@pytest.fixture
def games(backed_up: BackedUp) -> list[int]:
    """Where the lines of its five games are, from 0."""
    return backed_up.games()


def flipped(text: bytes, at: int) -> bytes:
    return text[:at] + bytes([text[at] ^ 1]) + text[at + 1 :]


@pytest.mark.parametrize("bytes_left", [-1, -200, 5000, 10, 0])
def test_a_file_that_was_cut_off_is_refused(
    lines: list[bytes], server: Server, file: Path, bytes_left: int
) -> None:
    file.write_bytes(b"".join(lines)[:bytes_left])
    told = refusal("restore", file, "--redis-url", server.url)
    assert f"{file} was cut off, or is no backup: nothing is restored" in told
    assert not lifetimes(server)


def test_a_compressed_file_that_was_cut_off_is_refused(
    lines: list[bytes], games: list[int], server: Server, tmp_path: Path
) -> None:
    packed = tmp_path / "games.ndjson.gz"
    packed.write_bytes(gzip.compress(b"".join(lines))[:-500])
    assert "was cut off" in refusal("restore", packed, "--redis-url", server.url)
    assert not lifetimes(server)


def test_what_is_whole_of_it_can_be_had(
    lines: list[bytes], games: list[int], server: Server, file: Path
) -> None:
    last = games[3]
    file.write_bytes(b"".join(lines[: last + 1])[:-10])
    done = run("restore", "--salvage", file, "--redis-url", server.url)
    assert done.exit_code == 1
    assert done.stdout == "3 games: 3 restored, 0 there already; 1 lines damaged\n"
    assert done.stderr.splitlines() == [
        f"referee: line {last + 1} is damaged, and left out: it is not as it was written",
        f"referee: {file} was cut off: what was behind is missing",
    ]


def test_what_comes_in_is_restored_as_it_comes(
    lines: list[bytes], games: list[int], server: Server, file: Path
) -> None:
    done = run("restore", "-", "--redis-url", server.url, stdin=b"".join(lines[:-1]))
    assert done.exit_code == 1
    assert done.stdout == "5 games: 5 restored, 0 there already\n"
    assert done.stderr == "referee: - was cut off: what was behind is missing\n"
    done = run("restore", "-", "--redis-url", server.url, stdin=b"".join(lines))
    assert (done.exit_code, done.stdout) == (0, "5 games: 0 restored, 5 there already\n")


@pytest.mark.parametrize("check", [(), ("--check",)])
def test_a_line_with_one_bit_flipped_is_named_and_left_out(
    lines: list[bytes], games: list[int], server: Server, file: Path, check: tuple[str, ...]
) -> None:
    at = games[2]
    for place in (0, 30, len(lines[at]) // 2, len(lines[at]) - 80, len(lines[at]) - 5):
        empty(server)
        damaged = [*lines]
        damaged[at] = flipped(lines[at], place)
        file.write_bytes(b"".join(damaged))
        done = run("restore", file, "--redis-url", server.url, *check)
        assert done.exit_code == 1
        assert done.stderr == (
            f"referee: line {at + 1} is damaged, and left out: it is not as it was written\n"
        )
        assert done.stdout.startswith("4 games")
        assert done.stdout.endswith("; 1 lines damaged\n")


def test_a_line_of_endless_length_is_left_out(
    lines: list[bytes], games: list[int], server: Server, file: Path
) -> None:
    at = games[1]
    endless = lines[at][:-1] + b" " * LONGEST_LINE + b"\n"
    file.write_bytes(b"".join([*lines[:at], endless, *lines[at + 1 :]]))
    done = run("restore", file, "--redis-url", server.url)
    assert done.stdout == "4 games: 4 restored, 0 there already; 1 lines damaged\n"
    assert f"line {at + 1} is damaged" in done.stderr


def test_a_flipped_bit_in_the_last_line_is_a_file_without_end(
    lines: list[bytes], server: Server, file: Path
) -> None:
    file.write_bytes(b"".join([*lines[:-1], flipped(lines[-1], 20)]))
    assert "was cut off" in refusal("restore", file, "--redis-url", server.url)


def test_a_damaged_head_is_no_backup_unless_it_is_to_be_salvaged(
    lines: list[bytes], server: Server, file: Path
) -> None:
    file.write_bytes(b"".join([flipped(lines[0], 30), *lines[1:]]))
    told = refusal("restore", file, "--redis-url", server.url)
    assert "line 1 is not that of a backup: it is not as it was written" in told
    assert not lifetimes(server)
    done = run("restore", "--salvage", file, "--redis-url", server.url)
    assert done.exit_code == 1
    assert done.stdout == "5 games: 5 restored, 0 there already; 1 lines damaged\n"


def test_a_line_that_is_missing_is_noticed(
    lines: list[bytes], games: list[int], server: Server, file: Path
) -> None:
    del lines[games[1]]
    file.write_bytes(b"".join(lines))
    done = run("restore", file, "--redis-url", server.url)
    assert (done.exit_code, done.stdout) == (1, "4 games: 4 restored, 0 there already\n")
    assert done.stderr == "referee: lines are missing, or are not where they were\n"


def test_two_files_are_no_file(lines: list[bytes], server: Server, file: Path) -> None:
    file.write_bytes(b"".join([*lines, *lines]))
    done = run("restore", file, "--redis-url", server.url)
    assert done.exit_code == 1
    assert done.stderr.count("it does not belong here") == len(lines)


def test_a_log_that_does_not_lead_to_the_game_is_left_out(
    lines: list[bytes], games: list[int], server: Server, file: Path
) -> None:
    at = next(at for at in games if json.loads(lines[at])["status"] == "playing")
    line = json.loads(lines[at])
    opening, log = line["private"]["opening"], line["private"]["log"]
    for changes, why in (
        ({"hash": "00" * 32}, "its log does not lead to the game that it names"),
        ({"ply": 1000}, "its log does not lead to the game that it names"),
        ({"log": log[:-1]}, "its log does not lead to the game that it names"),
        ({"log": log + log[-1:]}, "its log breaks a rule: "),
        ({"opening": [*opening[:6], None, *opening[7:]]}, "its log cannot be played"),
        ({"opening": ["no such", *opening[1:]]}, "its log cannot be played"),
        ({"game": "../../etc/passwd"}, "it names no game"),
        ({"log": [["now", 1, [1], 2]]}, "it is of another form: "),
        ({"kind": "another"}, "it is of another form: "),
    ):
        file.write_bytes(b"".join([*lines[:at], resealed(lines[at], **changes), *lines[at + 1 :]]))
        done = run("restore", "--check", file)
        assert done.exit_code == 1
        assert done.stderr.startswith(f"referee: line {at + 1} is damaged, and left out: {why}")


def test_a_name_that_breaks_out_of_its_key_is_left_out(
    lines: list[bytes], server: Server, file: Path
) -> None:
    for kind, member, why in (
        ("list", "name", "no name for a key"),
        ("reservation", "name", "no name for a key"),
        ("mark", "game", "it names no game"),
    ):
        at = next(at for at, line in enumerate(lines) if json.loads(line)["kind"] == kind)
        line = resealed(lines[at], **{member: "}:x{"})
        file.write_bytes(b"".join([*lines[:at], line, *lines[at + 1 :]]))
        done = run("restore", file, "--redis-url", server.url)
        assert done.exit_code == 1
        assert f"line {at + 1} is damaged, and left out: " in done.stderr
        assert why in done.stderr


def test_something_else_is_refused(server: Server, file: Path, tmp_path: Path) -> None:
    file.write_bytes(record() + b"\n")
    assert "is no backup" in refusal("restore", file, "--redis-url", server.url)
    assert "line 1 is not that of a backup" in refusal("restore", "--check", file)
    assert "cannot be read" in refusal("restore", tmp_path / "none", "--redis-url", server.url)
    assert "cannot be read" in refusal("restore", tmp_path, "--redis-url", server.url)


def test_a_later_format_is_refused(lines: list[bytes], file: Path) -> None:
    head = lines[0].replace(b"backup/1", b"backup/2")
    body = head[: -len(sum_of(b""))]
    file.write_bytes(b"".join([body + sum_of(body), *lines[1:]]))
    told = refusal("restore", "--check", file)
    assert "this is persian-rummy-backup/2, and this release reads persian-rummy-backup/1" in told


def test_every_line_is_sealed_as_it_is_read(lines: list[bytes]) -> None:
    assert [sealed(opened(line)) for line in lines] == lines
