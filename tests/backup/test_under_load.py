"""Backups of a service that is being played on, and of so many games that memory would show it."""

import asyncio
import json
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import cast

import msgspec

from engine.actions import Action
from service.backup.lines import opened
from service.backup.shapes import GameLine
from service.domain.tokens import new_game_id
from service.store.archive import KeptGame
from service.store.redis import RedisStore
from service.wording.actions import to_wire
from tests.commands.games import played
from tests.commands.running import peak, run
from tests.faults.load import UNLIMITED, Told, load_on
from tests.store.servers import Server
from tests.whole.serving import served

GAMES = int(os.environ.get("TEST_GAMES", "150"))
FEW = 15
BACKUPS = 3
SPREAD = 2**22
HOUR_MS = 3_600_000


def test_each_game_in_it_is_whole_as_of_some_ply(
    tmp_path: Path, server: Server, measured: Callable[[str], None]
) -> None:
    files = [tmp_path / f"{n}.ndjson" for n in range(BACKUPS)]
    started = time.monotonic()
    with served(tmp_path / "games", settings=UNLIMITED) as service:
        with load_on(service.url) as load:
            for file in files:
                done = run("backup", file, "--data", tmp_path / "games")
                assert (done.exit_code, done.stderr) == (0, "")
                load.await_moves()
        load.assert_kept()
    took = time.monotonic() - started
    acknowledged = {game.game: game.acknowledged for game in load.games}
    for file in files:
        assert run("restore", "--check", file).exit_code == 0
        found = logs_in(file)
        assert found
        for game, log in found.items():
            assert log == acknowledged[game][: len(log)]
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


def test_memory_stays_flat_however_many_games_there_are(
    server: Server, tmp_path: Path, measured: Callable[[str], None]
) -> None:
    rates: list[str] = []

    def most(command: str, count: int) -> int:
        """Bytes of memory for so many games."""
        file, told = tmp_path / f"{count}.ndjson", tmp_path / "told"
        started = time.monotonic()
        status, memory = peak(command, file, "--redis-url", server.url, told=told)
        rates.append(f"{command} {count / (time.monotonic() - started):.0f} games/s")
        assert status == 0
        assert told.read_text().startswith(f"{count} games")
        return memory

    asyncio.run(fill(server.url, FEW))
    few = most("backup", FEW)
    asyncio.run(fill(server.url, GAMES - FEW))
    many = most("backup", GAMES)
    with server.client() as client:
        client.flushall()
    restored = most("restore", GAMES)
    assert max(many, restored) < few + SPREAD
    size = (tmp_path / f"{GAMES}.ndjson").stat().st_size / GAMES
    measured(
        f"{', '.join(rates[1:])}, with their start; {max(many, restored) / 2**20:.0f} MB of "
        f"memory; {size / 1000:.1f} MB for 1000 games over after {played()[0].ply} plies"
    )
