"""Games and entries as bytes."""

import zlib
from pathlib import Path
from random import Random

import pytest

from engine.actions import Discard, DrawDiscard, LayOff, Meld
from engine.game import Entry, fold
from service.store.codec import (
    LAST_MOMENT,
    SCHEMA,
    WriteId,
    new_write_id,
    open_entry,
    open_state,
    seal_entry,
    seal_state,
)
from service.store.protocol import UnreadableGame
from tests.store.keep import GAME, OLD
from tests.store.lines import entries, game_at, line

WRITE = WriteId(b"123456")


def test_every_ply_of_a_game_comes_back_as_it_was() -> None:
    for _, game in line():
        assert open_state("g", seal_state(WRITE, "g", game)) == game


def test_every_entry_comes_back_as_it_was() -> None:
    for made, _ in line():
        assert open_entry(seal_entry(WRITE, made)) == made


def test_stored_values_begin_with_the_schema_and_the_write() -> None:
    head = bytes((SCHEMA,)) + WRITE
    assert seal_state(WRITE, "g", game_at(0)).startswith(head)
    assert seal_entry(WRITE, entries(1, 1)[0]).startswith(head)


def test_a_write_id_has_six_bytes_and_is_new() -> None:
    assert len(new_write_id()) == 6
    assert new_write_id() != new_write_id()
    with pytest.raises(ValueError, match="6 bytes"):
        seal_state(WriteId(b"short"), "g", game_at(0))


def test_the_state_of_another_game_is_noticed() -> None:
    with pytest.raises(UnreadableGame, match="another game"):
        open_state("mine", seal_state(WRITE, "theirs", game_at(0)))


@pytest.mark.parametrize(
    ("stored", "fault"),
    [
        (b"", "too short"),
        (bytes((SCHEMA,)) + WRITE, "too short"),
        (bytes((SCHEMA + 1,)) + WRITE + b"\x90", f"schema {SCHEMA + 1}"),
        (bytes((0,)) + WRITE + b"\x90", "schema 0"),
        (bytes((1,)) + WRITE + b"56\xc1", "does not decode"),
        (bytes((SCHEMA,)) + WRITE + b"\xc1", "does not decode"),
        (bytes((SCHEMA,)) + WRITE + b"\x03\x00", "does not decode"),
    ],
)
def test_bytes_that_are_none_of_ours_are_refused(stored: bytes, fault: str) -> None:
    with pytest.raises(UnreadableGame, match=fault):
        open_state("g", stored)
    with pytest.raises(UnreadableGame, match=fault):
        open_entry(stored)


def damaged(stored: bytes, chance: Random) -> bytes:
    """The bytes with one of them changed, cut off or put twice."""
    at = chance.randrange(7, len(stored))
    other = bytes([chance.randrange(256)])
    return chance.choice(
        (
            stored[:at] + other + stored[at + 1 :],
            stored[:at],
            stored[:at] + other * chance.randrange(1, 4) + stored[at:],
        )
    )


def test_a_damaged_state_is_no_other_game() -> None:
    chance = Random(3)
    stored = seal_state(WRITE, "g", game_at(100))
    for _ in range(2000):
        found = damaged(stored, chance)
        if found != stored:
            with pytest.raises(UnreadableGame):
                open_state("g", found)


def test_a_damaged_entry_is_an_entry_or_none() -> None:
    chance = Random(4)
    for _ in range(2000):
        stored = seal_entry(WRITE, chance.choice(entries(1, 100)))
        try:
            found = open_entry(damaged(stored, chance))
        except UnreadableGame:
            continue
        assert 0 <= found.at <= LAST_MOMENT
        assert found.seat in range(4)
        assert all(card < 56 for card in cards_of(found))


def cards_of(entry: Entry) -> list[int]:
    cards = [] if entry.drawn is None else [entry.drawn]
    match entry.step:
        case Meld(found) | LayOff(found, _):
            cards += found
        case Discard(card) | DrawDiscard(card):
            cards.append(card)
    return cards


def test_deep_nests_and_bombs_are_refused() -> None:
    nest = b"\x91" * 100_000
    deflate = zlib.compressobj(9, wbits=-15)
    bomb = deflate.compress(bytes(100_000_000)) + deflate.flush()
    head = bytes((SCHEMA,)) + WRITE
    for schema in (1, SCHEMA):
        with pytest.raises(UnreadableGame):
            open_entry(bytes((schema,)) + WRITE + bytes(6) + nest)
        with pytest.raises(UnreadableGame):
            open_state("g", bytes((schema,)) + WRITE + bytes(2) + nest)
    with pytest.raises(UnreadableGame):
        open_state("g", head + bytes(4) + bomb)


def old_entries(folder: Path) -> list[Entry]:
    old, found = (folder / "entries.msgpack").read_bytes(), []
    while old:
        end = 2 + int.from_bytes(old[:2], "big")
        found.append(open_entry(old[2:end]))
        old = old[end:]
    return found


@pytest.mark.parametrize("schema", sorted(folder.name for folder in OLD.iterdir()))
def test_what_older_releases_stored_still_decodes(schema: str) -> None:
    log = old_entries(OLD / schema)
    opening = open_state(GAME, (OLD / schema / "state-0.msgpack").read_bytes()).opening
    assert fold(opening, log).status == "finished"
    states = sorted((OLD / schema).glob("state-*.msgpack"))
    assert len(states) == 4
    for stored in states:
        game = open_state(GAME, stored.read_bytes())
        assert game == fold(opening, log[: game.ply])
