"""`referee perft`: how many ways a deal can go on."""

from collections.abc import Iterator, Sequence
from contextlib import closing
from typing import Final, NamedTuple

import click
import msgspec

from engine import perft as counting
from engine.actions import Action
from engine.notation import text
from engine.play import apply, legal_actions
from engine.state import State
from service.commands import fail
from service.commands.command import Command
from service.commands.deal_files import deal_in, seeded_deal
from service.commands.processes import in_order, jobs_option
from service.commands.rules import Options, chosen, ruleset_options
from service.commands.screen import Screen, bar, sendable
from service.wording.actions import to_wire

# So many parts keep all cores busy to the end, and a bar moving.
_PARTS: Final = 200


class Part(NamedTuple):
    """A position that is reached by the first action of this number, and how deep to count on."""

    first: int
    state: State
    depth: int


@click.command(cls=Command)
@click.argument("file", required=False)
@click.option("--at", metavar="PLY", type=click.IntRange(min=0), help="The ply of a record.  [0]")
@click.option("--line", metavar="N", type=click.IntRange(min=1), help="The record in that line.")
@click.option("--seed", help="The deal that `simulate` begins with by that seed.  [0]")
@click.option(
    "--depth", metavar="N", type=click.IntRange(1, 100), default=4, help="How many actions.  [4]"
)
@click.option("--divide", is_flag=True, help="Count for each first action, too.")
@ruleset_options
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@jobs_option
def perft(
    file: str | None,
    at: int | None,
    line: int | None,
    seed: str | None,
    depth: int,
    divide: bool,
    preset: str | None,
    options: Options,
    as_json: bool,
    jobs: int | None,
) -> None:
    """Count the sequences of --depth legal actions that begin in a position.

    FILE holds a position as `POST /v1/validate` takes it, with or without the question around it
    and with every card known, or a record of which --at chooses a ply; - stands for what comes in.
    Without a FILE it is the start of a deal by --seed. Sequences that a deal ends before they are
    so long do not count.
    """
    if file is None:
        if at is not None or line is not None:
            fail("--at and --line are for a FILE")
        state = seeded_deal(sendable(seed or "0"), *chosen(preset, options))
    elif seed is not None:
        fail("a FILE and --seed exclude each other")
    else:
        state = deal_in(file, at, line, preset, options)
    actions = legal_actions(state)
    counts = _counted(state, actions, depth, jobs)
    _tell(list(zip(actions, counts, strict=True)), depth, divide=divide, as_json=as_json)


def _counted(
    state: State, actions: Sequence[Action], depth: int, jobs: int | None
) -> Sequence[int]:
    """The counts by first action."""
    counts = [0] * len(actions)
    parts = _parts(state, actions, depth)
    with bar() as progress, closing(in_order(count, parts, jobs)) as counted:
        task = progress.add_task("counting", total=len(parts))
        for part, number in zip(parts, counted, strict=True):
            counts[part.first] += number
            progress.advance(task)
    return counts


def count(part: Part) -> int:
    """How many sequences begin there."""
    return counting.perft(part.state, part.depth)


def _parts(state: State, actions: Sequence[Action], depth: int) -> list[Part]:
    """What is to be counted, in parts that add up to it."""
    after = (apply(state, state.turn, action) for action in actions)
    parts = [Part(first, one, depth - 1) for first, one in enumerate(after)]
    while parts and len(parts) < _PARTS and parts[0].depth > 1:
        parts = [one for part in parts for one in _deeper(part)]
    return parts


def _deeper(part: Part) -> Iterator[Part]:
    state = part.state
    for action in legal_actions(state):
        yield Part(part.first, apply(state, state.turn, action), part.depth - 1)


def _tell(counts: Sequence[tuple[Action, int]], depth: int, *, divide: bool, as_json: bool) -> None:
    total = sum(number for _, number in counts)
    if as_json:
        told: dict[str, object] = {"depth": depth, "count": total}
        if divide:
            told["divide"] = [{"action": to_wire(one), "count": number} for one, number in counts]
        click.echo(msgspec.json.encode(told))
        return
    screen = Screen()
    for action, number in counts if divide else ():
        screen.line(f"{text(action)}: {number}")
    screen.line(f"depth {depth}: {total}", "bold")
