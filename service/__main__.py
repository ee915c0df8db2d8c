"""The command `referee`."""

import sys

import click

from service.commands import fail
from service.commands.backup import backup
from service.commands.demo import demo
from service.commands.doctor import doctor
from service.commands.key import key
from service.commands.perft import perft
from service.commands.restore import restore
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
referee.add_command(doctor)
referee.add_command(key)
referee.add_command(backup)
referee.add_command(restore)
referee.add_command(verify)
referee.add_command(show)
referee.add_command(perft)
referee.add_command(simulate)


def main() -> None:
    """Run the command line."""
    try:
        status = referee.main(prog_name="referee", standalone_mode=False)
    except click.exceptions.NoArgsIsHelpError as help_text:
        click.echo(help_text.format_message(), err=True)
        sys.exit(2)
    except click.UsageError as error:
        fail(f"{error.format_message()} See `referee --help`.")
    except click.Abort:
        fail("stopped", status=130)
    sys.exit(status if isinstance(status, int) else 0)


if __name__ == "__main__":
    main()
