"""Counting: how many ways a position can go on, to hold the rules against written numbers."""

from engine.actions import Action
from engine.play import apply, legal_actions
from engine.state import State


def perft(state: State, depth: int) -> int:
    """How many sequences of `depth` legal actions start here; a deal that is over has none."""
    if depth == 0:
        return 1
    return sum(divide(state, depth).values())


def divide(state: State, depth: int) -> dict[Action, int]:
    """`perft` by first action; `depth` is one or more."""
    actions = legal_actions(state)
    if depth == 1:
        return dict.fromkeys(actions, 1)
    return {action: perft(apply(state, state.turn, action), depth - 1) for action in actions}
