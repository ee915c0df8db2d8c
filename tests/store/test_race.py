"""Many writers, more than one process, one ply: one of them gets it."""

from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

from service.store.redis import RedisStore
from tests.store.lines import ORGANISER, SECOND, long_line, opened
from tests.store.racers import GAME, ROUNDS, race

WRITERS = 50


async def test_of_fifty_writers_at_one_ply_one_commits(store: RedisStore, redis_url: str) -> None:
    await store.open(GAME, opened(), {"organiser": ORGANISER})
    processes = get_context("spawn")
    with processes.Manager() as shared, ProcessPoolExecutor(2, processes) as pool:
        start = shared.Barrier(2)
        halves = [
            pool.submit(race, redis_url, writers, start)
            for writers in (range(WRITERS // 2), range(WRITERS // 2, WRITERS))
        ]
        one, other = (half.result() for half in halves)

    log = await store.log(GAME)
    assert len(log) == ROUNDS
    for ply, ((won, stale), (won_too, stale_too)) in enumerate(zip(one, other, strict=True)):
        (winner,) = won + won_too
        assert log[ply].at == ply * SECOND + winner
        assert stale.keys() | stale_too.keys() == {ply + 1}
        assert sum(stale.values()) + sum(stale_too.values()) == WRITERS - 1
    end = await store.load(GAME)
    assert end is not None
    assert end.game == long_line(ROUNDS)[ROUNDS - 1][1]
