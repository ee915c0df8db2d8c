"""One deal in the middle, from whatever says it: a position, a record, or a seed."""

from typing import Any

import msgspec
from msgspec import Struct

from engine.fault import Fault
from engine.game import open_game
from engine.judging.judgement import Contradiction, judge
from engine.judging.table import table_of
from engine.ruleset import Ruleset, resolve
from engine.simulation import Plan, opening
from engine.state import State
from service.commands import fail
from service.commands.game_files import game_in, piece_of
from service.commands.record_files import Piece
from service.commands.replay import Told, Unplayable, replay
from service.commands.rules import Options, chosen
from service.commands.screen import printable
from service.http.problems import Problem
from service.http.strict_json import parse
from service.wire.judgement import ValidateRequest
from service.wire.position import Position
from service.wording import actions, positions
from service.wording.choices import chosen_ruleset


class _Members(Struct):
    """What tells a record and a question apart from a position."""

    format: Any = None
    position: Any = None


def seeded_deal(seed: str, preset: str, options: Options) -> State:
    """The first deal that `referee simulate` plays with this seed."""
    state = open_game(opening(Plan(preset=preset, options=options, seed=seed), 0)).state
    assert state is not None
    return state


def deal_in(
    file: str, at: int | None, line: int | None, preset: str | None, options: Options
) -> State:
    """The deal that a file tells; ends the command where it tells none, or not all of it."""
    piece = piece_of(file, line)
    members = _members(piece)
    is_game = piece.form == "transcript" or members.format is not None
    if (is_game or members.position is not None) and (preset or options):
        fail(f"{printable(file)} says which rules it is played by: leave --preset and --option out")
    if is_game:
        return _as_of(game_in(piece), at or 0)
    if at is not None:
        fail("--at is for a record: a position has no plies")
    text = piece.text or b""
    try:
        if members.position is not None:
            question = parse(text, ValidateRequest)
            return _after(question, chosen_ruleset(question.ruleset))
        question = ValidateRequest(position=parse(text, Position), actions=())
        return _after(question, resolve(*chosen(preset, options)))
    except Problem as problem:
        fail(printable(f"{file}: {problem.detail}"))
    except Contradiction as found:
        fail(*(printable(f"{file}: {_told(fault)}") for fault in found.faults))


def _told(fault: Fault) -> str:
    return f"/{'/'.join(map(str, fault.path))}: {fault.detail}"


def _after(question: ValidateRequest, ruleset: Ruleset) -> State:
    """The deal after the actions of the question. Raises Contradiction where it cannot be."""
    verdict = judge(
        positions.to_engine(question.position),
        ruleset,
        [actions.to_engine(action) for action in question.actions],
    )
    if not verdict.legal:
        fail("the actions are not legal, or nobody knows: see `POST /v1/validate`")
    table = table_of(verdict.position, ruleset)
    if any(table.unknown) or table.hidden_stock:
        fail("every card of the hands and of the stock must be known to count")
    return table.state


def _members(piece: Piece) -> _Members:
    """The members of a document; those of one that is none are for whoever reads it strictly."""
    try:
        return msgspec.json.decode(piece.text or b"", type=_Members)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return _Members()


def _as_of(told: Told, at: int) -> State:
    if at > len(told.entries):
        fail(f"the game has {len(told.entries)} plies, so there is none of number {at}")
    game = open_game(told.opening)
    try:
        for played in replay(told.opening, told.entries[:at]):
            game = played.after
    except Unplayable as error:
        fail(str(error))
    if game.state is None:
        fail(f"nothing had been dealt at ply {at}: choose another with --at")
    return game.state
