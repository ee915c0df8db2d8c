"""Backups of a service that is being played on, and of so many games that memory would show it."""

import asyncio
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import cast

import httpx
import msgspec

from engine.actions import Action
from service.backup.lines import opened
from service.backup.shapes import GameLine
from service.domain.tokens import new_game_id
from service.store.archive import KeptGame
from service.store.redis import RedisStore
from service.wording.actions import to_wire
from tests.backup.conftest import BackedUp
from tests.commands.games import played
from tests.commands.running import run
from tests.faults.load import UNLIMITED, Told, load_on
from tests.service.commands import ROOT, environment
from tests.store.servers import Server
from tests.whole.serving import QUICKLY, served

GAMES = int(os.environ.get("TEST_GAMES", "64"))
FEW = 16
BACKUPS = 2
SPREAD = 3 * 2**19
"""Bytes. It takes some ten thousand more; the games themselves, held, would take twice as much."""
HOUR_MS = 3_600_000


def test_each_game_in_it_is_whole_as_of_some_ply(
    backed_up: BackedUp, tmp_path: Path, server: Server, measured: Callable[[str], None]
) -> None:
    """Beside a service on an embedded store, in which there are games already."""
    folder, before = tmp_path / "games", tmp_path / "before.ndjson"
    files = [tmp_path / f"{n}.ndjson" for n in range(BACKUPS)]
    before.write_bytes(b"".join(backed_up.lines))
    with served(folder, settings=UNLIMITED) as service:
        done = run("restore", before, "--data", folder)
        assert done.stdout == "5 games: 5 restored, 0 there already\n"
        path = backed_up.club.tables["finished"].path
        record = httpx.get(f"{service.url}{path}/record", **QUICKLY)
        assert record.content == backed_up.told["finished, None, /record"][1]
        started = time.monotonic()
        with load_on(service.url) as load:
            for file in files:
                done = run("backup", file, "--data", folder)
                assert (done.exit_code, done.stderr) == (0, "")
                load.await_moves()
        took = time.monotonic() - started
        load.assert_kept()
    acknowledged = {game.game: game.acknowledged for game in load.games}
    for file in files:
        assert run("restore", "--check", file).exit_code == 0
        found = logs_in(file)
        played = found.keys() & acknowledged.keys()
        assert played
        assert found.keys() - played == logs_in(before).keys()
        for game in played:
            assert found[game] == acknowledged[game][: len(found[game])]
    assert run("restore", files[-1], "--redis-url", server.url).exit_code == 0
    moves = sum(map(len, acknowledged.values()))
    measured(f"backup under load: {BACKUPS} in {took:.1f} s, while {moves} moves were played")


def logs_in(file: Path) -> dict[str, list[Told]]:
    """What entries say to everybody, by game."""
    lines = [opened(line) for line in file.read_bytes().splitlines(keepends=True)]
    return {line.game: told_by(line) for line in lines if isinstance(line, GameLine)}


def told_by(line: GameLine) -> list[Told]:
    return [
        (ply, entry.seat, str(json.loads(msgspec.json.encode(to_wire(cast(Action, entry.step))))))
        for ply, entry in enumerate(line.private.log, 1)
    ]


async def fill(url: str, count: int) -> None:
    """So many games that are over."""
    game, log = played()
    store = RedisStore(url)
    for _ in range(count):
        kept = KeptGame(new_game_id(), game, tuple(log), {"organiser": b"x" * 32}, HOUR_MS)
        await store.archive.restore(kept, anew=False)
    await store.close()


# One process for all: what grows from one command to the next is what more games take.
ONE_BY_ONE = """
import resource, sys, time
from service.__main__ import referee
for command in sys.argv[1:]:
    started = time.monotonic()
    try:
        referee.main(command.split())
    except SystemExit as ended:
        assert not ended.code
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(most, time.monotonic() - started, file=sys.stderr)
"""


def one_by_one(*commands: str) -> tuple[list[str], list[int], list[float]]:
    """What each command says, the bytes of memory that were taken until its end, and seconds."""
    # Started by a small process: what this one takes would count.
    started_by = ("/bin/sh", "-c", '"$0" "$@"; exit')
    done = subprocess.run(
        [*started_by, sys.executable, "-c", ONE_BY_ONE, *commands],
        cwd=ROOT,
        env=environment(),
        capture_output=True,
        text=True,
        check=True,
    )
    each = [line.split() for line in done.stderr.splitlines()]
    unit = 1 if sys.platform == "darwin" else 1024
    return (
        done.stdout.splitlines(),
        [int(most) * unit for most, _ in each],
        [float(seconds) for _, seconds in each],
    )


def test_memory_stays_flat_however_many_games_there_are(
    server: Server, tmp_path: Path, measured: Callable[[str], None]
) -> None:
    few, many, again = (tmp_path / name for name in ("few", "many", "again"))
    asyncio.run(fill(server.url, FEW))
    run("backup", few, "--redis-url", server.url)
    asyncio.run(fill(server.url, GAMES - FEW))
    run("backup", many, "--redis-url", server.url)
    with server.client() as client:
        client.flushall()
    at = f"--redis-url {server.url}"
    told, memory, seconds = one_by_one(
        f"restore {few} {at}",
        f"backup {again} {at}",
        f"restore {many} {at}",
        f"backup {again} {at}",
    )
    assert [line.split()[0] for line in told] == [str(n) for n in (FEW, FEW, GAMES, GAMES)]
    assert memory[-1] < memory[1] + SPREAD
    rates = f"backup {GAMES / seconds[3]:.0f} games/s, restore {(GAMES - FEW) / seconds[2]:.0f}"
    size = many.stat().st_size / GAMES
    measured(
        f"{rates} games/s; {memory[-1] / 2**20:.0f} MB of memory; {size / 1000:.1f} MB for 1000 "
        f"games over after {played()[0].ply} plies"
    )
