"""URLs as people write them."""


def without_user(url: str) -> str:
    """The URL as it may be shown: without user and password.

    It need not be one that can be read: where a password has a `/` or a `#` that should have been
    written `%2F` or `%23`, none of it is left either.
    """
    scheme, mark, rest = url.partition("://")
    return scheme + mark + rest.rpartition("@")[2] if mark else url.rpartition("@")[2]
