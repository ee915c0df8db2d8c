"""What the scripts answer, and what they leave behind."""

from collections.abc import AsyncIterator

import pytest

from service.store import keys, scripts
from service.store.codec import WriteId, new_write_id, seal_entry, seal_state
from service.store.link import Link
from service.store.protocol import (
    Committed,
    Missing,
    Snapshot,
    Stale,
    StoreUnavailable,
    UnreadableGame,
)
from service.store.redis import RedisStore
from service.store.servers import Patience
from tests.store.lines import EAST, ORGANISER, entries, game_at, line
from tests.store.servers import Server

GAME = "g1"
STATE, LOG, TOKENS = keys.of_game(GAME)
NAMES = (STATE, LOG, TOKENS, keys.mark_of(GAME))
OPENED = {"organiser": ORGANISER}


@pytest.fixture
async def link(redis_url: str) -> AsyncIterator[Link]:
    """The way to send one call twice, as a client does that lost its answer."""
    link = Link(redis_url, Patience())
    yield link
    await link.close()


def contents(server: Server) -> dict[bytes, object]:
    with server.client() as client:
        return {key: client.dump(key) for key in client.scan_iter()}


async def test_an_opened_game_is_loaded_as_it_was(store: RedisStore) -> None:
    assert await store.open(GAME, game_at(0), OPENED) == "opened"
    assert await store.load(GAME) == Snapshot(game_at(0), OPENED)
    assert await store.log(GAME) == []


async def test_a_game_may_open_without_tokens(store: RedisStore) -> None:
    assert await store.open(GAME, game_at(0), {}) == "opened"
    assert await store.load(GAME) == Snapshot(game_at(0), {})


async def test_an_id_that_is_taken_opens_nothing(store: RedisStore, server: Server) -> None:
    await store.open(GAME, game_at(0), OPENED)
    before = contents(server)
    assert await store.open(GAME, game_at(0), {"organiser": EAST}) == "taken"
    assert contents(server) == before


@pytest.mark.parametrize("key", [STATE, LOG, TOKENS])
async def test_an_id_with_any_key_left_is_taken(
    store: RedisStore, server: Server, key: str
) -> None:
    with server.client() as client:
        client.set(key, "left", ex=60)
    before = contents(server)
    assert await store.open(GAME, game_at(0), OPENED) == "taken"
    assert contents(server) == before


async def test_an_opening_sent_twice_has_opened(link: Link) -> None:
    call = new_write_id()
    sent = (60, 0, seal_state(call, GAME, game_at(0)), "organiser", ORGANISER)
    assert (await link.run(scripts.OPEN, NAMES, call, *sent)).tag == "opened"
    assert (await link.run(scripts.OPEN, NAMES, call, *sent)).tag == "opened"


async def test_a_game_is_only_opened_at_ply_0(store: RedisStore) -> None:
    with pytest.raises(ValueError, match="ply 0"):
        await store.open(GAME, game_at(1), OPENED)


async def test_there_is_no_game_that_was_not_opened(store: RedisStore, server: Server) -> None:
    assert await store.load(GAME) is None
    assert await store.log(GAME) == []
    assert await store.commit(GAME, 0, game_at(1), entries(1, 1)) == Missing()
    assert await store.delete(GAME, 0) == Missing()
    assert not await store.replace_token(GAME, "seat:1", EAST)
    assert contents(server) == {}


async def test_a_whole_game_is_kept_ply_by_ply(store: RedisStore) -> None:
    await store.open(GAME, game_at(0), OPENED)
    for ply, (made, game) in enumerate(line(), 1):
        assert await store.commit(GAME, ply - 1, game, [made]) == Committed(ply)
    assert await store.load(GAME) == Snapshot(line()[-1][1], OPENED)
    assert await store.log(GAME) == [made for made, _ in line()]


async def test_a_move_of_many_actions_is_one_commit(store: RedisStore) -> None:
    await store.open(GAME, game_at(0), OPENED)
    assert await store.commit(GAME, 0, game_at(30), entries(1, 30)) == Committed(30)
    assert await store.log(GAME) == entries(1, 30)


async def test_a_commit_sets_tokens_in_the_same_write(store: RedisStore) -> None:
    await store.open(GAME, game_at(0), OPENED)
    await store.commit(GAME, 0, game_at(1), entries(1, 1), {"seat:1": EAST})
    assert await store.load(GAME) == Snapshot(game_at(1), {**OPENED, "seat:1": EAST})


@pytest.mark.parametrize("expected", [0, 1, 3, 9, 10])
async def test_a_commit_at_another_ply_is_stale_and_writes_nothing(
    store: RedisStore, server: Server, expected: int
) -> None:
    await store.open(GAME, game_at(0), OPENED)
    await store.commit(GAME, 0, game_at(2), entries(1, 2))
    before = contents(server)
    after = game_at(expected + 1)
    sent = entries(expected + 1, expected + 1)
    assert await store.commit(GAME, expected, after, sent, {"seat:1": EAST}) == Stale(2)
    assert contents(server) == before


@pytest.mark.parametrize(("expected", "ply", "count"), [(0, 1, 0), (0, 1, 2), (-1, 0, 1)])
async def test_entries_must_lead_from_ply_to_ply(
    store: RedisStore, expected: int, ply: int, count: int
) -> None:
    with pytest.raises(ValueError, match="do not lead"):
        await store.commit(GAME, expected, game_at(ply), entries(1, count))


def commit_of(call: WriteId, ply: int) -> tuple[bytes | int, ...]:
    (made,) = entries(ply, ply)
    return ply - 1, 60, seal_state(call, GAME, game_at(ply)), 1, seal_entry(call, made)


async def test_a_commit_sent_twice_is_one_move(
    store: RedisStore, link: Link, server: Server
) -> None:
    await store.open(GAME, game_at(0), OPENED)
    call = new_write_id()
    assert (await link.run(scripts.COMMIT, NAMES[:3], call, *commit_of(call, 1))).tag == "committed"
    once = contents(server)
    assert (await link.run(scripts.COMMIT, NAMES[:3], call, *commit_of(call, 1))).tag == "committed"
    assert contents(server) == once


async def test_a_commit_sent_again_after_later_moves_undoes_none(
    store: RedisStore, link: Link
) -> None:
    await store.open(GAME, game_at(0), OPENED)
    call = new_write_id()
    await link.run(scripts.COMMIT, NAMES[:3], call, *commit_of(call, 1))
    await store.commit(GAME, 1, game_at(3), entries(2, 3))
    assert (await link.run(scripts.COMMIT, NAMES[:3], call, *commit_of(call, 1))).tag == "committed"
    assert await store.load(GAME) == Snapshot(game_at(3), OPENED)


@pytest.mark.parametrize("count", [0, 2, 3, "many"])
async def test_a_commit_that_does_not_add_up_writes_nothing(
    store: RedisStore, link: Link, server: Server, count: int | str
) -> None:
    await store.open(GAME, game_at(0), OPENED)
    before = contents(server)
    call = new_write_id()
    ply, lifetime, state, _, made = commit_of(call, 1)
    with pytest.raises(StoreUnavailable):
        await link.run(scripts.COMMIT, NAMES[:3], call, ply, lifetime, state, count, made)
    assert contents(server) == before


async def test_an_opening_that_does_not_add_up_writes_nothing(link: Link, server: Server) -> None:
    with pytest.raises(StoreUnavailable, match="pairs"):
        await link.run(scripts.OPEN, NAMES, new_write_id(), 60, 0, b"state", "organiser")
    assert contents(server) == {}


@pytest.mark.parametrize("lifetime", [0, -1, "soon"])
async def test_a_lifetime_that_is_none_writes_nothing(
    store: RedisStore, link: Link, server: Server, lifetime: int | str
) -> None:
    await store.open(GAME, game_at(0), OPENED)
    before = contents(server)
    call = new_write_id()
    ply, _, *rest = commit_of(call, 1)
    with pytest.raises(StoreUnavailable):
        await link.run(scripts.COMMIT, NAMES[:3], call, ply, lifetime, *rest)
    assert contents(server) == before


@pytest.mark.parametrize("key", [STATE, LOG, TOKENS])
async def test_a_key_of_another_kind_is_answered_and_not_touched(
    store: RedisStore, server: Server, key: str
) -> None:
    await store.open(GAME, game_at(0), OPENED)
    await store.commit(GAME, 0, game_at(1), entries(1, 1))
    with server.client() as client:
        client.delete(key)
        client.sadd(key, "foreign")
        client.expire(key, 60)
    before = contents(server)
    for call in (
        store.load(GAME),
        store.log(GAME),
        store.commit(GAME, 1, game_at(2), entries(2, 2), {"seat:1": EAST}),
        store.replace_token(GAME, "seat:1", EAST),
        store.delete(GAME, 1),
    ):
        with pytest.raises(UnreadableGame, match="another kind"):
            await call
    assert contents(server) == before


async def test_a_state_under_the_wrong_key_is_noticed(store: RedisStore, server: Server) -> None:
    await store.open("g2", game_at(0), OPENED)
    with server.client() as client:
        # Not COPY, which does not reach from one node of a cluster to another.
        client.set(STATE, client.get(keys.of_game("g2")[0]) or b"", ex=60)
    with pytest.raises(UnreadableGame, match="another game"):
        await store.load(GAME)


async def test_a_log_that_lost_entries_is_noticed(store: RedisStore, server: Server) -> None:
    await store.open(GAME, game_at(0), OPENED)
    await store.commit(GAME, 0, game_at(2), entries(1, 2))
    with server.client() as client:
        client.rpop(LOG)
    with pytest.raises(UnreadableGame, match="ply 2, but its log has 1"):
        await store.load(GAME)


@pytest.mark.parametrize(
    ("after", "limit", "first", "last"),
    [(0, None, 1, 10), (0, 3, 1, 3), (3, 3, 4, 6), (9, 5, 10, 10), (10, 1, 1, 0), (99, None, 1, 0)],
)
async def test_a_log_is_read_in_parts(
    store: RedisStore, after: int, limit: int | None, first: int, last: int
) -> None:
    await store.open(GAME, game_at(0), OPENED)
    await store.commit(GAME, 0, game_at(10), entries(1, 10))
    assert await store.log(GAME, after, limit) == entries(first, last)


@pytest.mark.parametrize(("after", "limit"), [(-1, None), (0, 0), (0, -1)])
async def test_no_part_of_a_log_is_negative(
    store: RedisStore, after: int, limit: int | None
) -> None:
    with pytest.raises(ValueError, match="no such part"):
        await store.log(GAME, after, limit)


async def test_a_token_is_replaced_without_a_ply(store: RedisStore) -> None:
    await store.open(GAME, game_at(0), {**OPENED, "seat:1": ORGANISER})
    assert await store.replace_token(GAME, "seat:1", EAST)
    assert await store.load(GAME) == Snapshot(game_at(0), {**OPENED, "seat:1": EAST})


async def test_a_move_in_flight_does_not_bring_an_old_token_back(store: RedisStore) -> None:
    await store.open(GAME, game_at(0), {**OPENED, "seat:1": ORGANISER})
    before = await store.load(GAME)
    await store.replace_token(GAME, "seat:1", EAST)
    assert before is not None
    await store.commit(GAME, before.game.ply, game_at(1), entries(1, 1))
    after = await store.load(GAME)
    assert after is not None
    assert after.tokens["seat:1"] == EAST


async def test_a_deleted_game_leaves_nothing(store: RedisStore, server: Server) -> None:
    await store.open(GAME, game_at(0), OPENED)
    await store.commit(GAME, 0, game_at(1), entries(1, 1))
    assert await store.delete(GAME, 1) == Committed(1)
    assert contents(server) == {}
    assert await store.open(GAME, game_at(0), OPENED) == "opened"


async def test_a_game_that_moved_on_is_not_deleted(store: RedisStore, server: Server) -> None:
    await store.open(GAME, game_at(0), OPENED)
    await store.commit(GAME, 0, game_at(1), entries(1, 1))
    before = contents(server)
    assert await store.delete(GAME, 0) == Stale(1)
    assert contents(server) == before


async def test_games_do_not_mix(store: RedisStore) -> None:
    await store.open("g1", game_at(0), OPENED)
    await store.open("g2", game_at(0), {"organiser": EAST})
    await store.commit("g1", 0, game_at(2), entries(1, 2))
    assert await store.load("g2") == Snapshot(game_at(0), {"organiser": EAST})


@pytest.mark.parametrize("name", ["", "a}b", "{a}", "a:b", "a b", "a\n", "é", "a" * 65, "*"])
async def test_no_key_is_made_of_what_is_no_id(store: RedisStore, name: str) -> None:
    with pytest.raises(ValueError, match="no name for a key"):
        await store.load(name)


async def test_a_flushed_script_cache_is_not_noticed(store: RedisStore, server: Server) -> None:
    await store.open(GAME, game_at(0), OPENED)
    with server.client() as client:
        for ply, (made, game) in enumerate(line()[:20], 1):
            client.script_flush()
            assert await store.commit(GAME, ply - 1, game, [made]) == Committed(ply)
            client.script_flush()
            assert await store.load(GAME) == Snapshot(game, OPENED)
