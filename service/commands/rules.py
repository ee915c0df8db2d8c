"""The rules to play by, as a command is told them."""

from collections.abc import Callable, Mapping
from typing import Any, Final

import click
import msgspec

from engine.ruleset import PRESETS, OptionError, resolve
from service.commands import fail

Options = Mapping[str, object]


def ruleset_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the options `--preset` and `--option`."""
    for one in reversed(_OPTIONS):
        command = one(command)
    return command


def chosen(preset: str | None, options: Options) -> tuple[str, Options]:
    """The preset and options to play by; ends the command where they cannot be had."""
    told = preset or "persian"
    try:
        resolve(told, options)
    except OptionError as error:
        fail(error.detail)
    return told, options


def rules_text(preset: str, options: Options) -> str:
    """The rules as they are printed: the preset, and the options as a command takes them."""
    return ", ".join([preset, *(f"{name}={_written(options[name])}" for name in options)])


def _written(value: object) -> str:
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()


def _read(_: click.Context, __: click.Parameter, told: tuple[str, ...]) -> Options:
    options: dict[str, object] = {}
    for one in told:
        name, is_given, value = one.partition("=")
        if not is_given:
            raise click.BadParameter(f"{one!r} is not NAME=VALUE.")
        if name in options:
            raise click.BadParameter(f"{name} is given twice.")
        options[name] = _value(value)
    return options


def _value(written: str) -> object:
    """A number, `true` or an object is JSON; anything else is a word."""
    try:
        return msgspec.json.decode(written)
    except (msgspec.DecodeError, RecursionError):
        return written


_OPTIONS: Final = (
    click.option(
        "--preset", type=click.Choice(list(PRESETS)), help="The rules to play by.  [persian]"
    ),
    click.option(
        "--option",
        "options",
        metavar="NAME=VALUE",
        multiple=True,
        callback=_read,
        help="An option that differs from the preset, such as hand_size=9 or "
        "'game_end={\"deals\": 1}'; give it several times for several.",
    ),
)
