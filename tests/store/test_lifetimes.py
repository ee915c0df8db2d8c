"""Every key of a game is kept as long as the others, and none for ever."""

import pytest

from engine.game import Game
from service.store import keys
from service.store.redis import Lifetimes, RedisStore
from tests.store.lines import EAST, ORGANISER, entries, game_at, line
from tests.store.servers import Server, keys_without_lifetime, wait_until

GAME = "g1"
LAST = len(line())


def left(server: Server) -> set[int]:
    """The lifetimes of the game's keys, in seconds, rounded up."""
    with server.client() as client:
        return {-(-client.pttl(key) // 1000) for key in keys.of_game(GAME) if client.exists(key)}


def expiries(server: Server) -> set[int]:
    with server.client() as client:
        return {client.pexpiretime(key) for key in keys.of_game(GAME)}


@pytest.fixture
async def kept(redis_url: str, server: Server) -> RedisStore:
    return RedisStore(redis_url, Lifetimes(waiting=100, playing=200, finished=300))


async def test_a_game_is_kept_by_its_status(kept: RedisStore, server: Server) -> None:
    await kept.open(GAME, game_at(0), {"organiser": ORGANISER})
    assert left(server) == {100}
    for ply, lifetime in ((3, 100), (4, 200), (LAST - 1, 200), (LAST, 300)):
        at = await kept.load(GAME)
        assert at is not None
        await kept.commit(GAME, at.game.ply, game_at(ply), entries(at.game.ply + 1, ply))
        assert left(server) == {lifetime}
    await kept.close()


async def test_all_keys_of_a_game_go_at_the_same_millisecond(
    kept: RedisStore, server: Server
) -> None:
    await kept.open(GAME, game_at(0), {"organiser": ORGANISER})
    # A receipt, as an idempotency key leaves one, lies among the tokens.
    await kept.commit(GAME, 0, game_at(1), entries(1, 1), {"seat:1": EAST, "receipt:key": b"salt"})
    assert len(expiries(server)) == 1
    for ply in (2, 4, LAST):
        at = await kept.load(GAME)
        assert at is not None
        await kept.commit(GAME, at.game.ply, game_at(ply), entries(at.game.ply + 1, ply))
        assert len(expiries(server)) == 1
    await kept.close()


async def test_a_mark_has_a_lifetime_of_its_own(kept: RedisStore, server: Server) -> None:
    await kept.open(GAME, game_at(0), {"organiser": ORGANISER}, 500)
    await kept.commit(GAME, 0, game_at(4), entries(1, 4))
    assert left(server) == {200}
    with server.client() as client:
        # It has to outlive the game, and a move does not make it last.
        assert 400_000 < client.pttl(keys.mark_of(GAME)) <= 500_000
    await kept.close()


async def test_each_move_starts_the_lifetime_anew(kept: RedisStore, server: Server) -> None:
    await kept.open(GAME, game_at(0), {"organiser": ORGANISER})
    await kept.commit(GAME, 0, game_at(1), entries(1, 1))
    with server.client() as client:
        for key in keys.of_game(GAME):
            client.expire(key, 1)
    await kept.commit(GAME, 1, game_at(2), entries(2, 2))
    assert left(server) == {100}
    await kept.close()


@pytest.mark.parametrize("tokens", [{"organiser": ORGANISER}, {}])
async def test_a_replaced_token_is_kept_as_long_as_its_game(
    kept: RedisStore, server: Server, tokens: dict[str, bytes]
) -> None:
    await kept.open(GAME, game_at(0), tokens)
    with server.client() as client:
        for key in keys.of_game(GAME):
            client.expire(key, 50)
    await kept.replace_token(GAME, "seat:1", EAST)
    assert left(server) == {50}
    await kept.close()


async def test_a_game_that_somebody_has_made_to_last_keeps_its_tokens(
    kept: RedisStore, server: Server
) -> None:
    await kept.open(GAME, game_at(0), {"organiser": ORGANISER})
    with server.client() as client:
        for key in keys.of_game(GAME):
            client.persist(key)
        await kept.replace_token(GAME, "seat:1", EAST)
        loaded = await kept.load(GAME)
        assert loaded is not None
        assert loaded.tokens == {"organiser": ORGANISER, "seat:1": EAST}
        for key in keys.of_game(GAME):
            client.expire(key, 50)
    await kept.close()


async def test_a_game_whose_time_is_up_is_gone_whole(server: Server) -> None:
    store = RedisStore(server.url, Lifetimes(waiting=1))
    await store.open(GAME, game_at(0), {"organiser": ORGANISER})
    with server.client() as client:
        wait_until(lambda: not list(client.scan_iter()))
    assert await store.load(GAME) is None
    await store.close()


async def test_the_readiness_key_does_not_stay(store: RedisStore, server: Server) -> None:
    await store.ready()
    with server.client() as client:
        left = [client.ttl(key) for key in client.scan_iter()]
    assert left
    assert all(0 < each <= 60 for each in left)


async def test_a_key_that_would_stay_for_ever_is_found(server: Server) -> None:
    with server.client() as client:
        client.set("mortal", 1, ex=60)
        client.set("immortal", 1)
        assert keys_without_lifetime(client) == [b"immortal"]
        client.delete("immortal")


@pytest.mark.parametrize("status", ["waiting", "playing", "finished"])
def test_a_lifetime_is_a_second_or_more(status: str) -> None:
    with pytest.raises(ValueError, match=status):
        Lifetimes(**{status: 0})


def test_the_line_of_play_has_every_status() -> None:
    def status(game: Game) -> str:
        return game.status

    assert [status(game_at(ply)) for ply in (3, 4, LAST - 1, LAST)] == [
        "waiting",
        "playing",
        "playing",
        "finished",
    ]
