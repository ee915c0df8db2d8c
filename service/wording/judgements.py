"""Verdicts in the words of the contract."""

from msgspec.structs import replace

from engine.judging import judgement as play
from engine.rulebook import RULES
from service.http.problems import Fault, Problem
from service.wire.judgement import Judgement
from service.wording import ledgers, positions
from service.wording.actions import list_to_wire
from service.wording.actions import to_wire as to_wire_action
from service.wording.cards import ordered_codes, points
from service.wording.choices import contradiction as problem
from service.wording.refusals import links_to


def to_wire(verdict: play.Judgement) -> Judgement:
    """The whole answer to a position."""
    answer = Judgement(
        legal=verdict.legal,
        unknown=verdict.unknown,
        position=positions.to_wire(verdict.position),
        legal_actions=list_to_wire(verdict.legal_actions),
        table_points=points(verdict.table_points),
        deal_ended=ledgers.to_wire(verdict.deal_ended) if verdict.deal_ended else None,
    )
    return answer if verdict.refusal is None else _refused(answer, verdict.refusal)


def _refused(answer: Judgement, refusal: play.Refusal) -> Judgement:
    rules = RULES[refusal.violation]
    return replace(
        answer,
        action=refusal.index,
        violation=refusal.violation.value,
        rules=rules,
        links=links_to(rules),
        cards=ordered_codes(refusal.cards),
        alternatives=tuple(map(to_wire_action, refusal.alternatives)),
    )


def contradiction(found: play.Contradiction) -> Problem:
    """The problem of a position that cannot be, with every fault that it has."""
    errors = [
        Fault("/position" + "".join(f"/{step}" for step in fault.path), fault.detail)
        for fault in found.faults
    ]
    return problem(errors)
