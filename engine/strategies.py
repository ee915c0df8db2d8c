"""House strategies: pure functions of what a seat may see, and of chance that is handed in."""

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Final, TypeVar

from msgspec.structs import replace

from engine.actions import Action, Discard, DrawDiscard, LayOff, Meld
from engine.cards import Cards
from engine.judging.table import with_hand
from engine.play import apply, legal_actions
from engine.scoring import table_points, worth, worth_of
from engine.state import NOTHING, State
from engine.view import View

Choice = TypeVar("Choice")

Strategy = Callable[[View, Random], Action]
"""What a seat does, by its own view, when it is to act."""


def choose_any(legal: Sequence[Choice], chance: Random) -> Choice:
    """Any of the legal actions, each as likely as the others."""
    return legal[chance.randrange(len(legal))]


def at_random(view: View, chance: Random) -> Action:
    """Any legal action."""
    return choose_any(_legal(view), chance)


def greedily(view: View, chance: Random) -> Action:
    """Put down whatever counts most, take from the pile when that gains, discard what costs most.

    Chance decides between discards that cost the same.
    """
    if view.phase == "draw":
        return _best_draw(view)
    played = _best_play(_imagined(view), _legal(view))
    return played or _costliest(_legal(view), chance)


STRATEGIES: Final[Mapping[str, Strategy]] = {"random": at_random, "greedy": greedily}
"""The strategies by name."""


def _legal(view: View) -> tuple[Action, ...]:
    assert view.legal_actions, "a strategy is asked only when its seat is to act"
    return view.legal_actions


def _best_draw(view: View) -> Action:
    """The take that leaves the seat best off, if that is better than none; else stock or pass."""
    state, legal = _imagined(view), _legal(view)
    best, most = legal[0], _worth_played_out(replace(state, phase="play"))
    for action in legal:
        if isinstance(action, DrawDiscard):
            value = _worth_played_out(apply(state, state.turn, action))
            if value > most:
                best, most = action, value
    return best


def _worth_played_out(state: State) -> int:
    """What a seat has when it puts down all it can: points on the table less those in hand."""
    while action := _best_play(state, legal_actions(state)):
        state = apply(state, state.turn, action)
    bonus = state.ruleset.go_out_bonus if state.ended == "out" else 0
    return _on_table(state) + bonus - worth_of(state.hand)


def _best_play(state: State, legal: Sequence[Action]) -> Action | None:
    """The meld or lay-off that brings the most points; None where nothing can be put down."""
    plays = [action for action in legal if isinstance(action, Meld | LayOff)]
    return max(plays, key=lambda play: _on_table(apply(state, state.turn, play)), default=None)


def _on_table(state: State) -> int:
    return table_points(state)[state.turn % 2]


def _costliest(legal: Sequence[Action], chance: Random) -> Action:
    discards = [action for action in legal if isinstance(action, Discard)]
    most = max(worth(action.card) for action in discards)
    return choose_any([action for action in discards if worth(action.card) == most], chance)


def _imagined(view: View) -> State:
    """The deal as far as this seat knows it: its own hand, and a stock of no matter which cards."""
    assert view.turn is not None
    assert view.phase is not None
    return State(
        ruleset=view.ruleset,
        turn=view.turn,
        phase=view.phase,
        hands=with_hand(NOTHING, view.turn, view.hand or Cards(0)),
        stock=bytes(view.stock_size),
        pile=view.pile,
        melds=view.melds,
        must_use=view.must_use,
        passes=view.passes,
    )
