"""Positions written down: how a test says what lies on the table, in card notation.

`position(hands=["4S 4D"], pile="7H 2C 9D", melds=["5S 6S 7S @1"])` is a state of the engine; what
is not listed is empty. `twin_of` shows the same state to the twin.
"""

from collections.abc import Sequence

from engine.actions import Action, Discard, DrawDiscard, DrawStock, LayOff, Meld, Pass
from engine.cards import CODES, NO_CARDS, Cards, Seat, card, cards, codes, sequence
from engine.melds import begins_with_ace, kind_of
from engine.ruleset import PERSIAN, Ruleset, options_of, resolve
from engine.state import Phase, State, TableMeld
from tests.engine.twin import Twin
from tests.engine.twin_state import TwinAction, TwinMeld


def house(preset: str = "persian", **options: object) -> Ruleset:
    """The ruleset of a table that chose these options."""
    return resolve(preset, options)


def table_meld(number: int, written: str, ruleset: Ruleset) -> TableMeld:
    """A meld from `QH KH AH @0 JH @2`: each `@seat` played the cards before it.

    The word `doubled` at the end marks four laid at once, `low` an ace below the two where the run
    is complete (elsewhere the cards say so themselves).
    """
    credit = [0, 0, 0, 0]
    waiting = 0
    marks = []
    for word in written.split():
        if word.startswith("@"):
            credit[int(word[1])] |= waiting
            waiting = 0
        elif word in ("doubled", "low"):
            marks.append(word)
        else:
            waiting |= cards(word)
    assert waiting == 0, f"nobody is credited with the last cards of {written!r}"
    everything = Cards(sum(credit))
    kind = kind_of(everything, ruleset)
    assert kind is not None, f"{written!r} is no meld"
    return TableMeld(
        id=number,
        kind=kind,
        credit=_by_seat(credit),
        doubled="doubled" in marks,
        low_ace="low" in marks or begins_with_ace(everything, kind),
    )


def position(
    *,
    ruleset: Ruleset = PERSIAN,
    hands: Sequence[str] = (),
    stock: str = "",
    pile: str = "",
    melds: Sequence[str] = (),
    turn: int = 0,
    dealer: int = 3,
    deal: int = 1,
    phase: Phase = "draw",
    must_use: str | None = None,
    barred: str | None = None,
    passes: int = 0,
    idle_turns: int = 0,
    laid_this_turn: tuple[int, ...] = (),
    known: Sequence[str] = (),
) -> State:
    """A state in the middle of a deal; hands and known cards by seat, melds in order of laying."""
    return State(
        ruleset=ruleset,
        deal=deal,
        dealer=Seat(dealer),
        turn=Seat(turn),
        phase=phase,
        hands=_by_seat([cards(hand) for hand in hands]),
        stock=sequence(stock),
        pile=sequence(pile),
        melds=tuple(table_meld(at + 1, one, ruleset) for at, one in enumerate(melds)),
        must_use=card(must_use) if must_use else None,
        barred=card(barred) if barred else None,
        passes=passes,
        idle_turns=idle_turns,
        laid_this_turn=laid_this_turn,
        known=_by_seat([cards(some) for some in known]),
    )


def _by_seat(sets: Sequence[int]) -> tuple[Cards, Cards, Cards, Cards]:
    a, b, c, d = (Cards(sets[seat]) if seat < len(sets) else NO_CARDS for seat in range(4))
    return a, b, c, d


def written(mask: Cards) -> str:
    """Cards as a test writes them: sorted, with spaces between."""
    return " ".join(codes(mask))


def listed(order: bytes) -> str:
    """A stock or a pile as a test writes it."""
    return " ".join(CODES[one] for one in order)


def twin_of(state: State) -> Twin:
    """The same deal, as the twin has it.

    The engine counts a turn among the idle ones from its draw on, the twin when it is over.
    """
    stirred = state.phase == "play" and state.idle_turns == 0
    counted_early = state.phase == "play" and not stirred
    return Twin(
        rules=dict(options_of(state.ruleset)),
        hands=[set(codes(hand)) for hand in state.hands],
        stock=[CODES[one] for one in state.stock],
        pile=[CODES[one] for one in state.pile],
        turn=state.turn,
        dealer=state.dealer,
        deal=state.deal,
        phase=state.phase,
        melds={meld.id: twin_meld_of(meld, state.laid_this_turn) for meld in state.melds},
        must_use=None if state.must_use is None else CODES[state.must_use],
        barred=None if state.barred is None else CODES[state.barred],
        passes=state.passes,
        idle_turns=state.idle_turns - counted_early,
        stirred=stirred,
        turn_no=state.turn_no,
        ended=state.ended,
        out_seat=state.out_seat,
        known=[set(codes(some)) for some in state.known],
    )


def twin_meld_of(meld: TableMeld, laid_this_turn: tuple[int, ...]) -> TwinMeld:
    played = {one: seat for seat, some in enumerate(meld.credit) for one in codes(some)}
    return TwinMeld(meld.kind, played, meld.doubled, meld.low_ace, meld.id in laid_this_turn)


def twin_action_of(chosen: Action) -> TwinAction:
    """The same action, as the twin writes it."""
    match chosen:
        case DrawStock():
            return ("draw_stock",)
        case Pass():
            return ("pass",)
        case DrawDiscard(one):
            return ("draw_discard", CODES[one])
        case Discard(one):
            return ("discard", CODES[one])
        case Meld(some):
            return ("meld", tuple(sorted(CODES[one] for one in some)))
        case LayOff(some, number):
            return ("lay_off", tuple(sorted(CODES[one] for one in some)), number)


def outline(twin: Twin) -> dict[str, object]:
    """What must be equal where both are in the same position."""
    fields = dict(vars(twin))
    stirred = fields.pop("stirred")
    if twin.phase == "over" or (twin.phase == "play" and stirred):
        fields["idle_turns"] = None
    return fields
