"""Suits, jokers and seats are names: play that differs in them alone comes out the same."""

from random import Random

import pytest
from msgspec.structs import replace

from engine.actions import Action, Discard, DrawDiscard, LayOff, Meld
from engine.cards import Card, Cards, Seat, each, in_order, mask_of
from engine.play import apply, legal_actions
from engine.scoring import ledger
from engine.state import BySeat, State
from tests.engine.random_play import choose, fresh_deal, tempers
from tests.engine.rulesets import RULESETS

Names = list[Card]
"""The new name of each card."""


@pytest.mark.parametrize("name", RULESETS)
@pytest.mark.parametrize("turn_by", [1, 2])
def test_suits_and_seats_may_be_renamed(name: str, turn_by: int) -> None:
    """Rename suits and jokers, turn the table: the same play leads to the same, renamed."""
    chance = Random(f"symmetry {name}")
    state = fresh_deal(RULESETS[name], chance)
    suits, jokers = chance.sample(range(4), 4), chance.sample(range(4), 4)
    renamed = [
        Card((jokers if one % 14 == 13 else suits)[one // 14] * 14 + one % 14) for one in range(56)
    ]
    mirror = mirrored(state, renamed, turn_by)
    seats = tempers(chance)
    while state.phase != "over":
        legal = legal_actions(state)
        reflected = [reflection(one, renamed) for one in legal]
        assert sorted(map(repr, reflected)) == sorted(map(repr, legal_actions(mirror)))
        chosen = choose(legal, seats[state.turn], chance)
        state = apply(state, state.turn, chosen)
        mirror = apply(mirror, mirror.turn, reflection(chosen, renamed))
        assert mirror == mirrored(state, renamed, turn_by)
    scores, others = ledger(state).scores, ledger(mirror).scores
    assert scores is not None
    assert others == (scores if turn_by == 2 else scores[::-1])


def reflection(chosen: Action, renamed: Names) -> Action:
    """The same action under the new names."""
    match chosen:
        case DrawDiscard(card):
            return DrawDiscard(renamed[card])
        case Discard(card):
            return Discard(renamed[card])
        case Meld(cards):
            return Meld(in_order([renamed[card] for card in cards]))
        case LayOff(cards, meld):
            return LayOff(in_order([renamed[card] for card in cards]), meld)
        case _:
            return chosen


def mirrored(state: State, renamed: Names, turn_by: int) -> State:
    """The same state under the new names, every seat so many places further."""

    def sets(by_seat: BySeat) -> BySeat:
        a, b, c, d = (
            mask_of([renamed[card] for card in each(Cards(by_seat[(seat - turn_by) % 4]))])
            for seat in range(4)
        )
        return a, b, c, d

    def seat(old: Seat) -> Seat:
        return Seat((old + turn_by) % 4)

    return replace(
        state,
        dealer=seat(state.dealer),
        turn=seat(state.turn),
        hands=sets(state.hands),
        known=sets(state.known),
        stock=bytes(renamed[card] for card in state.stock),
        pile=bytes(renamed[card] for card in state.pile),
        melds=tuple(replace(meld, credit=sets(meld.credit)) for meld in state.melds),
        must_use=None if state.must_use is None else renamed[state.must_use],
        barred=None if state.barred is None else renamed[state.barred],
        out_seat=None if state.out_seat is None else seat(state.out_seat),
    )
