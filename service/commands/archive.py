"""What `referee backup` and `referee restore` share: the store that they work on."""

import asyncio
import os
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

import click

from service.commands import fail
from service.commands.screen import printable
from service.embedded.folder import FolderInUse
from service.embedded.server import ServerFailed, ServerMissing
from service.kept import opened_archive, place_of
from service.settings import Settings, SettingsError, read_settings
from service.store.address import read_address
from service.store.protocol import ServerRefused, StoreUnavailable
from service.store.redis import RedisStore

Command = TypeVar("Command", bound=Callable[..., Any])


def store_options(command: Command) -> Command:
    """The options that say where the games are."""
    data = click.option(
        "--data",
        metavar="FOLDER",
        help="Where an embedded store keeps them, whether or not a service runs on it.  "
        "[the user's data folder; REFEREE_DATA]",
    )
    redis_url = click.option(
        "--redis-url", metavar="URL", help="The Redis or Valkey of the games.  [REFEREE_REDIS_URL]"
    )
    return data(redis_url(command))


def chosen_settings(data: str | None, redis_url: str | None) -> Settings:
    """The settings of the service, as `referee serve` would read them here."""
    try:
        settings = read_settings(os.environ, data=data, redis_url=redis_url)
        if settings.redis_url is not None:
            read_address(settings.redis_url)
    except SettingsError as error:
        fail(*error.lines)
    except ValueError as error:
        fail(str(error))
    return settings


def on_store(settings: Settings, work: Callable[[RedisStore], Awaitable[None]]) -> None:
    """Do this work on the store; end the command with a line where it cannot be had."""

    async def opened() -> None:
        async with opened_archive(settings) as store:
            await work(store)

    try:
        asyncio.run(opened())
    except (ServerMissing, ServerFailed, FolderInUse, ServerRefused) as error:
        fail(str(error))
    except StoreUnavailable as error:
        fail(f"the store {place_of(settings)} is away: {error}")


def tell(trouble: str) -> None:
    """Tell of trouble that does not end the command."""
    # Of a file that somebody has written himself there may be anything in it.
    click.echo(f"referee: {printable(trouble)}", err=True)
