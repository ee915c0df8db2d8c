"""Refusals of the table as problems: the one side door that they leave by."""

from collections.abc import Iterator
from contextlib import contextmanager

from engine.rulebook import MEANINGS, RULES, Violation
from service.access.auth import no_such_game
from service.access.limits import OPEN_GAMES
from service.domain import refusals
from service.http.preconditions import etag
from service.http.problems import Problem
from service.wire.kinds import ProblemName
from service.wording.actions import to_wire
from service.wording.cards import ordered_codes

_OWN_PROBLEM: dict[Violation, ProblemName] = {
    Violation.NOT_YOUR_TURN: "not_your_turn",
    Violation.GAME_OVER: "game_over",
}
"""Violations that are no fault of the action, only of its moment."""


def problem_name(violation: Violation) -> ProblemName:
    """The kind of problem that tells of a violation."""
    return _OWN_PROBLEM.get(violation, "illegal_move")


@contextmanager
def told_as_problems() -> Iterator[None]:
    """Raise the Problem for whatever the table refuses inside."""
    try:
        yield
    except refusals.Refused as refused:
        raise problem(refused) from None


def problem(refused: refusals.Refused) -> Problem:
    """What a refusal is in the words of the contract."""
    match refused:
        case refusals.NoSuchGame():
            return no_such_game()
        case refusals.NotStarted():
            return Problem("game_not_started", "The game still waits for players.")
        case refusals.Started():
            return Problem("game_started", "The game is being played; a team may forfeit it.")
        case refusals.SeatNotOpen():
            return Problem("seat_taken", "That seat is not open, or none is left.")
        case refusals.StrangersSeat():
            return Problem("forbidden", "That seat was open: its token is its player's alone.")
        case refusals.OtherTeam():
            return Problem("forbidden", "A seat may give up for its own team only.")
        case refusals.TeamNeeded():
            return Problem(
                "contradiction",
                "The organiser has to say which team gives up.",
                errors=[{"pointer": "/team", "detail": "The member team is missing."}],
            )
        case refusals.TooManyOpen(most=most):
            detail = f"{most} games of this key are open: let some end first."
            return Problem("rate_limited", detail, headers={"Retry-After": "60"}, policy=OPEN_GAMES)
        case refusals.OtherBody():
            return Problem(
                "idempotency_mismatch", "That key came with another body: use a new one."
            )
        case refusals.Stale(ply=ply):
            detail = f"The game is at ply {ply}: look at it again, then decide."
            return Problem("stale", detail, headers={"ETag": etag(ply)}, ply=ply)
        case refusals.Illegal():
            return illegal(refused)
        case _:
            raise AssertionError(f"no problem tells of {refused!r}")


def links_to(rules: tuple[str, ...]) -> tuple[str, ...]:
    """Where these rules can be read."""
    return tuple(f"/v1/rules/{rule}" for rule in rules)


def illegal(refused: refusals.Illegal) -> Problem:
    """A rule that was broken, with all that helps to mend the move."""
    violation = refused.violation
    problem = Problem(
        problem_name(violation),
        f"{MEANINGS[violation].capitalize()}.",
        violation=violation.value,
        rules=RULES[violation],
        links=links_to(RULES[violation]),
        ply=refused.ply,
    )
    if refused.index is not None:
        problem.members |= {
            "action": refused.index,
            "cards": ordered_codes(refused.cards),
            "alternatives": [to_wire(action) for action in refused.alternatives],
        }
    return problem
