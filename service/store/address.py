"""Where the servers are, as an operator writes it.

redis://host:6379/0                          one server
unix:///run/valkey/socket                    one server on this machine
redis+sentinel://s1:26379,s2:26379/games/0   the server that the Sentinels call `games`, database 0
redis+cluster://n1:6379,n2:6379              a cluster, found by any of these nodes

`rediss` in place of `redis` is TLS; then `?ssl_ca_certs=FILE`, `ssl_certfile` and `ssl_keyfile` may
follow. A user and a password stand before the hosts as usual, or beside the URL, in Credentials.
"""

import re
from pathlib import Path
from typing import Any, Final, Literal
from urllib.parse import SplitResult, unquote, urlsplit

from msgspec import Struct
from redis.asyncio.connection import SSLConnection, parse_url

Kind = Literal["single", "sentinel", "cluster"]
Host = tuple[str, int]

SCHEMES: Final = (
    "redis", "rediss", "unix",
    "redis+sentinel", "rediss+sentinel", "redis+cluster", "rediss+cluster",
)  # fmt: skip

_PORTS: Final[dict[Kind, int]] = {"single": 6379, "sentinel": 26379, "cluster": 6379}

# Connection options that a URL may carry. Others would change what answers look like, or the
# waiting that Patience decides.
_OPTIONS: Final = frozenset(
    ("host", "port", "db", "path", "username", "password", "connection_class", "client_name")
)
_TLS_OPTIONS: Final = frozenset(
    ("ssl_ca_certs", "ssl_certfile", "ssl_keyfile", "ssl_check_hostname", "ssl_cert_reqs")
)


_FILES: Final = frozenset(("ssl_ca_certs", "ssl_certfile", "ssl_keyfile"))

# The library's own words might hold a piece of the password.
_UNREADABLE: Final = (
    "the URL of the store can't be read: a host, a port or an option in it is none. In a password "
    "characters such as / # @ are written %2F %23 %40; or set REFEREE_REDIS_PASSWORD instead"
)


class Credentials(Struct, frozen=True):
    """Users and passwords that are not to stand in a URL; each wins over the one in the URL."""

    username: str | None = None
    password: str | None = None
    sentinel_username: str | None = None
    """For the Sentinels themselves, which have users of their own."""
    sentinel_password: str | None = None


class Address(Struct, frozen=True):
    """Where the servers are; `options` are connection options of the client library."""

    kind: Kind
    hosts: tuple[Host, ...]
    options: dict[str, Any]
    service: str = ""
    """The name that Sentinels know the server by."""

    @property
    def has_tls(self) -> bool:
        """Whether the connections are encrypted."""
        return self.options.get("connection_class") is SSLConnection


def read_address(url: str, credentials: Credentials | None = None) -> Address:
    """The address in a URL. Raises ValueError, which does not repeat the URL: it may hold a
    password.
    """
    try:
        parts = urlsplit(url)
    except ValueError:
        raise ValueError(_UNREADABLE) from None
    if parts.scheme not in SCHEMES:
        raise ValueError(f"a URL of the store begins with one of {', '.join(SCHEMES)}")
    scheme, _, way = parts.scheme.partition("+")
    if scheme != "unix" and ("#" in url or url.count("@") > 1 or "@" in parts.path + parts.query):
        # A password with such characters in it, of which a part would be taken for a host.
        raise ValueError(_UNREADABLE)
    if way == "sentinel":
        address = _sentinel(scheme, parts)
    elif way == "cluster":
        address = _cluster(scheme, parts)
    else:
        if scheme != "unix" and not re.fullmatch(r"/?[0-9]*", parts.path):
            raise ValueError(_UNREADABLE)
        address = Address("single", (), _options(url))
    return _with(credentials or Credentials(), address)


def _sentinel(scheme: str, parts: SplitResult) -> Address:
    service, _, database = parts.path.removeprefix("/").partition("/")
    if not service:
        raise ValueError(
            "the URL of the store does not say what the Sentinels call the server: "
            "redis+sentinel://HOST:26379/NAME"
        )
    hosts, options = _hosts("sentinel", scheme, parts, database)
    return Address("sentinel", hosts, options, unquote(service))


def _cluster(scheme: str, parts: SplitResult) -> Address:
    hosts, options = _hosts("cluster", scheme, parts, parts.path.removeprefix("/"))
    if options.pop("db", 0):
        raise ValueError("the URL of the store names a database, and a cluster has only one")
    return Address("cluster", hosts, options)


def _hosts(
    kind: Kind, scheme: str, parts: SplitResult, database: str
) -> tuple[tuple[Host, ...], dict[str, Any]]:
    """The hosts of a list, and the options that all of them share."""
    if not re.fullmatch(r"[0-9]*", database):
        raise ValueError(_UNREADABLE)
    who, at, listed = parts.netloc.rpartition("@")
    read = [
        _options(f"{scheme}://{who}{at}{host}/{database}?{parts.query}")
        for host in listed.split(",")
    ]
    if not all(options.get("host") for options in read):
        raise ValueError("the URL of the store has a comma without a host before or behind it")
    hosts = tuple((each.pop("host"), each.pop("port", _PORTS[kind])) for each in read)
    return hosts, read[0]


def _options(url: str) -> dict[str, Any]:
    try:
        options: dict[str, Any] = dict(parse_url(url))
    except (ValueError, TypeError):
        raise ValueError(_UNREADABLE) from None
    known = _OPTIONS | _TLS_OPTIONS if "connection_class" in options else _OPTIONS
    if needing := sorted(options.keys() & _TLS_OPTIONS - known):
        raise ValueError(f"{', '.join(needing)} in the URL of the store needs rediss in its front")
    for name in _FILES & options.keys():
        if not Path(options[name]).is_file():
            raise ValueError(f"the file that {name} names in the URL of the store is not there")
    if unknown := options.keys() - known:
        raise ValueError(f"the URL of the store has unknown options: {', '.join(sorted(unknown))}")
    return options


def _with(credentials: Credentials, address: Address) -> Address:
    given = {"username": credentials.username, "password": credentials.password}
    options = address.options | {name: value for name, value in given.items() if value is not None}
    return Address(address.kind, address.hosts, options, address.service)
