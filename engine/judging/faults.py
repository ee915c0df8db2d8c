"""All that contradicts itself in a position."""

from engine.fault import Fault
from engine.judging.card_faults import card_faults
from engine.judging.meld_faults import meld_faults
from engine.judging.position import Position
from engine.judging.turn_faults import turn_faults
from engine.ruleset import Ruleset


def faults(position: Position, ruleset: Ruleset) -> list[Fault]:
    """Every fault there is, none if the position can have come up in a game."""
    return [
        *card_faults(position, ruleset),
        *meld_faults(position, ruleset),
        *turn_faults(position, ruleset),
    ]
