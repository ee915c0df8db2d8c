"""What games take in a real server: memory, time to start, and time of a move among many games.

So many games are really stored, one in ten of them live at 100 plies and the others finished, each
with its tokens, lifetimes and all; a million is scaled from them where fewer are stored. The server
has an append-only file, rewritten before the restart, as it is in the long run.
"""

import asyncio
import time
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import islice
from statistics import median

import redis

from engine.cards import SEATS
from engine.game import Entry, Game
from service.domain.tokens import ORGANISER, digest, new_game_id, seat_name
from service.store import codec, keys
from service.store.redis import RedisStore
from tests.bench.courses import course
from tests.bench.figures import Figure
from tests.store.servers import Server

LIVE_PLIES = 100
ONE_IN = 10
MILLION = 1_000_000
COURSES = 20
MOVES = 400
_WEEK = 7 * 24 * 60 * 60
_BATCH = 200
_TOKENS = {name: digest(name) for name in (ORGANISER, *map(seat_name, SEATS))}
_START = 1_790_000_000_000
_THINKS_MS = 17_011


def figures(games: int) -> Iterator[Figure]:
    """All of them, as they are measured."""
    with Server(
        "--appendonly", "yes", "--appendfsync", "no", "--enable-debug-command", "yes"
    ) as server:
        yield from _of_one_game(server)
        alone = _moves(server)
        yield Figure("a move, in an empty store", alone, "ms")
        yield from _of_many(server, games)
        among = _moves(server)
        yield Figure(f"a move, among {games:,} games", among, "ms")
        yield Figure("  times that in an empty store", among / alone, "")
        yield from _restarted(server, games)


@cache
def _live() -> Sequence[tuple[Game, list[Entry]]]:
    return [_stored(seed, LIVE_PLIES) for seed in _long_courses()]


@cache
def _finished() -> Sequence[tuple[Game, list[Entry]]]:
    return [_stored(seed, None) for seed in range(COURSES)]


def _long_courses() -> list[int]:
    long = (seed for seed in range(10 * COURSES) if len(course(seed).log) > LIVE_PLIES)
    return list(islice(long, COURSES))


def _stored(seed: int, plies: int | None) -> tuple[Game, list[Entry]]:
    """A game and its log, with moments as players make them."""
    told = course(seed)
    log = [
        Entry(_START + ply * _THINKS_MS, each.seat, each.step, each.drawn)
        for ply, each in enumerate(told.log[:plies])
    ]
    return (told.end if plies is None else told.plies[plies]), log


def _put(pipe: "redis.client.Pipeline", game_id: str, game: Game, log: Sequence[Entry]) -> None:
    """Store a game at once, with the bytes and the lifetimes that the scripts would leave."""
    state, entries, tokens = keys.of_game(game_id)
    pipe.set(state, codec.seal_state(codec.new_write_id(), game_id, game), ex=_WEEK)
    pipe.rpush(entries, *(codec.seal_entry(codec.new_write_id(), entry) for entry in log))
    pipe.expire(entries, _WEEK)
    pipe.hset(tokens, mapping=_TOKENS)
    pipe.expire(tokens, _WEEK)


def _of_one_game(server: Server) -> Iterator[Figure]:
    """The memory of each key, as the server counts it, in the middle of some games."""
    for name, chosen in (
        (f"a live game at {LIVE_PLIES} plies", _live()),
        ("a finished game", _finished()),
    ):
        with server.client() as client:
            client.flushall()
            sizes = [_sizes(client, game, log) for game, log in chosen]
            client.flushall()
        yield Figure(
            f"{name}: state and log", median(state + log for state, log, _ in sizes), "bytes"
        )
        yield Figure("  tokens", median(tokens for *_, tokens in sizes), "bytes")
        yield Figure("  plies", median(len(log) for _, log in chosen), "")


def _sizes(client: redis.Redis, game: Game, log: Sequence[Entry]) -> tuple[int, int, int]:
    game_id = new_game_id()
    with client.pipeline(transaction=False) as pipe:
        _put(pipe, game_id, game, log)
        pipe.execute()
    state, entries, tokens = (
        client.memory_usage(key, samples=0) or 0 for key in keys.of_game(game_id)
    )
    return state, entries, tokens


def _of_many(server: Server, games: int) -> Iterator[Figure]:
    with server.client() as client:
        before = _used(client)
        for start in range(0, games, _BATCH):
            with client.pipeline(transaction=False) as pipe:
                for at in range(start, min(start + _BATCH, games)):
                    chosen = _finished() if at % ONE_IN else _live()
                    _put(pipe, new_game_id(), *chosen[at % COURSES])
                pipe.execute()
        used = _used(client) - before
    yield Figure(f"{games:,} games, all told", used / 1e6, "MB")
    yield Figure("  each, with keys, tokens and lifetimes", used / games, "bytes")
    yield Figure("  a million of them", used / games * MILLION / 1e9, "GB")


def _used(client: redis.Redis) -> int:
    return int(client.info("memory")["used_memory"])


def _moves(server: Server) -> float:
    """What the store takes for a move, to load the game and keep the next: the middle, in ms."""
    return asyncio.run(_played(server.url))


async def _played(url: str) -> float:
    store = RedisStore(url)
    told, game_id, took = course(0), new_game_id(), []
    await store.open(game_id, told.plies[0], _TOKENS)
    for ply, made in enumerate(told.log[:MOVES]):
        after = told.plies[ply + 1] if ply + 1 < len(told.plies) else told.end
        begun = time.perf_counter()
        await store.load(game_id)
        await store.commit(game_id, ply, after, [made])
        took.append(time.perf_counter() - begun)
    await store.close()
    return median(took) * 1000


def _restarted(server: Server, games: int) -> Iterator[Figure]:
    with server.client() as client:
        client.bgrewriteaof()
        while client.info("persistence")["aof_rewrite_in_progress"]:
            time.sleep(0.05)
        size = int(client.info("persistence")["aof_current_size"])
    server.kill()
    took = _timed(server.start)
    yield Figure("its file on disk", size / 1e6, "MB")
    yield Figure(f"start of the server with {games:,} games", took, "s")
    yield Figure("  with a million of them", took / games * MILLION, "s")


def _timed(work: Callable[[], object]) -> float:
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun
