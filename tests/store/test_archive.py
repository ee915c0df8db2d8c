"""Games read and written whole, whatever they are kept on."""

import pytest

from service.store import keys, scripts
from service.store.archive import LEAST_LIFETIME_MS, KeptGame, Lasting, RedisArchive
from service.store.codec import new_write_id, seal_entry, seal_state
from service.store.link import Link
from service.store.protocol import Listed, StoreUnavailable, UnreadableGame
from service.store.redis import Lifetimes, RedisStore
from service.store.servers import Patience
from tests.store.lines import EAST, ORGANISER, entries, game_at, line
from tests.store.servers import Server

GAME = "g1"
LAST = len(line())
HOUR_MS = 3_600_000
STATE, LOG, TOKENS = keys.of_game(GAME)
RECEIPT = {f"receipt:{'0' * 64}": b"body and salt"}


def kept_at(ply: int, left_ms: int = 2 * HOUR_MS, game_id: str = GAME) -> KeptGame:
    log = tuple(entries(1, ply)) if ply else ()
    return KeptGame(game_id, game_at(ply), log, {"organiser": ORGANISER} | RECEIPT, left_ms)


@pytest.fixture
def archive(store: RedisStore) -> RedisArchive:
    return store.archive


def contents(server: Server) -> dict[bytes, object]:
    with server.client() as client:
        return {key: client.dump(key) for key in client.scan_iter()}


def left(server: Server) -> int:
    """How long the game's keys are kept, in milliseconds; all of them end at once."""
    with server.client() as client:
        there = [key for key in (STATE, LOG, TOKENS) if client.exists(key)]
        (_,) = {client.pexpiretime(key) for key in there}
        return int(client.pttl(STATE))


@pytest.mark.parametrize("ply", [0, 1, 4, 40, LAST])
async def test_a_game_comes_back_as_it_was(
    store: RedisStore, archive: RedisArchive, server: Server, ply: int
) -> None:
    await store.open(GAME, game_at(0), {"organiser": ORGANISER} | RECEIPT)
    if ply:
        await store.commit(GAME, 0, game_at(ply), entries(1, ply))
    read = await archive.read(GAME)
    assert read is not None
    assert read == kept_at(ply, read.left_ms)
    snapshot = await store.load(GAME)
    for client in server.each():
        client.flushall()
        client.close()
    assert await archive.restore(read, anew=False) == "restored"
    assert await store.load(GAME) == snapshot
    assert await store.log(GAME) == list(read.log)
    assert read.left_ms - 60_000 < left(server) <= read.left_ms


async def test_what_is_there_is_left_alone(archive: RedisArchive, server: Server) -> None:
    await archive.restore(kept_at(5), anew=False)
    before, ends = contents(server), left(server)
    assert await archive.restore(kept_at(9, 9 * HOUR_MS), anew=False) == "kept"
    assert contents(server) == before
    assert left(server) <= ends


@pytest.mark.parametrize("key", [STATE, LOG, TOKENS])
async def test_so_is_any_key_of_the_id(archive: RedisArchive, server: Server, key: str) -> None:
    with server.client() as client:
        client.set(key, "left", ex=60)
    before = contents(server)
    assert await archive.restore(kept_at(5), anew=False) == "kept"
    assert contents(server) == before


async def test_a_restoration_that_is_sent_twice_has_restored(redis_url: str) -> None:
    link = Link(redis_url, Patience())
    call = new_write_id()
    sealed = [seal_entry(call, entry) for entry in entries(1, 2)]
    sent = (HOUR_MS, seal_state(call, GAME, game_at(2)), 2, *sealed, "seat:1", EAST)
    for _ in range(2):
        assert (await link.run(scripts.RESTORE, (STATE, LOG, TOKENS), call, *sent)).tag == (
            "restored"
        )
    await link.close()


@pytest.mark.parametrize("count", [-1, 2, 4, 9])
async def test_numbers_that_do_not_add_up_write_nothing(
    redis_url: str, server: Server, count: int
) -> None:
    link = Link(redis_url, Patience())
    call = new_write_id()
    sent = (HOUR_MS, seal_state(call, GAME, game_at(1)), count, b"entry", "seat:1", EAST)
    with pytest.raises(StoreUnavailable, match="do not add up"):
        await link.run(scripts.RESTORE, (STATE, LOG, TOKENS), call, *sent)
    assert contents(server) == {}
    await link.close()


async def test_a_game_with_little_left_gets_an_hour(archive: RedisArchive, server: Server) -> None:
    await archive.restore(kept_at(5, 10), anew=False)
    assert LEAST_LIFETIME_MS - 60_000 < left(server) <= LEAST_LIFETIME_MS


async def test_a_lifetime_that_begins_anew_goes_by_the_status(server: Server) -> None:
    store = RedisStore(server.url, Lifetimes(waiting=100, playing=200, finished=300))
    for ply, seconds in ((0, 100), (4, 200), (LAST, 300)):
        for client in server.each():
            client.flushall()
            client.close()
        await store.archive.restore(kept_at(ply), anew=True)
        assert seconds * 1000 - 60_000 < left(server) <= seconds * 1000
    await store.close()


async def test_all_keys_of_a_long_game_end_at_once_however_long_it_takes_to_write_them(
    archive: RedisArchive, server: Server
) -> None:
    # A server that counts each lifetime from another moment is caught in about one of ten.
    ids = [f"game{n}" for n in range(50)]
    for game_id in ids:
        await archive.restore(kept_at(LAST, game_id=game_id), anew=False)
    with server.client() as client:
        for game_id in ids:
            assert len({client.pexpiretime(key) for key in keys.of_game(game_id)}) == 1


async def test_a_game_that_has_more_left_is_spared(archive: RedisArchive) -> None:
    await archive.restore(kept_at(5, 2 * HOUR_MS), anew=False)
    assert await archive.read(GAME, HOUR_MS) is None
    assert await archive.read(GAME, 2 * HOUR_MS) is not None
    assert await archive.read("another") is None


async def test_a_game_that_is_not_whole_is_unreadable(
    archive: RedisArchive, server: Server
) -> None:
    await archive.restore(kept_at(5), anew=False)
    with server.client() as client:
        client.rpop(LOG)
    with pytest.raises(UnreadableGame, match="at ply 5, but its log has 4 entries"):
        await archive.read(GAME)


async def test_all_names_are_found_whoever_keeps_them(
    store: RedisStore, archive: RedisArchive
) -> None:
    ids = {f"game{n}" for n in range(40)}
    for game_id in ids:
        await archive.restore(kept_at(1, game_id=game_id), anew=False)
        await archive.put_mark(game_id, Lasting(b"1", 2**42), alone=True)
        await archive.put_reservation(f"name{game_id}", Lasting(b"value", 2**42))
        await store.lists.add(f"key-{game_id}", Listed(2**42, game_id))
    await store.buckets.take("bucket", 1, 1)
    found = [{name async for names in archive.names(kind) for name in names} for kind in KINDS]
    lists = {f"key-{game_id}" for game_id in ids}
    assert found == [ids, ids, {f"name{game_id}" for game_id in ids}, lists]


async def test_names_are_found_however_many_there_are(
    archive: RedisArchive, server: Server
) -> None:
    """More than one look of a server takes in."""
    ids = {f"game{n}" for n in range(1200)}
    with server.client() as client:
        for game_id in ids:
            client.set(keys.mark_of(game_id), "1", ex=60)
    found = [names async for names in archive.names("mark")]
    assert len(found) > 2
    assert {name for names in found for name in names} == ids


KINDS: tuple[keys.Kind, ...] = ("state", "mark", "reservation", "games")


async def test_what_a_key_left_behind_ends_when_it_would_have(
    archive: RedisArchive, server: Server
) -> None:
    mark, reservation = Lasting(b"1", 2**42), Lasting(b"the salt", 2**42 + 1)
    await archive.put_mark(GAME, mark, alone=True)
    await archive.put_reservation("name", reservation)
    await archive.put_mark(GAME, Lasting(b"2", 2**43), alone=True)
    assert await archive.mark(GAME) == mark
    assert await archive.reservation("name") == reservation
    assert await archive.mark("other") is None
    await archive.put_mark("lapsed", Lasting(b"1", 1_700_000_000_000), alone=True)
    assert await archive.mark("lapsed") is None
    assert len(contents(server)) == 2


async def test_servers_that_stand_as_they_stood_are_told_so(archive: RedisArchive) -> None:
    first = await archive.standing()
    assert first == await archive.standing()
    assert all(each.is_settled for each in first)
    assert len(first) in (1, 3)
    if len(first) == 3:
        assert all(each.slots for each in first)
