"""Token buckets: so many at once, then so many a second, for all processes together."""

import asyncio

from service.store import keys
from service.store.redis import RedisStore
from tests.store.deployments import Deployment

# So slow that nothing comes back while a test runs.
ONE_AN_HOUR = 1 / 3600


async def test_a_full_bucket_gives_as_many_tokens_as_it_holds(store: RedisStore) -> None:
    levels = [await store.buckets.take("mine", ONE_AN_HOUR, 3) for _ in range(4)]
    assert [level.taken for level in levels] == [True, True, True, False]
    assert [level.left for level in levels] == [2, 1, 0, 0]


async def test_an_empty_bucket_tells_how_long_to_wait(store: RedisStore) -> None:
    await store.buckets.take("mine", ONE_AN_HOUR, 1)
    level = await store.buckets.take("mine", ONE_AN_HOUR, 1)
    assert 3590 < level.wait <= 3600


async def test_tokens_come_back(store: RedisStore) -> None:
    rate = 1000.0
    while (await store.buckets.take("mine", rate, 2)).taken:
        pass
    while not (level := await store.buckets.take("mine", rate, 2)).taken:
        assert 0 < level.wait <= 2 / rate


async def test_a_race_for_the_last_token_has_one_winner(store: RedisStore) -> None:
    takes = (store.buckets.take("mine", ONE_AN_HOUR, 1) for _ in range(20))
    levels = await asyncio.gather(*takes)
    assert sum(level.taken for level in levels) == 1


async def test_buckets_do_not_mix(store: RedisStore) -> None:
    await store.buckets.take("mine", ONE_AN_HOUR, 1)
    assert (await store.buckets.take("yours", ONE_AN_HOUR, 1)).taken


async def test_a_clock_that_was_set_back_keeps_nobody_waiting(
    server: Deployment, store: RedisStore
) -> None:
    await store.buckets.take("mine", ONE_AN_HOUR, 3)
    with server.client() as client:
        bucket = keys.bucket("mine")
        an_hour = 3600 * 1_000_000
        # Five hours ahead of the server's clock, which it can't have written itself.
        client.set(bucket, int(client.get(bucket)) + 5 * an_hour, ex=6 * 3600)
    levels = [await store.buckets.take("mine", ONE_AN_HOUR, 3) for _ in range(4)]
    assert [level.taken for level in levels] == [True, True, True, False]
