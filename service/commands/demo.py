"""`referee demo`: a whole game over HTTP, for all to see."""

import secrets
import signal
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import click
import msgspec
from rich.console import Console

from service.commands import fail
from service.commands.command import Command
from service.commands.own_service import own_service
from service.commands.players import Players, ServiceError
from service.commands.tabletop import Tabletop


@click.command(cls=Command)
@click.option("--url", help="A running service.  [one of its own, on a free port]")
@click.option(
    "--data",
    metavar="FOLDER",
    type=click.Path(path_type=Path),
    help="Where a service of its own keeps the game.  [nowhere]",
)
@click.option("--seed", type=int, help="The same seed plays the same game.  [a new one]")
@click.option(
    "--key",
    envvar="API_KEY",
    help="An API key, where the running service wants one to open games.  [API_KEY]",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object at the end, no more.")
def demo(
    url: str | None, data: Path | None, seed: int | None, key: str | None, as_json: bool
) -> None:
    """Play a game with four players who choose at random, and show it."""
    if url is not None and data is not None:
        fail("--data is for a service of its own; with --url the running one keeps the game")
    # An own service must not outlive this command.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    seed = secrets.randbelow(2**31) if seed is None else seed
    try:
        with _service(url, data) as at, closing(Players(at, seed, key)) as players:
            if as_json:
                _tell(players, seed)
            else:
                _show(players, seed)
    except ServiceError as error:
        fail(str(error))
    except KeyboardInterrupt:
        fail("stopped in the middle of the game", status=130)


@contextmanager
def _service(url: str | None, data: Path | None) -> Iterator[str]:
    if url is not None:
        yield url
    else:
        with own_service(data) as own:
            yield own


def _show(players: Players, seed: int) -> None:
    tabletop = Tabletop(Console(highlight=False))
    tabletop.open(players.game, seed, players.url)
    for turn in players.play():
        tabletop.turn(turn)
    tabletop.close(players.view, players.ledgers())


def _tell(players: Players, seed: int) -> None:
    for _ in players.play():
        pass
    view = players.view
    told = {
        "game": players.game,
        "seed": seed,
        "totals": view["totals"],
        "result": view["result"],
        "deals": players.ledgers(),
    }
    click.echo(msgspec.json.encode(told))
