"""The shuffle, worked out a second time from its description, and fixed by test vectors."""

import hashlib
import hmac
from itertools import product
from random import Random

import pytest

from engine.cards import CODES, sequence
from engine.ruleset import PRESETS
from engine.shuffle import commitment, drawn_cards, is_pack, limit, pack
from tests.engine.tables import listed

SECRETS = [bytes(32), bytes(range(32)), b"\xff" * 32, Random("secrets").randbytes(32)]
VECTOR = (
    "TD 3H X3 4C 9S 7H 4D TC 3D 9C 4H QH 6H 7S 6S QC 8S 8H JH 7D X2 2H KS 4S 5D 5C X1 3C "
    "2S AH 8C 7C KH 6C 3S 2D TS X4 KD QD 2C AD 8D QS JS 6D JD 5H AC 9H 5S 9D TH JC AS KC"
)
SEEDS = [("", "", "", ""), ("00ff", "", "", ""), ("a", "b" * 64, "", "0123456789abcdef")]


def by_hand(secret: bytes, seeds: tuple[str, ...], number: int, jokers: int) -> list[str]:
    """A pack as any verifier would work it out, with a hash function and nothing else."""
    label = "persian-rummy/1|" + seeds[0] + "|" + seeds[1] + "|" + seeds[2] + "|" + seeds[3]
    key = hmac.new(secret, f"{label}|{number}".encode(), hashlib.sha256).digest()
    stream = b""
    blocks = used = 0
    cards = [rank + suit for suit in "CDHS" for rank in "23456789TJQKA"]
    cards += ["X1", "X2", "X3", "X4"][:jokers]
    last = len(cards) - 1
    while last > 0:
        while len(stream) < used + 4:
            counter = blocks.to_bytes(8, "big")
            stream += hmac.new(key, counter, hashlib.sha256).digest()
            blocks += 1
        word = int.from_bytes(stream[used : used + 4], "big")
        used += 4
        if word >= (4294967296 // (last + 1)) * (last + 1):
            continue
        place = word % (last + 1)
        cards[last], cards[place] = cards[place], cards[last]
        last -= 1
    return cards


@pytest.mark.parametrize(
    ("secret", "seeds", "number", "jokers"),
    list(product(SECRETS, SEEDS, [0, 1, 2, 17, 50], [0, 4])),
)
def test_packs_are_as_worked_out_by_hand(
    secret: bytes, seeds: tuple[str, ...], number: int, jokers: int
) -> None:
    cards = pack(secret, seeds, number, jokers)
    assert [CODES[one] for one in cards] == by_hand(secret, seeds, number, jokers)
    assert is_pack(cards, jokers)


def test_vector_of_a_whole_pack() -> None:
    cards = pack(bytes(range(32)), ("00ff", "", "", ""), 1, 4)
    assert listed(cards) == VECTOR
    assert commitment(bytes(range(32))).hex() == (
        "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd"
    )


def test_the_draw_for_teams_is_the_top_of_pack_nought() -> None:
    for jokers in (0, 4):
        drawn = [CODES[one] for one in drawn_cards(SECRETS[1], jokers)]
        assert drawn == by_hand(SECRETS[1], ("", "", "", ""), 0, jokers)[:4]


def test_a_word_from_the_limit_up_is_refused() -> None:
    """The eighth word of this pack's stream is the last of all 32-bit words (49 ways to go)."""
    secret, seeds = (3056373).to_bytes(32, "big"), ("", "", "", "")
    key = hmac.digest(secret, b"persian-rummy/1|||||1", "sha256")
    first_block = hmac.digest(key, bytes(8), "sha256")
    assert first_block[28:32] == b"\xff\xff\xff\xff"
    assert limit(49) == 2**32 - 2**32 % 49
    assert [CODES[one] for one in pack(secret, seeds, 1, 4)] == by_hand(secret, seeds, 1, 4)


def test_secret_seeds_and_number_all_matter() -> None:
    """Different secrets, seeds, seats of a seed, and numbers give different packs."""
    seeds = [*SEEDS, ("", "00ff", "", "")]
    packs = {pack(*one, 4) for one in product(SECRETS, seeds, range(4))}
    assert len(packs) == len(SECRETS) * len(seeds) * 4


@pytest.mark.parametrize("preset", PRESETS)
def test_a_pack_has_each_card_once(preset: str) -> None:
    jokers = PRESETS[preset].jokers
    whole = pack(SECRETS[0], ("", "", "", ""), 1, jokers)
    assert len(whole) == PRESETS[preset].pack_size
    assert is_pack(whole, jokers)
    assert not is_pack(whole[:-1], jokers)
    assert not is_pack(whole[:-1] + whole[:1], jokers)
    assert not is_pack(whole + whole[:1], jokers)
    assert not is_pack(whole, 4 - jokers)
    if not jokers:
        assert not is_pack(whole[:-1] + sequence("X1"), jokers)
