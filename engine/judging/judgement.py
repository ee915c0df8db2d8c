"""Judging actions on a position that somebody tells: a verdict for others, who keep their games.

Everything is judged by `rules.violation` and played by `play.apply`. Where cards are not known, an
action is legal if it is so in every world that they leave open, refused if the same rule forbids
it in every one, and otherwise the verdict is not known.
"""

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from engine.actions import Action, cards_named
from engine.alternatives import nearest
from engine.cards import SEATS, Card, Points, Seat, bit, each, in_order, mask_of
from engine.fault import Fault
from engine.judging.faults import faults
from engine.judging.position import Hand, Position, Stock, in_answer_order, told_melds
from engine.judging.table import NOTHING_UNKNOWN, Table, table_of
from engine.judging.worlds import after, any_world, certain_cards, widest, worlds
from engine.play import legal_actions
from engine.rulebook import Violation
from engine.rules import offending_cards, violation
from engine.ruleset import Ruleset
from engine.scoring import Ledger, ledger, table_points
from engine.state import State


class Contradiction(ValueError):  # noqa: N818 - a verdict on what was told
    """A position that cannot be; `faults` are all that is wrong with it."""

    def __init__(self, found: Sequence[Fault]) -> None:
        super().__init__("; ".join(fault.detail for fault in found))
        self.faults = tuple(found)


class Refusal(Struct, frozen=True):
    """Action number `index` breaks a rule.

    `cards` are those that it certainly points at, `alternatives` the certain actions nearest to it.
    """

    index: int
    violation: Violation
    cards: tuple[Card, ...]
    alternatives: tuple[Action, ...]


class Judgement(Struct, frozen=True, kw_only=True):
    """The verdict on some actions, and where they lead.

    `legal` is None where the verdict hangs on a card that is not known; `unknown` says that any
    part of the answer does. `position` is the one after the actions, or before the one that is not
    known to be legal; `legal_actions` are those that are certainly legal there, None where nobody,
    or another seat than was asked for, is to act. `deal_ended` is the account of a deal that the
    actions ended, if every hand is known.
    """

    legal: bool | None
    unknown: bool
    position: Position
    legal_actions: tuple[Action, ...] | None
    table_points: Points
    deal_ended: Ledger | None
    refusal: Refusal | None = None


def judge(
    position: Position, ruleset: Ruleset, actions: Sequence[Action], seat: Seat | None = None
) -> Judgement:
    """The verdict on these actions, one after the other, each by the seat to act.

    With `seat` given all have to be by that seat. Raises Contradiction where the position cannot
    be.
    """
    if found := faults(position, ruleset):
        raise Contradiction(found)
    start = here = table_of(position, ruleset)
    legal: bool | None = True
    refusal = None
    for index, action in enumerate(actions):
        actor = here.state.turn if seat is None else seat
        found_in_worlds = verdicts(here, actor, action)
        if found_in_worlds != {None}:
            refusal = _refusal(here, actor, action, index, found_in_worlds)
            legal = None if refusal is None else False
            break
        here = after(here, action)
    return _judgement(in_answer_order(position, ruleset), start, here, legal, refusal, seat)


def verdicts(table: Table, seat: Seat, action: Action) -> set[Violation | None]:
    """What the rules say of this action in one world or another."""
    return {violation(world, seat, action) for world in worlds(table, action)}


def certain_actions(table: Table) -> tuple[list[Action], bool]:
    """What the seat to act may do in every world; and whether it may do nothing else in any."""
    if not table.doubt:
        return legal_actions(any_world(table)), True
    return _certain_plays(table) if table.state.phase == "play" else _certain_draws(table)


def _certain_draws(table: Table) -> tuple[list[Action], bool]:
    listed = legal_actions(widest(table))
    found = [(action, verdicts(table, table.state.turn, action)) for action in listed]
    certain = [action for action, verdict in found if verdict == {None}]
    return certain, all(verdict == {None} or None not in verdict for _, verdict in found)


def _certain_plays(table: Table) -> tuple[list[Action], bool]:
    """Plays of cards that the hand certainly holds; those of others are possible at best."""
    held = certain_cards(table)
    chooses_freely = table.state.must_use is None
    certain, others = [], 0
    for action in legal_actions(any_world(table) if chooses_freely else widest(table)):
        unknown = mask_of(cards_named(action)) & table.pool
        if not unknown & ~held:
            certain.append(action)
        elif unknown.bit_count() <= table.doubt:
            others += 1
    # Who chooses freely could discard any of the cards that are not known, too.
    return certain, not others and not chooses_freely


def _refusal(
    table: Table, seat: Seat, action: Action, index: int, found: set[Violation | None]
) -> Refusal | None:
    """The refusal that every world gives; None where they differ."""
    broken, *others = found
    if broken is None or others:
        return None
    is_untimely = broken in (Violation.NOT_YOUR_TURN, Violation.GAME_OVER)
    return Refusal(
        index=index,
        violation=broken,
        cards=_certainly_offending(table, action, broken),
        alternatives=() if is_untimely else tuple(nearest(action, certain_actions(table)[0])),
    )


def _certainly_offending(table: Table, action: Action, broken: Violation) -> tuple[Card, ...]:
    """The cards that are at fault in every world; where there is none, all that may be."""
    first, *others = (offending_cards(world, action, broken) for world in worlds(table, action))
    always = tuple(card for card in first if all(card in other for other in others))
    return always or tuple(c for c in cards_named(action) if not bit(c) & table.state.hand)


def _judgement(
    shown: Position,
    start: Table,
    here: Table,
    legal: bool | None,
    refusal: Refusal | None,
    seat: Seat | None,
) -> Judgement:
    state = here.state
    is_to_act = state.phase != "over" and seat in (None, state.turn)
    certain, is_all = certain_actions(here) if is_to_act else ([], True)
    is_known = here.unknown == NOTHING_UNKNOWN
    account = ledger(state) if state.ended and is_known else None
    drew_blindly = any(here.unknown[one] > start.unknown[one] for one in SEATS)
    return Judgement(
        legal=legal,
        unknown=legal is None
        or not is_all
        or drew_blindly
        or (state.ended is not None and not is_known),
        position=_moved_on(shown, start, here, account),
        legal_actions=tuple(certain) if is_to_act else None,
        table_points=table_points(state),
        deal_ended=account,
        refusal=refusal,
    )


def _moved_on(shown: Position, start: Table, here: Table, account: Ledger | None) -> Position:
    """The position as it was shown, brought to where the table stands now."""
    if here is start:
        return shown
    state, ruleset = here.state, here.state.ruleset
    a, b, c, d = (_hand(shown.hands[seat], start, here, seat) for seat in SEATS)
    gained = (account.scores if account else None) or (0, 0)
    says_idle = shown.idle_turns is not None or ruleset.top_discard == "free"
    return replace(
        shown,
        turn=None if state.phase == "over" else state.turn,
        phase=state.phase,
        must_use=state.must_use,
        passes=state.passes,
        hands=(a, b, c, d),
        stock=_stock(shown.stock, here),
        pile=state.pile,
        melds=told_melds(state.melds, _laid_this_turn(shown, state)),
        totals=(shown.totals[0] + gained[0], shown.totals[1] + gained[1]),
        barred=state.barred,
        idle_turns=state.idle_turns if says_idle else None,
    )


def _hand(shown: Hand, start: Table, here: Table, seat: Seat) -> Hand:
    """A hand in the form in which it was told, unless more is known of it now."""
    known, unknown = here.state.hands[seat], here.unknown[seat]
    if (known, unknown) == (start.state.hands[seat], start.unknown[seat]):
        return shown
    if isinstance(shown, int) and not known:
        return unknown
    return (*in_order(each(known)), *[None] * unknown)


def _stock(shown: Stock, here: Table) -> Stock:
    if isinstance(shown, int):
        return here.hidden_stock or len(here.state.stock)
    return here.state.stock


def _laid_this_turn(shown: Position, state: State) -> tuple[int, ...] | None:
    """The melds laid in this turn, if it was told of any meld or matters."""
    is_told = any(meld.laid_this_turn is not None for meld in shown.melds)
    matters = state.ruleset.quad_bonus == "same_turn"
    return state.laid_this_turn if is_told or matters else None
