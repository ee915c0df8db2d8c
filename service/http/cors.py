"""CORS: which web pages may call the service from a browser, and what they may see of an answer.

Not Litestar's own: that one overwrites ``Vary``, which has to keep the viewers of a game apart,
and it leaves out the answers that the door gives.
"""

from collections.abc import Sequence
from typing import Final

Headers = list[tuple[bytes, bytes]]

EXPOSED: Final = (
    b"ETag, Location, Link, Retry-After, RateLimit, RateLimit-Policy, WWW-Authenticate,"
    b" X-Request-Id"
)
METHODS: Final = b"GET, HEAD, POST, DELETE"
REQUEST_HEADERS: Final = (
    b"Authorization, Content-Type, If-Match, If-None-Match, Idempotency-Key, Last-Event-ID,"
    b" X-Request-Id"
)
# Ten minutes: a changed setting arrives soon, and a game asks once.
MAX_AGE_SECONDS: Final = b"600"


class Cors:
    """The origins that may call: exact ones such as ``https://cards.example``, or ``*`` for all.

    Cookies play no part here (tokens travel in ``Authorization``), so credentials are not allowed.
    """

    def __init__(self, origins: Sequence[str]) -> None:
        self._origins = frozenset(origin.encode() for origin in origins)

    @property
    def enabled(self) -> bool:
        """Whether any page may call at all."""
        return bool(self._origins)

    def answer(self, origin: bytes | None) -> Headers:
        """The headers for the answer to a request from ``origin``, whatever the answer is."""
        allowed = self._allowed(origin)
        return [*allowed, (b"access-control-expose-headers", EXPOSED)] if allowed else self._vary()

    def preflight(self, origin: bytes | None) -> Headers:
        """The headers that the answer to a preflight request has besides."""
        if not self._allowed(origin):
            return []
        return [
            (b"access-control-allow-methods", METHODS),
            (b"access-control-allow-headers", REQUEST_HEADERS),
            (b"access-control-max-age", MAX_AGE_SECONDS),
        ]

    def _allowed(self, origin: bytes | None) -> Headers:
        if origin is not None and b"*" in self._origins:
            return [(b"access-control-allow-origin", b"*")]
        if origin in self._origins:
            return [(b"access-control-allow-origin", origin), *self._vary()]
        return []

    def _vary(self) -> Headers:
        """Caches must know that the answer depends on the origin, where it does."""
        exact = self._origins and b"*" not in self._origins
        return [(b"vary", b"Origin")] if exact else []
