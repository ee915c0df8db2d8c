"""Verdicts on records in the words of the contract: one record, or a line of many."""

from collections.abc import Sequence
from typing import cast

from msgspec import UNSET
from msgspec.structs import replace

from engine.records import finding as play
from engine.records.verdict import verify
from engine.rulebook import RULES
from service.http.ndjson import LONGEST_LINE
from service.http.problems import Fault, Problem
from service.http.strict_json import parse
from service.wire.record import Record
from service.wire.verdict import Finding, Verdict
from service.wording import record_reading
from service.wording.choices import Choice, contradiction, faults_of

_LONGEST = 1000


def verdict_of(text: bytes) -> Verdict:
    """The verdict on one document.

    Raises `malformed` for what is no record, and `contradiction` for a ruleset that is none.
    """
    told = parse(text, Record)
    if faults := faults_of(Choice(told.ruleset.preset, record_reading.options_of(told))):
        raise contradiction(faults)
    found = verify(record_reading.to_engine(told))
    first = found.first_wrong
    return Verdict(
        game=told.game,
        status="right" if found.is_right else "wrong",
        first_wrong_ply=first.ply if first else None,
        findings=tuple(_finding(one) for one in found.findings),
        is_all=found.is_all,
    )


def verdict_of_line(text: bytes, line: int) -> Verdict:
    """The verdict on a line of a stream; what is no record is unusable, and no more than that."""
    try:
        return replace(verdict_of(text), line=line)
    except Problem as problem:
        return unusable(problem, line)


def unusable(problem: Problem, line: int | None = None) -> Verdict:
    """The verdict on what cannot be read as a record."""
    errors = cast(Sequence[Fault], problem.members["errors"])
    findings = (_plain(one.pointer, one.detail) for one in errors)
    return _unusable(line, *findings)


def too_long(line: int) -> Verdict:
    """The verdict on a line that was not kept."""
    return _unusable(line, _plain("", f"A record may have {LONGEST_LINE} bytes."))


def _unusable(line: int | None, *findings: Finding) -> Verdict:
    return Verdict(
        line=UNSET if line is None else line,
        game=None,
        status="unusable",
        first_wrong_ply=None,
        findings=findings,
        is_all=True,
    )


def _plain(pointer: str, detail: str) -> Finding:
    return Finding(pointer=pointer, detail=detail, ply=None, violation=None, rules=())


def _finding(found: play.Finding) -> Finding:
    return Finding(
        pointer="".join(f"/{step}" for step in found.path)[:_LONGEST],
        detail=found.detail[:_LONGEST],
        ply=found.ply,
        violation=found.violation.value if found.violation else None,
        rules=RULES[found.violation] if found.violation else (),
    )
