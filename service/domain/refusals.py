"""Why something does not happen at a table.

Refused
├── NoSuchGame        there is no such game, or none for this caller
├── NotStarted        the game waits for players
├── Started           the game has begun
├── SeatNotOpen       nobody can sit down there
├── StrangersSeat     the seat was open, so its hand is not the organiser's to see
├── OtherTeam         a seat may give up for its own team only
├── TeamNeeded        the organiser has to name the team that gives up
├── TooManyOpen       a key holder has as many games open as he may
├── OtherBody         an idempotency key came with another body before
├── Stale             the game has moved on
└── Illegal           a rule of the game forbids the action
"""

from engine.actions import Action, cards_named
from engine.alternatives import nearest
from engine.cards import Card, Seat
from engine.game import Game
from engine.play import legal_actions
from engine.rulebook import Violation
from engine.rules import offending_cards


class Refused(Exception):  # noqa: N818 - an answer, not an error
    """Something was asked that does not happen; nothing has changed."""


class NoSuchGame(Refused):
    """There is no such game, or none that this caller may know of."""


class NotStarted(Refused):
    """The game waits for players."""


class Started(Refused):
    """The game has begun, so it cannot be called off."""


class SeatNotOpen(Refused):
    """The seat, or every seat, is taken."""


class StrangersSeat(Refused):
    """The seat was open when the game was: its token is not the organiser's to replace."""


class OtherTeam(Refused):
    """A seat may give up for its own team only."""


class TeamNeeded(Refused):
    """The organiser has to name the team that gives up."""


class TooManyOpen(Refused):
    """A key holder has `most` games open, which is as many as he may."""

    def __init__(self, most: int) -> None:
        super().__init__(f"{most} games are open")
        self.most = most


class OtherBody(Refused):
    """An idempotency key came with another body before."""


class Stale(Refused):
    """The game has moved on to `ply`."""

    def __init__(self, ply: int) -> None:
        super().__init__(f"the game is at ply {ply}")
        self.ply = ply


class Illegal(Refused):
    """Action number `index` of a move breaks a rule; with no index, something that is no action.

    `cards` are those the refusal points at, `alternatives` what the seat could have sent instead.
    """

    def __init__(
        self,
        violation: Violation,
        ply: int,
        index: int | None = None,
        cards: tuple[Card, ...] = (),
        alternatives: tuple[Action, ...] = (),
    ) -> None:
        super().__init__(violation.value)
        self.violation = violation
        self.ply = ply
        self.index = index
        self.cards = cards
        self.alternatives = alternatives


def illegal(
    game: Game, seat: Seat, action: Action, violation: Violation, ply: int, index: int
) -> Illegal:
    """The refusal of a seat's action, made from what that seat may know.

    A seat that is not to act is told nothing of what could be done.
    """
    assert game.state is not None
    if violation in (Violation.NOT_YOUR_TURN, Violation.GAME_OVER):
        return Illegal(violation, ply, index, cards_named(action))
    return Illegal(
        violation,
        ply,
        index,
        offending_cards(game.state, action, violation),
        tuple(nearest(action, legal_actions(game.state))),
    )
