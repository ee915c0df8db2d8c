"""Actions: from what a client sends to what the engine judges, and back."""

from engine import actions as play
from engine.cards import CODES, Seat, card, in_order
from service.wire import action as wire
from service.wire.move import LegalActions


def to_engine(sent: wire.Action) -> play.Action:
    """The engine's action for one of the contract; its card codes have been checked."""
    match sent:
        case wire.DrawStock():
            return play.DrawStock()
        case wire.Pass():
            return play.Pass()
        case wire.DrawDiscard(card=code):
            return play.DrawDiscard(card(code))
        case wire.Discard(card=code):
            return play.Discard(card(code))
        case wire.Meld(cards=codes):
            return play.Meld(in_order([card(code) for code in codes]))
        case wire.LayOff(cards=codes, meld=number):
            return play.LayOff(in_order([card(code) for code in codes]), number)


def to_wire(action: play.Action) -> wire.Action:
    """The contract's form of an action."""
    match action:
        case play.DrawStock():
            return wire.DrawStock()
        case play.Pass():
            return wire.Pass()
        case play.DrawDiscard(one):
            return wire.DrawDiscard(card=CODES[one])
        case play.Discard(one):
            return wire.Discard(card=CODES[one])
        case play.Meld(cards):
            return wire.Meld(cards=tuple(CODES[one] for one in cards))
        case play.LayOff(cards, number):
            return wire.LayOff(cards=tuple(CODES[one] for one in cards), meld=number)


def list_to_wire(legal: tuple[play.Action, ...] | None) -> tuple[wire.Action, ...] | None:
    """All of these actions; None for a seat that is not to act."""
    return None if legal is None else tuple(to_wire(action) for action in legal)


def legal_actions(
    ply: int, turn: Seat | None, legal: tuple[play.Action, ...] | None
) -> LegalActions:
    """What a seat could send now."""
    return LegalActions(ply=ply, turn=turn, legal_actions=list_to_wire(legal))
