"""Reading: the body of a request in, a value of a declared type out, or a ``Problem``."""

import re
from typing import Any, Final, TypeVar

from litestar import Request

from service.http.problems import Problem
from service.http.strict_json import parse

T = TypeVar("T")

# A move holds at most 32 actions of at most 56 cards: about 12 KB with generous white space.
MOVE_BYTES: Final = 16 * 1024

_JSON: Final = re.compile(
    r'application/json[ \t]*(?:;[ \t]*charset[ \t]*=[ \t]*(?:utf-8|"utf-8")[ \t]*)?;?',
    re.IGNORECASE,
)


async def read_body(request: Request[Any, Any, Any], limit: int = MOVE_BYTES) -> bytes:
    """The raw bytes of a JSON request, at most ``limit`` of them.

    Raises ``unsupported_media_type`` unless it is declared to be plain ``application/json``, and
    ``too_large`` as soon as one byte too many is announced or has come: never is more kept.
    """
    _check_media_type(request)
    announced = request.headers.get("content-length", "")
    if announced.isdecimal() and int(announced[:20]) > limit:
        raise _too_large(limit)
    body = bytearray()
    while True:
        message = await request.receive()
        if message["type"] != "http.request":
            raise Problem("malformed", "The body was cut off.")
        body += message.get("body", b"")
        if len(body) > limit:
            raise _too_large(limit)
        if not message.get("more_body", False):
            return bytes(body)


def _check_media_type(request: Request[Any, Any, Any]) -> None:
    if not is_json(request):
        raise Problem("unsupported_media_type", "The Content-Type must be application/json, UTF-8.")
    refuse_coding(request)


def is_json(request: Request[Any, Any, Any]) -> bool:
    """Whether the body is declared to be plain JSON."""
    types = request.headers.getall("content-type", [])
    return len(types) == 1 and _JSON.fullmatch(types[0].strip()) is not None


def refuse_coding(request: Request[Any, Any, Any]) -> None:
    """Raise ``unsupported_media_type`` for a body that is compressed."""
    codings = request.headers.getall("content-encoding", [])
    if any(coding.strip().lower() != "identity" for coding in codings):
        raise Problem("unsupported_media_type", "The Content-Encoding must be identity or absent.")


def _too_large(limit: int) -> Problem:
    return Problem("too_large", f"The body may hold at most {limit} bytes.")


async def read_json(request: Request[Any, Any, Any], wanted: type[T], limit: int = MOVE_BYTES) -> T:
    """The body of a request as the type it must have: ``parse(await read_body(...))``."""
    return parse(await read_body(request, limit), wanted)
