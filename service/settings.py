"""Settings: all that an operator may choose, read once from the environment."""

import re
from collections.abc import Callable, Mapping
from ipaddress import ip_network
from pathlib import Path
from typing import Final, Literal, get_args

import msgspec

from service.api_keys import ApiKey, read_keys
from service.logs import Form

PREFIX: Final = "REFEREE_"
FOLDER: Final = "persian-rummy-referee"

LogLevel = Literal["debug", "info", "warning", "error"]

_DAY: Final = 24 * 60 * 60
_YEAR: Final = 365 * _DAY


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """How this service runs. Each field is the variable ``REFEREE_<FIELD>`` in capitals."""

    host: str = "127.0.0.1"
    """The address to listen at: only this machine unless said otherwise."""
    port: int = 8000
    """The port, 0 to 65535; 0 picks a free one."""
    data: Path = Path(FOLDER)
    """The folder of the embedded store, in the user's data folder unless said otherwise.

    Unused with ``redis_url``.
    """
    redis_url: str | None = None
    """A Redis or Valkey to keep the games in, instead of the embedded one.

    ``redis://``, ``redis+sentinel://``, ``redis+cluster://``, ``unix://``; ``rediss`` is TLS.
    """
    redis_username: str | None = None
    """The user to be there, where the URL does not say."""
    redis_password: str | None = None
    """His password, where it is better not seen in a URL."""
    sentinel_username: str | None = None
    """The user to be at the Sentinels, which have users of their own."""
    sentinel_password: str | None = None
    """His password."""
    redis_replicas: int = 0
    """Replicas that must have a move before it is answered: it then outlives a failover."""
    cors_origins: tuple[str, ...] = ()
    """Web origins that may call from a browser, with commas between them; ``*`` is all."""
    waiting_seconds: int = _DAY
    """How long a game waits for players after its last change."""
    playing_seconds: int = 7 * _DAY
    """How long a game in play is kept after its last move: a slow game by letter survives."""
    finished_seconds: int = 30 * _DAY
    """How long a finished game is kept, for its record to be fetched."""
    api_keys: tuple[ApiKey, ...] | None = None
    """Who may open games, as ``referee key`` prints them; without any, everybody may."""
    most_open_games: int = 1000
    """Games that a key holder may have unfinished at a time: a large club's tournament day."""
    limits: bool = True
    """Whether requests are limited at all; ``off`` suits a private network."""
    address_rate: int = 500
    """Requests a second from one address without a token: a school or an office behind one."""
    address_burst: int = 1000
    """So many at once before the rate counts."""
    token_rate: int = 200
    """Requests a second with one token of a game: a bot that thinks for 5 ms."""
    token_burst: int = 1000
    """So many at once before the rate counts."""
    key_rate: int = 1000
    """Requests a second with one API key: a tournament that opens a thousand tables."""
    key_burst: int = 2000
    """So many at once before the rate counts."""
    trusted_proxies: tuple[str, ...] = ()
    """Addresses whose ``X-Forwarded-For`` is believed, with commas between them; ``*`` is all."""
    drain_seconds: int = 2
    """How long requests are still taken once the service was told to stop, and is not ready.

    Longer than the period of a readiness probe, so that nobody sends any by then.
    """
    shutdown_seconds: int = 4
    """How long requests in flight may take after that.

    Some orchestrators kill after 10 s: with the other, and a second to close the store, that is
    not reached.
    """
    log_level: LogLevel = "info"
    """The least serious log lines to write: ``debug``, ``info``, ``warning`` or ``error``."""
    log_format: Form = "auto"
    """How they are written: ``json``, ``text`` or ``auto``, which is text on a terminal alone."""


class SettingsError(ValueError):
    """Settings that cannot be used; ``lines`` says what is wrong, one line for each."""

    def __init__(self, lines: list[str]) -> None:
        super().__init__("\n".join(lines))
        self.lines = lines


def read_settings(environ: Mapping[str, str], **overrides: str | int | Path | None) -> Settings:
    """The settings that an environment asks for.

    ``overrides`` are fields given on the command line; they win, and None is as good as absent.
    An empty variable is as good as absent too. Raises ``SettingsError`` with a line for every value
    out of bounds, and for every ``REFEREE_`` variable that is none of these.
    """
    given = {name: environ.get(variable(name)) or None for name in _READERS}
    sources = {name: variable(name) for name in _READERS}
    for name, value in overrides.items():
        if value is not None:
            given[name] = str(value)
            sources[name] = f"--{name.replace('_', '-')}"
    if given["data"] is None:
        given["data"] = default_folder(environ)
    lines = _unknown(environ)
    values: dict[str, object] = {}
    for name, text in given.items():
        try:
            if text is not None:
                values[name] = _READERS[name](text)
        except ValueError as error:
            # A URL may hold a password, and a key listed in the wrong form is a key told.
            found = "" if name in _SECRET else f", not {text!r}"
            lines.append(f"{sources[name]} must be {error}{found}")
    if given["data"] is None and given["redis_url"] is None:
        lines.append(f"{variable('data')} is needed: no home folder is known")
    if lines:
        raise SettingsError(lines)
    return msgspec.convert(values, Settings)


def variable(field: str) -> str:
    """The environment variable of a field of Settings."""
    return PREFIX + field.upper()


def default_folder(environ: Mapping[str, str]) -> str | None:
    """The folder for user data as the XDG base directory specification has it.

    None if the environment knows no home folder.
    """
    given = Path(environ.get("XDG_DATA_HOME", ""))
    if given.is_absolute():
        return str(given / FOLDER)
    if environ.get("HOME"):
        return str(Path(environ["HOME"], ".local", "share", FOLDER))
    return None


def _unknown(environ: Mapping[str, str]) -> list[str]:
    known = {variable(name) for name in _READERS}
    strangers = sorted(name for name in environ if name.startswith(PREFIX) and name not in known)
    return [f"{name} is no setting of this service" for name in strangers]


def _whole(least: int, most: int) -> Callable[[str], int]:
    def read(text: str) -> int:
        if re.fullmatch(r"0|[1-9][0-9]{0,9}", text) and least <= int(text) <= most:
            return int(text)
        raise ValueError(f"a whole number from {least} to {most}")

    return read


def _host(text: str) -> str:
    if re.fullmatch(r"[A-Za-z0-9._:%-]{1,253}", text):
        return text
    raise ValueError("a host name or an address")


def _folder(text: str) -> Path:
    if "\0" in text:
        raise ValueError("a folder")
    return Path(text).expanduser()


def _redis_url(text: str) -> str:
    if re.fullmatch(r"(rediss?(\+(sentinel|cluster))?|unix)://\S+", text):
        return text
    raise ValueError(
        "a URL such as redis://HOST:6379/0, redis+sentinel://HOST:26379,HOST:26379/NAME "
        "or redis+cluster://HOST:6379,HOST:6379"
    )


def _word(text: str) -> str:
    if text.isprintable():
        return text
    raise ValueError("printable text")


def _origins(text: str) -> tuple[str, ...]:
    origins = tuple(origin.strip() for origin in text.split(","))
    if all(re.fullmatch(r"\*|https?://[A-Za-z0-9._-]+(:[0-9]{1,5})?", each) for each in origins):
        return origins
    raise ValueError("* or origins such as https://cards.example, with commas between them")


def _switch(text: str) -> bool:
    if text in ("on", "off"):
        return text == "on"
    raise ValueError("on or off")


def _addresses(text: str) -> tuple[str, ...]:
    addresses = tuple(each.strip() for each in text.split(","))
    try:
        for each in addresses:
            if each != "*":
                ip_network(each)
    except ValueError:
        raise ValueError("* or addresses such as 10.0.0.0/8, with commas between them") from None
    return addresses


def _one_of(words: tuple[str, ...]) -> Callable[[str], str]:
    def read(text: str) -> str:
        if text in words:
            return text
        raise ValueError(f"one of {', '.join(words)}")

    return read


_SECRET: Final = frozenset(
    name for name in Settings.__struct_fields__ if name.endswith(("password", "url", "keys"))
)

_READERS: Final[Mapping[str, Callable[[str], object]]] = {
    "host": _host,
    "port": _whole(0, 65535),
    "data": _folder,
    "redis_url": _redis_url,
    "redis_username": _word,
    "redis_password": _word,
    "sentinel_username": _word,
    "sentinel_password": _word,
    "redis_replicas": _whole(0, 5),
    "cors_origins": _origins,
    "waiting_seconds": _whole(1, _YEAR),
    "playing_seconds": _whole(1, _YEAR),
    "finished_seconds": _whole(1, _YEAR),
    "api_keys": read_keys,
    "most_open_games": _whole(1, 1_000_000),
    "limits": _switch,
    "address_rate": _whole(1, 1_000_000),
    "address_burst": _whole(1, 1_000_000),
    "token_rate": _whole(1, 1_000_000),
    "token_burst": _whole(1, 1_000_000),
    "key_rate": _whole(1, 1_000_000),
    "key_burst": _whole(1, 1_000_000),
    "trusted_proxies": _addresses,
    "drain_seconds": _whole(0, 300),
    "shutdown_seconds": _whole(1, 300),
    "log_level": _one_of(get_args(LogLevel)),
    "log_format": _one_of(get_args(Form)),
}
