"""Preconditions: the headers that tie a request to one ply of a game."""

import re
from typing import Any, Final

from litestar import Request

from service.http.problems import Problem

# A game of fifty deals has fewer than 10^6 plies; nine digits leave no doubt about the range.
_PLY: Final = re.compile(r'"(0|[1-9][0-9]{0,8})"')
_KEY: Final = re.compile(r"[\x20-\x7e]{16,128}")
_ENTITY_TAG: Final = re.compile(r'(?:W/)?("[\x21\x23-\x7e\x80-\xff]*")')


def if_match(request: Request[Any, Any, Any]) -> int | None:
    """The ply that ``If-Match`` names; None if the header is absent or ``*``.

    Raises ``malformed`` for every other form: a list, a weak tag, a bare number.
    """
    values = request.headers.getall("if-match", [])
    if not values or values == ["*"]:
        return None
    ply = _PLY.fullmatch(values[0])
    if len(values) > 1 or ply is None:
        raise Problem("malformed", 'If-Match must be * or one ply in quotes, such as "41".')
    return int(ply[1])


def idempotency_key(request: Request[Any, Any, Any]) -> str | None:
    """The key that makes a request safe to send again; None if there is none.

    Raises ``malformed`` unless it is 16 to 128 printable ASCII characters.
    """
    values = request.headers.getall("idempotency-key", [])
    if not values:
        return None
    if len(values) > 1 or not _KEY.fullmatch(values[0]):
        raise Problem("malformed", "Idempotency-Key must be 16 to 128 printable characters.")
    return str(values[0])


def etag(ply: int) -> str:
    """The entity tag of a game at a ply, the same for every viewer."""
    return f'"{ply}"'


def is_known(request: Request[Any, Any, Any], tag: str) -> bool:
    """Whether ``If-None-Match`` names this entity tag, so that the answer is 304.

    Compared weakly, as RFC 9110 has it for this header: a list, ``W/`` and ``*`` are understood,
    and what is none of these matches nothing.
    """
    sent = ",".join(request.headers.getall("if-none-match", []))
    return sent.strip() == "*" or tag in _ENTITY_TAG.findall(sent)
