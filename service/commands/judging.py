"""Records judged in batches, by whichever process, and told in a line each."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, Final, NamedTuple

import msgspec

from engine.actions import DrawStock
from engine.cards import CODES
from engine.records.transcript_reading import TranscriptError, read
from engine.records.verdict import MOST_FINDINGS
from engine.rulebook import RULES
from service.commands.record_files import Piece
from service.commands.replay import Told, Unplayable, replay
from service.commands.screen import sendable
from service.http.problems import Fault, Problem
from service.wire.verdict import Finding, Verdict
from service.wording.verdicts import too_long, unusable, verdict_of_line

# Bytes. Small enough that all processes are busy and a bar moves, large enough that handing a
# batch over takes no time.
_BATCH: Final = 256 * 1024
_MOST_IN_BATCH: Final = 1000


class Batch(NamedTuple):
    """Records to be judged, and how the verdicts shall be told."""

    pieces: tuple[Piece, ...]
    as_json: bool


class Judged(NamedTuple):
    """What there is to say of a batch: how many are right and so on, and lines with their kind."""

    counts: Counter[str]
    lines: list[tuple[str, str]]
    size: int


def batches(pieces: Iterable[Piece], *, as_json: bool) -> Iterator[Batch]:
    """Records in their order, so many at a time as are worth handing over."""
    batch, size = list[Piece](), 0
    for piece in pieces:
        batch.append(piece)
        size += piece.size
        if len(batch) >= _MOST_IN_BATCH or size >= _BATCH:
            yield Batch(tuple(batch), as_json)
            batch, size = [], 0
    if batch:
        yield Batch(tuple(batch), as_json)


def judge(batch: Batch) -> Judged:
    """Judge a batch; right records are only counted, unless the verdicts are told as JSON."""
    counts, lines, size = Counter[str](), list[tuple[str, str]](), 0
    for piece in batch.pieces:
        verdict = _verdict(piece)
        counts[verdict.status] += 1
        size += piece.size
        if batch.as_json:
            lines.append((verdict.status, _as_json(piece.file, verdict)))
        elif verdict.status != "right":
            lines.append((verdict.status, f"{piece.file}:{piece.line}  {_in_words(verdict)}"))
    return Judged(counts, lines, size)


def _verdict(piece: Piece) -> Verdict:
    if piece.text is None:
        return too_long(piece.line)
    if piece.form == "transcript":
        return _verdict_on_transcript(piece.text)
    return verdict_of_line(piece.text, piece.line)


def _as_json(file: str, verdict: Verdict) -> str:
    named = {"file": sendable(file)}
    return msgspec.json.encode(named | msgspec.to_builtins(verdict)).decode()


def _in_words(verdict: Verdict) -> str:
    ply = verdict.first_wrong_ply
    found = next(one for one in verdict.findings if ply in (None, one.ply))
    where = "" if ply is None else f" at ply {ply}"
    more = len(verdict.findings) - 1
    if verdict.status == "unusable":
        return f"unusable: {_what(found)}"
    count = f" (and {more}{'' if verdict.is_all else ' or'} more)" if more else ""
    return f"wrong{where}: {_what(found)}{count}"


def _what(found: Finding) -> str:
    if found.violation:
        return f"{found.violation} ({', '.join(found.rules)}): {found.detail}"
    return f"{found.pointer}: {found.detail}" if found.pointer else found.detail


# --- transcripts ---


def _verdict_on_transcript(text: bytes) -> Verdict:
    """A transcript claims little: what was played, and maybe what was drawn."""
    try:
        told = read(text.decode())
    except UnicodeDecodeError as error:
        return _unreadable(f"The text is not UTF-8 at byte {error.start}.")
    except TranscriptError as error:
        return _unreadable(str(error))
    found = tuple(islice(_findings(Told(told.opening, told.entries)), MOST_FINDINGS))
    return Verdict(
        game=None,
        status="wrong" if found else "right",
        first_wrong_ply=found[0].ply if found else None,
        findings=found,
        is_all=len(found) < MOST_FINDINGS,
    )


def _unreadable(detail: str) -> Verdict:
    return unusable(Problem("malformed", detail, errors=[Fault("", detail)]))


def _findings(told: Told) -> Iterator[Finding]:
    is_over = False
    try:
        for before, entry, after in replay(told.opening, told.entries):
            came = before.state.stock[0] if before.state and before.state.stock else None
            is_draw = isinstance(entry.step, DrawStock)
            if is_draw and came is not None and entry.drawn not in (None, came):
                yield _finding(after.ply, f"{CODES[came]} was drawn")
            is_over = after.result is not None
        if not is_over:
            yield _finding(None, "the game is not over after the last line")
    except Unplayable as error:
        rules = RULES[error.violation] if error.violation else ()
        yield _finding(error.ply, error.detail, error.violation, rules)


def _finding(
    ply: int | None, detail: str, violation: Any = None, rules: Sequence[str] = ()
) -> Finding:
    return Finding(pointer="", detail=detail, ply=ply, violation=violation, rules=tuple(rules))
