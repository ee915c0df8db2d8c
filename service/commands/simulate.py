"""`referee simulate`: many games between strategies, and how they came out."""

import secrets
from collections.abc import Iterator
from contextlib import closing
from typing import Final, NamedTuple

import click
import msgspec

from engine.simulation import Plan, Tally
from engine.simulation import simulate as play
from engine.strategies import STRATEGIES
from service.commands import statistics
from service.commands.command import Command
from service.commands.processes import in_order, jobs_option
from service.commands.rules import Options, chosen, rules_text, ruleset_options
from service.commands.screen import Screen, bar, printable, sendable

# Games that are handed over together: they take about as long as a bar may stand still.
_TOGETHER: Final = 8
_MOST_GAMES: Final = 10_000_000

Strategies = tuple[str, str, str, str]


class Part(NamedTuple):
    """Some games of a plan."""

    plan: Plan
    numbers: range


def _read_strategies(_: click.Context, __: click.Parameter, told: str) -> Strategies:
    names = told.split(",")
    for name in names:
        if name not in STRATEGIES:
            raise click.BadParameter(f"{name!r} is not one of {', '.join(STRATEGIES)}.")
    match names:
        case [every]:
            return every, every, every, every
        case [a, b]:
            return a, b, a, b
        case [a, b, c, d]:
            return a, b, c, d
    raise click.BadParameter("name one strategy, or two by team, or four by seat.")


@click.command(cls=Command)
@click.option(
    "--games",
    metavar="N",
    type=click.IntRange(1, _MOST_GAMES),
    default=1000,
    help="How many.  [1000]",
)
@click.option(
    "--strategy",
    "strategies",
    metavar="NAME[,NAME...]",
    default="greedy",
    callback=_read_strategies,
    help="How all play; or team A and team B; or seats 0 to 3: greedy or random.  [greedy]",
)
@click.option("--seed", help="The same seed plays the same games.  [a new one]")
@ruleset_options
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@jobs_option
def simulate(
    games: int,
    strategies: Strategies,
    seed: str | None,
    preset: str | None,
    options: Options,
    as_json: bool,
    jobs: int | None,
) -> None:
    """Play many games between strategies, and print how they came out.

    `random` does anything that is legal; `greedy` melds and lays off what it can, takes from the
    pile when that gains, and discards what would cost most. What comes out hangs on the seed alone,
    not on how many processes play.
    """
    preset, options = chosen(preset, options)
    plan = Plan(
        preset=preset,
        options=options,
        strategies=strategies,
        seed=str(secrets.randbelow(2**31)) if seed is None else sendable(seed),
    )
    tally = _played(plan, games, jobs)
    if as_json:
        click.echo(msgspec.json.encode(statistics.as_json(plan, tally)))
    else:
        screen = Screen()
        rules = printable(rules_text(plan.preset, plan.options))
        played_by = ", ".join(strategies)
        screen.line(f"{games} games of {played_by} by {rules}; seed {printable(plan.seed)}", "bold")
        for table in statistics.tables(tally):
            screen.console.print(table)


def _played(plan: Plan, games: int, jobs: int | None) -> Tally:
    tally = Tally()
    with bar() as progress, closing(in_order(play_part, _parts(plan, games), jobs)) as tallies:
        task = progress.add_task("playing", total=games)
        for one in tallies:
            tally += one
            progress.advance(task, one.games)
    return tally


def play_part(part: Part) -> Tally:
    """Play some games."""
    return play(part.plan, part.numbers)


def _parts(plan: Plan, games: int) -> Iterator[Part]:
    for first in range(0, games, _TOGETHER):
        yield Part(plan, range(first, min(first + _TOGETHER, games)))
