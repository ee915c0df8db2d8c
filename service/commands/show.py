"""`referee show`: a recorded game, ply by ply."""

import click
import msgspec
from rich.text import Text

from engine.game import Entry, Game, open_game
from engine.judging.position import full_position
from engine.records.transcript import written
from service.commands import fail
from service.commands.command import Command
from service.commands.game_files import game_in, piece_of
from service.commands.narrator import Narrator, deed
from service.commands.record_files import STDIN, expect_input
from service.commands.replay import Played, Told, Unplayable, replay
from service.commands.screen import Screen
from service.commands.table_text import Names
from service.wording import positions


@click.command(cls=Command)
@click.argument("file", required=False)
@click.option("--at", metavar="PLY", type=click.IntRange(min=0), help="The table as of that ply.")
@click.option("--line", metavar="N", type=click.IntRange(min=1), help="The record in that line.")
@click.option("--json", "as_json", is_flag=True, help="Print the position as JSON.")
@click.option("--notation", is_flag=True, help="Print the game as a compact text, line by line.")
def show(file: str | None, at: int | None, line: int | None, as_json: bool, notation: bool) -> None:
    """Play a recorded game again and print it, ply by ply.

    FILE holds a record as JSON, or as one line of many, or the text of a game as --notation
    writes it; - or nothing stands for what comes in. With --json the position is printed that
    `POST /v1/validate` takes: as of --at, or the last one.

    The exit status is 1 where the game can be played up to some ply only.
    """
    if notation and as_json:
        fail("--json and --notation exclude each other")
    if file is None:
        expect_input()
    told = game_in(piece_of(file or STDIN, line))
    if at is not None and at > len(told.entries):
        fail(f"the game has {len(told.entries)} plies, so there is none of number {at}")
    try:
        if notation:
            _print_notation(told, at)
        elif as_json:
            _print_position(told, at)
        elif at is not None:
            _print_table(told, at)
        else:
            _print_game(told)
    except Unplayable as error:
        fail(str(error), status=1)


def _print_game(told: Told) -> None:
    narrator = Narrator(Screen())
    narrator.begin(open_game(told.opening))
    for played in replay(told.opening, told.entries):
        narrator.play(played)


def _print_table(told: Told, at: int) -> None:
    game, last = _as_of(told, at)
    screen = Screen()
    if last:
        line = Text(f"Ply {game.ply}: ", "bold").append_text(Names(game).text(last.entry.seat))
        screen.line(line.append(" ").append_text(deed(last)))
    if game.state is None:
        fail(f"nothing had been dealt at ply {at}")
    Narrator(screen).table(game, game.state)


def _print_position(told: Told, at: int | None) -> None:
    game, _ = _as_of(told, at)
    if game.state is None:
        fail(f"nothing had been dealt at ply {game.ply}")
    position = positions.to_wire(full_position(game.state, game.totals))
    click.echo(msgspec.json.encode(position))


def _print_notation(told: Told, at: int | None) -> None:
    """The game as far as it can be played."""
    playable = list[Entry]()
    try:
        for played in replay(told.opening, told.entries[:at]):
            playable.append(played.entry)
    finally:
        click.echo(written(told.opening, playable), nl=False)


def _as_of(told: Told, at: int | None) -> tuple[Game, Played | None]:
    """The game at a ply, or the last one, and what led there."""
    game, last = open_game(told.opening), None
    for last in replay(told.opening, told.entries[:at]):
        game = last.after
    return game, last
