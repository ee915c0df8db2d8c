"""Every card is as likely as every other to come to a place: exactly in each step, and counted.

Secrets are fixed, so a run with the same `TEST_SHUFFLES` always counts the same.
"""

import os
from collections.abc import Callable, Iterable, Iterator
from math import sqrt
from random import Random

import pytest

from engine.shuffle import NO_SEEDS, below, limit, pack

SHUFFLES = int(os.environ.get("TEST_SHUFFLES", "4000"))
"""So many packs are counted; 200000 take some ten seconds a pack size."""

MOST_DEVIATIONS = 5
"""A fair shuffle goes beyond this once in two million tries."""

WAYS = range(2, 57)


# --- each step, exactly ---


@pytest.mark.parametrize("ways", WAYS)
def test_the_limit_is_the_greatest_multiple_of_the_ways(ways: int) -> None:
    """Below it every remainder comes equally often, and no higher limit would do."""
    assert limit(ways) % ways == 0
    assert limit(ways) <= 2**32 < limit(ways) + ways


@pytest.mark.parametrize("ways", WAYS)
def test_words_below_the_limit_are_used_and_all_others_refused(ways: int) -> None:
    bound = limit(ways)
    used = [0, 1, ways - 1, ways, ways + 1, 2**31, bound - ways, bound - 2, bound - 1]
    assert [below(ways, iter([word])) for word in used] == [word % ways for word in used]
    refused = range(bound, 2**32)
    assert len(refused) < ways
    assert below(ways, iter([*refused, bound - 1])) == ways - 1
    for word in refused:
        assert list(taken(ways, [word, 5 * ways + 1])) == [1]


def taken(ways: int, words: Iterable[int]) -> Iterator[int]:
    """All that can be had from these words."""
    rest = iter(words)
    while (word := next(rest, None)) is not None:
        try:
            yield below(ways, iter([word]))
        except StopIteration:
            continue


@pytest.mark.parametrize("ways", WAYS)
def test_the_words_at_both_ends_come_to_every_place_equally_often(ways: int) -> None:
    """The lowest and the highest words, whatever lies between: one and the same full circle."""
    for words in (range(ways), range(limit(ways) - ways, 2**32)):
        assert sorted(taken(ways, words)) == list(range(ways))


# --- many packs, counted ---


@pytest.mark.parametrize("jokers", [4, 0])
def test_every_card_comes_to_every_place_equally_often(
    jokers: int, measured: Callable[[str], None]
) -> None:
    packs = (pack(n.to_bytes(32, "big"), NO_SEEDS, n % 51, jokers) for n in range(SHUFFLES))
    deviations = unevenness(packs, 52 + jokers)
    measured(f"shuffle: {SHUFFLES} packs of {52 + jokers} cards, {deviations:+.2f} deviations")
    assert abs(deviations) < MOST_DEVIATIONS


def unevenness(packs: Iterable[bytes], size: int) -> float:
    """Chi-square of card by place, as standard deviations from what a fair shuffle gives.

    Each pack has every card and every place once, so both margins are fixed: the statistic, less
    one part in `size`, has (size - 1) squared degrees of freedom.
    """
    counts = [[0] * 56 for _ in range(size)]
    total = 0
    for cards in packs:
        total += 1
        for row, card in zip(counts, cards, strict=True):
            row[card] += 1
    expected = total / size
    occurring = [card for card in range(56) if any(row[card] for row in counts)]
    assert len(occurring) == size
    off = sum((row[card] - expected) ** 2 for row in counts for card in occurring) / expected
    freedom = (size - 1) ** 2
    return (off * (size - 1) / size - freedom) / sqrt(2 * freedom)


def swapping_anywhere(chance: Random) -> bytes:
    """The classic mistake: each card is swapped with any other, not only with one before it."""
    cards = list(range(56))
    for place in range(56):
        other = chance.randrange(56)
        cards[place], cards[other] = cards[other], cards[place]
    return bytes(cards)


def never_in_place(chance: Random) -> bytes:
    """Another: a card is never swapped with itself."""
    cards = list(range(56))
    for last in range(55, 0, -1):
        other = chance.randrange(last)
        cards[last], cards[other] = cards[other], cards[last]
    return bytes(cards)


@pytest.mark.parametrize("shuffled", [swapping_anywhere, never_in_place])
def test_the_count_finds_a_bad_shuffle(shuffled: Callable[[Random], bytes]) -> None:
    chance = Random("a bad shuffle")
    assert unevenness((shuffled(chance) for _ in range(4000)), 56) > MOST_DEVIATIONS


def test_the_count_is_content_with_a_good_shuffle() -> None:
    chance = Random("a good shuffle")
    packs = (bytes(chance.sample(range(56), 56)) for _ in range(4000))
    assert abs(unevenness(packs, 56)) < MOST_DEVIATIONS
