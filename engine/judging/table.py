"""A table to be judged: what a position gives, and how much of it is not known.

Unknown cards come from the pool, the cards of the pack that are given nowhere.
"""

from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from engine.cards import ALL_CARDS, JOKERS, NO_CARDS, SEATS, Card, Cards, Seat, bit, each, mask_of
from engine.judging.position import Position, known_in, size_of, table_meld
from engine.ruleset import Ruleset
from engine.state import BySeat, State

Counts = tuple[int, int, int, int]
"""A number of cards for each seat."""

NOTHING_UNKNOWN: Final[Counts] = (0, 0, 0, 0)


class Table(Struct, frozen=True):
    """A position to be judged.

    `state` holds what is given: the known cards of the hands, and the stock unless it is a count
    of `hidden_stock` cards. `unknown` counts the other cards of each hand. They and the hidden
    stock come from the `pool`, which may hold more where cards are missing.
    """

    state: State
    unknown: Counts
    hidden_stock: int
    pool: Cards

    @property
    def doubt(self) -> int:
        """How many cards of the seat to act are not known."""
        return self.unknown[self.state.turn]


def whole_pack(ruleset: Ruleset) -> Cards:
    """All the cards that are played with."""
    return ALL_CARDS if ruleset.jokers else Cards(ALL_CARDS & ~JOKERS)


def table_of(position: Position, ruleset: Ruleset) -> Table:
    """A position without faults, ready to be judged."""
    state = state_of(position, ruleset)
    a, b, c, d = (size_of(hand) - len(known_in(hand)) for hand in position.hands)
    return settled(
        _with_taken_card(
            Table(
                state=state,
                unknown=(a, b, c, d),
                hidden_stock=position.stock if isinstance(position.stock, int) else 0,
                pool=Cards(whole_pack(ruleset) & ~given(state)),
            )
        )
    )


def given(state: State) -> Cards:
    """Every card that lies anywhere."""
    a, b, c, d = state.hands
    piled = mask_of(state.stock) | mask_of(state.pile)
    return Cards(
        a | b | c | d | piled | mask_of([one for m in state.melds for one in each(m.cards)])
    )


def taken_card(position: Position) -> Card | None:
    """The card that the seat to act took from the pile for all to see, if it must hold it still."""
    return position.barred if position.must_use is None else position.must_use


def with_hand(hands: BySeat, seat: Seat, hand: Cards) -> BySeat:
    """These hands, but one of them anew."""
    a, b, c, d = (hand if seat == other else hands[other] for other in SEATS)
    return a, b, c, d


def with_more(unknown: Counts, seat: Seat, more: int) -> Counts:
    """These counts, but one of them greater by `more`."""
    a, b, c, d = (unknown[other] + more * (seat == other) for other in SEATS)
    return a, b, c, d


def settled(table: Table) -> Table:
    """The table with the hand given that alone can have all the unknown cards."""
    state, places = table.state, [seat for seat in SEATS if table.unknown[seat]]
    if len(places) != 1 or table.hidden_stock or sum(table.unknown) != table.pool.bit_count():
        return table
    hand = Cards(state.hands[places[0]] | table.pool)
    return Table(
        state=replace(state, hands=with_hand(state.hands, places[0], hand)),
        unknown=NOTHING_UNKNOWN,
        hidden_stock=0,
        pool=NO_CARDS,
    )


def state_of(position: Position, ruleset: Ruleset) -> State:
    """What is given of a position, as a state; melds that are none are left out."""
    a, b, c, d = (mask_of(known_in(hand)) for hand in position.hands)
    idle_turns = position.idle_turns
    if idle_turns is None:
        # A turn is idle from its take on, until a card comes to the table.
        idle_turns = position.passes + (taken_card(position) is not None)
    return State(
        ruleset=ruleset,
        deal=position.deal,
        dealer=position.dealer,
        turn=Seat(0) if position.turn is None else position.turn,
        phase=position.phase,
        hands=(a, b, c, d),
        stock=b"" if isinstance(position.stock, int) else position.stock,
        pile=position.pile,
        melds=tuple(lies for meld in position.melds if (lies := table_meld(meld, ruleset))),
        must_use=position.must_use,
        barred=position.barred,
        passes=position.passes,
        idle_turns=idle_turns,
        laid_this_turn=tuple(meld.id for meld in position.melds if meld.laid_this_turn),
    )


def _with_taken_card(table: Table) -> Table:
    """A card that everybody saw go into a hand is known to be there."""
    state, seat = table.state, table.state.turn
    taken = state.barred if state.must_use is None else state.must_use
    if taken is None or not table.doubt or not bit(taken) & table.pool:
        return table
    hand = Cards(state.hand | bit(taken))
    return replace(
        table,
        state=replace(state, hands=with_hand(state.hands, seat, hand)),
        unknown=with_more(table.unknown, seat, -1),
        pool=Cards(table.pool & ~bit(taken)),
    )
