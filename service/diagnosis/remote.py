"""A service elsewhere, by the URL that somebody has written."""

from typing import Final

import httpx
from msgspec import Struct

from service.url import without_user

TROUBLE: Final = (httpx.HTTPError, httpx.InvalidURL, ValueError)
"""What asking a service may raise: that of the library, and of names that no name server knows."""


class Remote(Struct, frozen=True):
    """Where a service is; user and password stand apart, so that no error can repeat them."""

    url: str
    auth: tuple[str, str] | None = None


def read_remote(url: str) -> Remote:
    """The service at a URL. Raises ValueError, which does not repeat user and password."""
    bare = without_user(url)
    try:
        read, at = httpx.URL(url), httpx.URL(bare)
    except httpx.InvalidURL:
        # The library's own words might hold a piece of the password.
        raise ValueError(_unreadable(url)) from None
    # Of `http://me:80/80@host` it would ask a host called `me`.
    if read.scheme not in ("http", "https") or not at.host or read.netloc != at.netloc:
        raise ValueError(_unreadable(url))
    return Remote(bare, (read.username, read.password) if read.userinfo else None)


def _unreadable(url: str) -> str:
    told = f"{without_user(url)} is no URL of a service, such as http://127.0.0.1:8080"
    hint = "; in a password characters such as / # @ are written %2F %23 %40"
    return told + hint if "@" in url else told


def why(error: Exception) -> str:
    """What went wrong, in one line."""
    if isinstance(error, httpx.HTTPStatusError):
        return f"it answers {error.response.status_code}"
    return str(error) or type(error).__name__
