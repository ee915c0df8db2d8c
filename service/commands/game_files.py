"""One game out of a file, to be played again."""

from collections.abc import Generator, Iterator
from itertools import islice
from typing import TypeVar

from engine.game import Entry
from engine.records.finding import Finding
from engine.records.record import Claim, Record
from engine.records.record_opening import opening_of, ruleset_of, unplayable
from engine.records.transcript_reading import TranscriptError, read
from engine.records.verdict import step_of
from service.commands import fail
from service.commands.record_files import FileError, Piece, pieces_in
from service.commands.replay import Told
from service.commands.screen import printable
from service.http.ndjson import LONGEST_LINE
from service.http.problems import Problem
from service.http.strict_json import parse
from service.wire import record as wire
from service.wording import record_reading

Value = TypeVar("Value")


def piece_of(name: str, line: int | None) -> Piece:
    """The one record in a file, or that of a line; ends the command where there is none."""
    try:
        found = list(islice(_wanted(pieces_in(name), line), 2))
    except FileError as error:
        fail(f"{printable(name)}: {error}")
    if not found:
        fail(f"{printable(name)}: line {line} holds no record")
    if len(found) > 1:
        fail(f"{printable(name)} holds several records: choose one with --line")
    if found[0].text is None:
        fail(f"{printable(name)}: a record may have {LONGEST_LINE} bytes")
    return found[0]


def game_in(piece: Piece) -> Told:
    """The game that a record or a transcript tells; ends the command where it tells none."""
    text = piece.text or b""
    try:
        if piece.form == "transcript":
            told = read(text.decode())
            return Told(told.opening, told.entries)
        return _game_of(record_reading.to_engine(parse(text, wire.Record)))
    except UnicodeDecodeError as error:
        fail(f"{printable(piece.file)}: not UTF-8 at byte {error.start}")
    except TranscriptError as error:
        fail(printable(f"{piece.file}: {error}"))
    except Problem as problem:
        fail(printable(f"{piece.file}: {problem.detail}"))


def _wanted(pieces: Iterator[Piece], line: int | None) -> Iterator[Piece]:
    return (one for one in pieces if line in (None, one.line))


def _game_of(record: Record) -> Told:
    """The game of a record, which may well be wrong; see `verdict`."""
    ruleset = _returned(ruleset_of(record))
    assert ruleset is not None
    _returned(unplayable(record, ruleset))
    return Told(opening_of(record, ruleset), tuple(_entry(record, claim) for claim in record.log))


def _returned(found: Generator[Finding, None, Value]) -> Value:
    """What a judgement returns, if it finds nothing wrong."""
    try:
        first = next(found)
    except StopIteration as end:
        value: Value = end.value
        return value
    raise Problem("malformed", f"/{'/'.join(map(str, first.path))}: {first.detail}")


def _entry(record: Record, claim: Claim) -> Entry:
    return Entry(claim.at, claim.seat, step_of(record, claim), claim.drawn)
