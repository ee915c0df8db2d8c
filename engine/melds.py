"""What is a meld: the law of sets and runs as a table, and the questions asked of it.

There are 70 sets and 264 runs, so the law is a look-up (R-10 to R-13, R-03). Melding and laying
off are one law: what lies on the table afterwards must be a meld of the same kind.
"""

from collections.abc import Iterator
from itertools import combinations
from typing import Final

from engine.cards import ACE, JOKER, JOKERS, LANE, Card, Cards, bit, mask_of
from engine.ruleset import Ruleset
from engine.state import Kind, TableMeld

RANK_CARDS: Final = tuple(
    Cards(sum(1 << suit * LANE + rank for suit in range(4))) for rank in range(14)
)
"""All four cards of each rank."""

_SUIT_RUN: Final = (1 << ACE + 1) - 1
_LANE_ACE: Final = 1 << ACE
_LANE_KING: Final = 1 << ACE - 1
_ACE_TWO_THREE: Final = _LANE_ACE | 3


def _sets_of(rank: int) -> tuple[Cards, ...]:
    four = [Card(suit * LANE + rank) for suit in range(4)]
    return (*(mask_of(three) for three in combinations(four, 3)), mask_of(four))


def _high_runs(suit: int) -> Iterator[Cards]:
    for length in range(3, 14):
        for low in range(14 - length):
            yield Cards((1 << length) - 1 << low + suit * LANE)


def _low_runs(suit: int) -> Iterator[Cards]:
    """Runs that begin with an ace below the two; with all thirteen the ace is a high one."""
    for length in range(2, 12):
        yield Cards(((1 << length) - 1 | 1 << ACE) << suit * LANE)


SETS_OF: Final = tuple(_sets_of(rank) for rank in range(14))
"""The five sets of each rank: four of three cards, one of four."""

SETS: Final = frozenset(mask for of_rank in SETS_OF for mask in of_rank)
HIGH_RUNS: Final = frozenset(mask for suit in range(4) for mask in _high_runs(suit))
_LOW_RUN_LIST: Final = tuple(mask for suit in range(4) for mask in _low_runs(suit))
LOW_RUNS: Final = frozenset(_LOW_RUN_LIST)
EITHER_RUNS: Final = HIGH_RUNS | LOW_RUNS


def runs(ruleset: Ruleset) -> frozenset[Cards]:
    """All that is a run: aces high, or high or low (G-12)."""
    return HIGH_RUNS if ruleset.ace_in_runs == "high" else EITHER_RUNS


def kind_of(mask: Cards, ruleset: Ruleset) -> Kind | None:
    """Whether these cards are a set or a run; None where they are neither."""
    if mask in SETS:
        return "set"
    return "run" if mask in runs(ruleset) else None


def begins_with_ace(mask: Cards, kind: Kind) -> bool:
    """Whether cards laid down together are a run whose ace stands below the two."""
    return kind == "run" and mask in LOW_RUNS


def takes(meld: TableMeld, added: Cards, ruleset: Ruleset) -> bool:
    """Whether a meld with these cards added is a meld of its kind still (R-20, G-21)."""
    grown = Cards(meld.cards | added)
    return grown in SETS if meld.kind == "set" else grown in runs(ruleset)


def low_ace_after(meld: TableMeld, added: Cards) -> bool:
    """Whether the ace of a meld is a low one once these cards are on it.

    An ace keeps the place it was played at; one that comes now is low only where it cannot be high.
    """
    return meld.low_ace or begins_with_ace(Cards(meld.cards | added), meld.kind)


def rank_is_set(target: Card, held: Cards) -> bool:
    """Whether `target` is one of three of its rank in `held`."""
    return (held & RANK_CARDS[target % LANE]).bit_count() >= 3


def in_new_run(target: Card, held: Cards, ruleset: Ruleset) -> bool:
    """Whether `target` is one of three neighbours of its suit in `held`."""
    suit, rank = divmod(target, LANE)
    if rank == JOKER:
        return False
    lane = held >> suit * LANE & _SUIT_RUN
    window = lane << 2 >> rank  # bits 0 to 4 are the ranks from two below to two above
    if window & 7 == 7 or window & 14 == 14 or window & 28 == 28:
        return True
    low_ace = ruleset.ace_in_runs == "high_or_low" and lane & _ACE_TWO_THREE == _ACE_TWO_THREE
    return low_ace and 1 << rank & _ACE_TWO_THREE != 0


def in_new_meld(target: Card, held: Cards, ruleset: Ruleset) -> bool:
    """Whether some set or run of cards in `held` has `target` in it."""
    return rank_is_set(target, held) or in_new_run(target, held, ruleset)


def can_lay_off(target: Card, held: Cards, melds: tuple[TableMeld, ...], ruleset: Ruleset) -> bool:
    """Whether `target`, with others of `held` where it needs them, goes on a meld of the table."""
    return any(bit(target) & reach(meld, held, ruleset) for meld in melds)


def melds_within(held: Cards, ruleset: Ruleset) -> Iterator[Cards]:
    """Every set and run that can be made of these cards, each once."""
    for of_rank, four in zip(SETS_OF, RANK_CARDS, strict=True):
        if (held & four).bit_count() >= 3:
            yield from (mask for mask in of_rank if mask & held == mask)
    yield from _runs_within(held, ruleset)


def _runs_within(held: Cards, ruleset: Ruleset) -> Iterator[Cards]:
    plain = held & ~JOKERS
    starts = plain & plain >> 1 & plain >> 2
    while starts:
        low = starts & -starts
        starts ^= low
        run, top = low * 7, low << 2
        while run & plain == run:
            yield Cards(run)
            top <<= 1
            run |= top
    if ruleset.ace_in_runs == "high_or_low" and plain & RANK_CARDS[ACE]:
        yield from (mask for mask in _LOW_RUN_LIST if mask & plain == mask)


def reach(meld: TableMeld, held: Cards, ruleset: Ruleset) -> Cards:
    """All the cards of `held` that some lay-off could bring to this meld."""
    if meld.kind == "set":
        return Cards(_missing(meld) & held)
    shift, body, hand, ace = _lanes(meld, held, ruleset)
    below, above = _downwards(body, hand)[-1], _upwards(body, hand)[-1]
    low_ace = ace if (body | below) & 1 else 0
    return Cards((below | above | low_ace) << shift)


def extensions(meld: TableMeld, held: Cards, ruleset: Ruleset) -> Iterator[Cards]:
    """Every set of cards in `held` that may be laid off on this meld at once (G-21)."""
    if meld.kind == "set":
        if missing := _missing(meld) & held:
            yield Cards(missing)
        return
    shift, body, hand, ace = _lanes(meld, held, ruleset)
    for below in _downwards(body, hand):
        for above in _upwards(body, hand):
            if below | above:
                yield Cards((below | above) << shift)
            if ace and (body | below) & 1 and not (body | above) & (_LANE_KING | _LANE_ACE):
                yield Cards((below | above | ace) << shift)


def _missing(meld: TableMeld) -> int:
    on_table = meld.cards
    return RANK_CARDS[lowest(on_table) % LANE] & ~on_table


def _lanes(meld: TableMeld, held: Cards, ruleset: Ruleset) -> tuple[int, int, int, int]:
    """Where the suit of a run begins; its cards and the held ones there; an ace that may go low.

    An ace that lies low already is left out of the run: nothing goes on beyond it.
    """
    on_table = meld.cards
    shift = lowest(on_table) // LANE * LANE
    body = on_table >> shift & _SUIT_RUN
    hand = held >> shift & _SUIT_RUN
    if meld.low_ace:
        return shift, body & ~_LANE_ACE, hand, 0
    return shift, body, hand, hand & _LANE_ACE if ruleset.ace_in_runs == "high_or_low" else 0


def _downwards(body: int, hand: int) -> list[int]:
    """What can be added below a run: nothing, one card, two …, each with those before it."""
    added, end, ways = 0, (body & -body) >> 1, [0]
    while end & hand:
        added |= end
        ways.append(added)
        end >>= 1
    return ways


def _upwards(body: int, hand: int) -> list[int]:
    added, end, ways = 0, 1 << body.bit_length(), [0]
    while end & hand:
        added |= end
        ways.append(added)
        end <<= 1
    return ways


def lowest(mask: Cards) -> Card:
    """The lowest card of a set that is not empty."""
    return Card((mask & -mask).bit_length() - 1)
