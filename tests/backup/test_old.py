"""Backups of earlier releases are restored for ever."""

from pathlib import Path

import pytest

from service.backup.lines import opened
from service.backup.shapes import GameLine
from tests.backup.keep import OLD
from tests.commands.running import run
from tests.store.servers import Server

FILES = sorted(OLD.iterdir())


@pytest.mark.parametrize("old", FILES, ids=[file.name for file in FILES])
def test_an_old_backup_is_restored(old: Path, server: Server, file: Path) -> None:
    done = run("restore", old, "--redis-url", server.url)
    assert (done.exit_code, done.stderr) == (0, "")
    assert done.stdout == "5 games: 5 restored, 0 there already\n"
    # What it says of its games is said today of the games that came of it.
    run("backup", file, "--redis-url", server.url)
    assert seen_in(file) == seen_in(old)


def seen_in(file: Path) -> dict[str, tuple[object, ...]]:
    lines = [opened(line) for line in file.read_bytes().splitlines(keepends=True)]
    return {
        line.game: (line.status, line.ply, line.hash, bytes(line.record), line.private.tokens)
        for line in lines
        if isinstance(line, GameLine)
    }
