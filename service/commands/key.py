"""`referee key`: a fresh API key."""

from typing import cast

import click

from service.api_keys import SCOPES, Scope, listing, new_key, read_keys
from service.commands import fail
from service.commands.command import Command


@click.command(cls=Command)
@click.argument("name")
@click.option(
    "--scope",
    "scopes",
    multiple=True,
    default=("games",),
    show_default=True,
    type=click.Choice(SCOPES),
    help="What the key is good for; give it several times for several scopes.",
)
def key(name: str, scopes: tuple[str, ...]) -> None:
    """Make a fresh API key for the holder NAME.

    Prints the key, which goes to the holder and is not kept, and how to list it in
    REFEREE_API_KEYS (with commas between keys; a name may stand several times, so that a new key
    can be handed out before the old one is taken away).
    """
    fresh = new_key()
    listed = listing(name, cast(tuple[Scope, ...], dict.fromkeys(scopes)), fresh)
    try:
        read_keys(listed)
    except ValueError:
        fail(f"a name has 1 to 40 lower-case letters, digits and hyphens, not {name!r}")
    click.echo(f"key      {fresh}\nlisting  {listed}")
    click.echo("Hand out the key; put the listing into REFEREE_API_KEYS.")
