"""Judging whole records: one document, or a stream of them, one a line."""

from collections.abc import AsyncIterator
from typing import Any, Final

import msgspec
from litestar import Request, Response, post
from litestar.types import Receive, Scope, Send

from service.access.auth import read_badge
from service.http.ndjson import LONGEST_LINE, Line, answered, lines_of
from service.http.problems import Problem
from service.http.query import read_query
from service.http.reading import is_json, read_body, refuse_coding
from service.wording.verdicts import too_long, verdict_of, verdict_of_line

NDJSON: Final = "application/x-ndjson"


class Streamed(Response[None]):
    """An answer that is given while the request is still being read.

    Litestar's own stream listens for the end of the connection, and so takes away what is to be
    read.
    """

    def __init__(self, chunks: AsyncIterator[bytes]) -> None:
        super().__init__(None)
        self._chunks = chunks

    def to_asgi_response(self, *_: Any, **__: Any) -> Any:
        """The app that sends the answer as it comes."""
        return self._send

    async def _send(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = [(b"content-type", NDJSON.encode())]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        async for chunk in self._chunks:
            await send({"type": "http.response.body", "body": chunk, "more_body": True})
        await send({"type": "http.response.body", "body": b"", "more_body": False})


@post("/v1/records/verify", status_code=200, opt={"offers": ("application/json", NDJSON)})
async def verify_records(request: Request[Any, Any, Any]) -> Response[Any]:
    """The verdict on a record, or a line of verdict for each line of a stream."""
    read_query(request)
    if _is_stream(request):
        refuse_coding(request)
        read_badge(request)
        return Streamed(answered(lines_of(_chunks(request)), _verdict_line))
    body = await read_body(request, LONGEST_LINE)
    read_badge(request)
    return Response(verdict_of(body))


def _is_stream(request: Request[Any, Any, Any]) -> bool:
    types = request.headers.getall("content-type", [])
    if len(types) == 1 and types[0].partition(";")[0].strip().lower() == NDJSON:
        return True
    if not is_json(request):
        raise Problem(
            "unsupported_media_type",
            f"The Content-Type must be application/json for one record or {NDJSON} for many.",
        )
    return False


def _verdict_line(line: Line, number: int) -> bytes:
    verdict = too_long(number) if line is None else verdict_of_line(line, number)
    return msgspec.json.encode(verdict) + b"\n"


async def _chunks(request: Request[Any, Any, Any]) -> AsyncIterator[bytes]:
    """The body as it comes; it ends where the caller goes away."""
    while True:
        message = await request.receive()
        if message["type"] != "http.request":
            return
        yield message.get("body", b"")
        if not message.get("more_body", False):
            return
