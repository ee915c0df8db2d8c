"""What can be wrong with the melds of a position: how could they have come to lie so?"""

from collections.abc import Iterator

from engine.actions import meld as lay
from engine.cards import LANE, Cards, Seat, each
from engine.fault import Fault
from engine.judging.position import Position, is_ace, table_meld
from engine.judging.table import with_hand
from engine.melds import SETS, begins_with_ace, lowest, melds_within
from engine.play import apply
from engine.ruleset import Ruleset
from engine.state import NOTHING, State, TableMeld

MOST_ID = 18
"""No deal has more melds: 56 cards make 18 of three."""


def meld_faults(position: Position, ruleset: Ruleset) -> Iterator[Fault]:
    """Melds that are none, numbers that repeat, credit and marks that no play can have left."""
    ids, ranks = set[int](), set[int]()
    for at, meld in enumerate(position.melds):
        if not 1 <= meld.id <= MOST_ID:
            yield Fault(("melds", at, "id"), f"melds are numbered from 1 to {MOST_ID}")
        elif meld.id in ids:
            yield Fault(("melds", at, "id"), f"another meld has the number {meld.id}")
        ids.add(meld.id)
        lies = table_meld(meld, ruleset)
        if lies is None:
            yield Fault(("melds", at, "cards"), "these cards are neither a set nor a run")
            continue
        if meld.mask in SETS:
            rank = lowest(meld.mask) % LANE
            if rank in ranks:
                yield Fault(("melds", at, "cards"), "another set has this rank")
            ranks.add(rank)
        if not _was_laid(lies, ruleset):
            yield Fault(("melds", at, "cards"), "no seat can have laid the first cards of this")
        yield from _mark_faults(position, ruleset, at, lies)


def _was_laid(meld: TableMeld, ruleset: Ruleset) -> bool:
    """Whether some seat played cards of this meld that were a meld by themselves.

    An ace keeps its place, so it counts only where it stands in the whole meld.
    """
    return any(
        begins_with_ace(first, meld.kind) == meld.low_ace or not any(map(is_ace, each(first)))
        for credit in meld.credit
        for first in melds_within(credit, ruleset)
    )


def _mark_faults(position: Position, ruleset: Ruleset, at: int, lies: TableMeld) -> Iterator[Fault]:
    meld = position.melds[at]
    if not meld.doubled and not meld.laid_this_turn:
        return
    seats = {one.seat for one in meld.cards}
    could_double = len(seats) == 1 and _doubles(lies.cards, ruleset)
    if meld.doubled and not could_double:
        yield Fault(("melds", at, "doubled"), "only four of a rank laid at once count double")
    if not meld.laid_this_turn:
        return
    place = ("melds", at, "laid_this_turn")
    if position.phase != "play" or position.turn is None:
        yield Fault(place, "nothing has been laid in a turn that has not come to playing")
    elif seats != {position.turn}:
        yield Fault(place, "only the seat to act can have played to a meld of this turn")
    if position.must_use is not None:
        yield Fault(place, "nothing is laid before the card that was taken")
    if any(one.id > meld.id and not one.laid_this_turn for one in position.melds):
        yield Fault(place, "a meld with a later number was laid in an earlier turn")
    fills_up = could_double and ruleset.quad_bonus == "same_turn"
    if fills_up and not meld.doubled:
        yield Fault(("melds", at, "doubled"), "four of a rank laid in one turn count double here")


def _doubles(cards: Cards, ruleset: Ruleset) -> bool:
    """Whether these cards would count double if they were laid at once."""
    seat = Seat(0)
    holder = State(ruleset=ruleset, turn=seat, phase="play", hands=with_hand(NOTHING, seat, cards))
    return apply(holder, seat, lay(cards)).melds[0].doubled
