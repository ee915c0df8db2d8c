"""Reservations and marks: what makes an opening safe to send again."""

from service.store.redis import RedisStore
from tests.store.lines import EAST, ORGANISER, game_at

GAME = "g1"


async def test_the_first_reservation_stands(store: RedisStore) -> None:
    assert await store.reserve("name", b"mine", 60) == b"mine"
    assert await store.reserve("name", b"yours", 60) == b"mine"
    assert await store.reserve("other", b"yours", 60) == b"yours"


async def test_a_game_with_a_mark_opens_once_even_if_it_is_gone(store: RedisStore) -> None:
    assert await store.open(GAME, game_at(0), {"organiser": ORGANISER}, 60) == "opened"
    assert await store.open(GAME, game_at(0), {"organiser": EAST}, 60) == "taken"
    await store.delete(GAME, 0)
    assert await store.open(GAME, game_at(0), {"organiser": EAST}, 60) == "gone"
    assert await store.load(GAME) is None


async def test_without_a_mark_an_id_is_free_again(store: RedisStore) -> None:
    await store.open(GAME, game_at(0), {"organiser": ORGANISER})
    await store.delete(GAME, 0)
    assert await store.open(GAME, game_at(0), {"organiser": EAST}) == "opened"
