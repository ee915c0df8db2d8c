"""The command `referee`."""

import click

from service.commands.demo import demo
from service.commands.key import key
from service.commands.perft import perft
from service.commands.serve import serve
from service.commands.show import show
from service.commands.simulate import simulate
from service.commands.verify import verify


@click.group()
@click.version_option(package_name="persian-rummy-referee")
def referee() -> None:
    """A referee for Persian Rummy: it keeps the games, judges every move and names the rule."""


referee.add_command(serve)
referee.add_command(demo)
referee.add_command(key)
referee.add_command(verify)
referee.add_command(show)
referee.add_command(perft)
referee.add_command(simulate)


def main() -> None:
    """Run the command line."""
    referee(prog_name="referee")


if __name__ == "__main__":
    main()
