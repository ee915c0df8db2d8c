"""What can be wrong with the turn of a position: its phase, the card taken, what was counted."""

from collections.abc import Iterator

from engine.cards import CODES, SEATS, TEAMS, Card, Cards, Seat, bit, mask_of
from engine.fault import Fault
from engine.judging.card_faults import named_cards, stock_size
from engine.judging.position import Position, known_in, size_of
from engine.judging.table import given, state_of, taken_card, whole_pack
from engine.judging.worlds import supports
from engine.play import MOST_IDLE_TURNS
from engine.ruleset import MOST_BONUS, MOST_DEALS, Ruleset

MOST_TOTAL = (MOST_DEALS - 1) * (952 + MOST_BONUS)
"""The most that the cards of a deal can bring, and the largest bonus, in each deal but this."""


def turn_faults(position: Position, ruleset: Ruleset) -> Iterator[Fault]:
    """Who is to act, with what in hand, and how many turns have gone by."""
    if not 1 <= position.deal <= MOST_DEALS:
        yield Fault(("deal",), f"a game has 1 to {MOST_DEALS} deals")
    for team, total in zip(TEAMS, position.totals, strict=True):
        if abs(total) > MOST_TOTAL:
            yield Fault(("totals", team), f"no game comes to more than {MOST_TOTAL} points")
    if position.phase == "over" and position.turn is not None:
        yield Fault(("turn",), "nobody is to act once the deal is over")
    if position.phase != "over" and position.turn is None:
        yield Fault(("turn",), "somebody is to act until the deal is over")
    yield from _empty_faults(position, ruleset)
    yield from _must_use_faults(position, ruleset)
    yield from _barred_faults(position, ruleset)
    yield from _pass_faults(position, ruleset)
    yield from _idle_faults(position, ruleset)


def _empty_faults(position: Position, ruleset: Ruleset) -> Iterator[Fault]:
    """Hands and piles that would have ended the deal, or that somebody must have left a card in."""
    for seat in SEATS:
        if position.phase == "over" or size_of(position.hands[seat]):
            continue
        if position.phase == "play" and seat == position.turn:
            yield Fault(("hands", seat), "who has drawn and not gone out holds a card")
        elif ruleset.go_out_by_discard and not position.partial:
            yield Fault(("hands", seat), "the deal is over once a hand is empty")
    if position.partial or position.pile:
        return
    if position.phase == "draw":
        yield Fault(("pile",), "every turn leaves a card on the pile")
    if position.phase == "play" and taken_card(position) is None and not position.melds:
        yield Fault(("pile",), "nobody has taken the last card of the pile")


def _must_use_faults(position: Position, ruleset: Ruleset) -> Iterator[Fault]:
    target, seat = position.must_use, position.turn
    if target is None:
        return
    place = ("must_use",)
    if position.phase != "play" or seat is None:
        yield Fault(place, "a card is to be played only in phase play")
        return
    if not _may_hold(position, seat, target):
        yield Fault(place, f"{CODES[target]} is not in the hand of the seat to act")
    elif not _can_play(position, ruleset, seat, target):
        yield Fault(place, f"{CODES[target]} cannot be played, so it cannot have been taken")
    took_one = size_of(position.hands[seat]) == ruleset.hand_size + 1
    was_free = ruleset.top_discard == "free" and stock_size(position) > 0
    if was_free and took_one and not position.melds and not position.partial:
        yield Fault(place, "the top card of the pile was free to take: it is barred instead")


def _barred_faults(position: Position, ruleset: Ruleset) -> Iterator[Fault]:
    card, seat, place = position.barred, position.turn, ("barred",)
    if card is None:
        return
    if ruleset.top_discard != "free":
        yield Fault(place, "no card is barred where every card taken has to be played")
    if position.must_use is not None:
        yield Fault(place, "one turn has one draw: a card is barred or to be played, not both")
    if stock_size(position) == 0:
        yield Fault(place, "without a stock no card can be taken freely")
    if position.phase != "play" or seat is None:
        yield Fault(place, "a card is barred only in phase play")
    elif not _may_hold(position, seat, card):
        yield Fault(place, f"{CODES[card]} is not in the hand of the seat to act")


def _may_hold(position: Position, seat: Seat, card: Card) -> bool:
    hand = position.hands[seat]
    if card in known_in(hand):
        return True
    has_unknown = size_of(hand) > len(known_in(hand))
    return has_unknown and all(card != other for _, other in named_cards(position))


def _can_play(position: Position, ruleset: Ruleset, seat: Seat, target: Card) -> bool:
    """Whether the card taken can be played, with unknown cards of the hand if need be."""
    hand, state = position.hands[seat], state_of(position, ruleset)
    known = mask_of(known_in(hand))
    unknown = size_of(hand) - len(known_in(hand)) - (not known & bit(target))
    pool = Cards(whole_pack(ruleset) & ~given(state) & ~bit(target))
    return bool(supports(state, target, Cards(known | bit(target)), pool, unknown))


def _pass_faults(position: Position, ruleset: Ruleset) -> Iterator[Fault]:
    place, passes = ("passes",), position.passes
    if passes and stock_size(position):
        yield Fault(place, "nobody passes while there is a stock")
    most = 1 if ruleset.stock_out == "first_pass" else len(SEATS)
    if position.phase == "draw" and passes >= most:
        yield Fault(place, f"the deal is over after {most} in a row")
    if position.phase == "over" and passes > most:
        yield Fault(place, f"the deal was over after {most} in a row")
    if position.phase == "play" and passes:
        yield Fault(place, "a draw ends the passes")


def _idle_faults(position: Position, ruleset: Ruleset) -> Iterator[Fault]:
    """Idle turns are passes and, where the top card is free, takes that brought nothing down."""
    if position.idle_turns is None:
        return
    least, most = _idle_bounds(position, ruleset)
    if not least <= position.idle_turns <= most:
        number = f"{least}" if least == most else f"{least} to {most}"
        yield Fault(("idle_turns",), f"here {number} turns in a row can have been idle")


def _idle_bounds(position: Position, ruleset: Ruleset) -> tuple[int, int]:
    is_free = ruleset.top_discard == "free"
    most_passes = 0 if stock_size(position) or ruleset.stock_out == "first_pass" else 3
    match position.phase:
        case "over":
            return position.passes, MOST_IDLE_TURNS
        case "draw":
            return position.passes, MOST_IDLE_TURNS - 1 if is_free else position.passes
        case "play":
            if position.must_use is not None:
                return 1, MOST_IDLE_TURNS if is_free else 1 + most_passes
            has_laid = any(meld.laid_this_turn for meld in position.melds)
            if position.barred is None or has_laid:
                return 0, 0
            return 0, MOST_IDLE_TURNS
