"""Lists of games: newest first, page by page, each with a lifetime."""

from service.store import keys
from service.store.protocol import Listed
from service.store.redis import RedisStore
from tests.store.deployments import Deployment

FIRST, SECOND, THIRD = (
    Listed(opened, game) for opened, game in ((10**12 * 2, "b"), (10**12 * 2, "c"), (10**13, "a"))
)


async def test_the_newest_comes_first(store: RedisStore) -> None:
    for listed in (SECOND, THIRD, FIRST):
        await store.lists.add("public", listed)
    assert await store.lists.page("public", None, 10) == [THIRD, SECOND, FIRST]


async def test_a_page_begins_after_the_one_before(store: RedisStore) -> None:
    for listed in (FIRST, SECOND, THIRD):
        await store.lists.add("public", listed)
    assert await store.lists.page("public", None, 1) == [THIRD]
    assert await store.lists.page("public", THIRD, 1) == [SECOND]
    assert await store.lists.page("public", FIRST, 1) == []


async def test_it_is_told_how_many_are_in_a_list(store: RedisStore) -> None:
    assert await store.lists.add("key-club", FIRST) == 1
    assert await store.lists.add("key-club", FIRST) == 1
    assert await store.lists.add("key-club", SECOND) == 2
    assert await store.lists.remove("key-club", [FIRST, THIRD]) == 1


async def test_games_too_old_to_be_kept_are_forgotten(store: RedisStore) -> None:
    await store.lists.add("public", Listed(1000, "old"))
    assert await store.lists.page("public", None, 10) == []


async def test_what_is_no_game_of_ours_is_passed_over(
    store: RedisStore, server: Deployment
) -> None:
    await store.lists.add("public", FIRST)
    with server.client() as client:
        client.zadd(keys.index("public"), {b"stranger": 0, b"\xff\xfe": 0, b"9:": 0})
    assert await store.lists.page("public", None, 10) == [FIRST]


async def test_lists_do_not_mix(store: RedisStore) -> None:
    await store.lists.add("public", FIRST)
    assert await store.lists.page("key-club", None, 10) == []
