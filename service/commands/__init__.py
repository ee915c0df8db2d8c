"""The commands of `referee`, and how each of them fails."""

import sys
from typing import NoReturn

import click


def fail(*lines: str, status: int = 2) -> NoReturn:
    """End the command: each line on stderr, and an exit status that says it did not work."""
    for line in lines:
        click.echo(f"referee: {' '.join(line.split())}", err=True)
    sys.exit(status)
