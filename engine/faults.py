"""All that contradicts itself in a position."""

from engine.card_faults import card_faults
from engine.fault import Fault
from engine.meld_faults import meld_faults
from engine.position import Position
from engine.ruleset import Ruleset
from engine.turn_faults import turn_faults


def faults(position: Position, ruleset: Ruleset) -> list[Fault]:
    """Every fault there is, none if the position can have come up in a game."""
    return [
        *card_faults(position, ruleset),
        *meld_faults(position, ruleset),
        *turn_faults(position, ruleset),
    ]
