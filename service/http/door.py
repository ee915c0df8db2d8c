"""The door: what every request passes before a route sees it, and every answer on its way out.

It gives the request an id, turns away what is too long or has no canonical path, answers HEAD as
GET without the body, adds the CORS headers, and sees to it that each request is counted, logged
and, where that is wanted, traced: once. When the service stops, it sends everybody away after their
answer.
"""

import asyncio
import re
import secrets
import time
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, cast

from litestar import Litestar
from litestar.routes import HTTPRoute
from litestar.types import ASGIApp, HTTPResponseStartEvent, HTTPScope, Message, Receive, Scope, Send

from service.http import problems
from service.http.cors import Cors, Headers
from service.http.problems import Problem
from service.logs import bind, unbind
from service.sight.outcome import Outcome, method_of
from service.sight.sight import Sight
from service.sight.traces import UNTRACED, Tracing, trace_id_of

# Every URL of the contract is below 200 bytes, so 8 KB is generous; RFC 9110 asks for 8,000.
TARGET_BYTES: Final = 8 * 1024
# The sum of names and values. Browsers send 1 to 2 KB; common proxies stop at 8 to 16 KB.
HEADER_BYTES: Final = 16 * 1024

_REQUEST_ID: Final = re.compile(rb"[A-Za-z0-9._-]{1,64}")
# One spelling for each resource: RFC 3986's unreserved characters, no empty or dotted segment.
_PATH: Final = re.compile(rb"/|(?:/(?!\.{1,2}(?:/|\Z))[A-Za-z0-9._~-]+)+")


class Door:
    """The whole app as the server calls it: ``litestar`` behind the door."""

    def __init__(
        self, litestar: Litestar, cors_origins: Sequence[str] = (), sight: Sight | None = None
    ) -> None:
        self.litestar = litestar
        self.app: ASGIApp = litestar
        self._cors = Cors(cors_origins)
        self.stopping: Final = asyncio.Event()
        """Set once the service was told to stop: whatever waits for long ends then."""
        self._sight = sight or Sight()
        # Litestar's answer to OPTIONS leaves out the methods of all but one route function.
        self._methods = {
            route.path_format: route.methods
            for route in litestar.routes
            if isinstance(route, HTTPRoute)
        }

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection."""
        kind: str = scope["type"]
        if kind == "http":
            passage = Passage(
                cast(HTTPScope, scope), send, self._cors, self._methods, self.stopping, self._sight
            )
            await passage.serve(self.app, receive)
        elif kind == "websocket":
            await send({"type": "websocket.close", "code": 1003, "reason": "HTTP only"})
        else:
            await self.app(scope, receive, send)


class Passage:
    """One request on its way through the door."""

    def __init__(
        self,
        scope: HTTPScope,
        send: Send,
        cors: Cors,
        methods: Mapping[str, Iterable[str]],
        stopping: asyncio.Event,
        sight: Sight,
    ) -> None:
        self._method: str = scope["method"]
        self._headers: Headers = list(scope["headers"])
        # The server keeps its own scope, and with it the method that was really sent.
        self._scope: dict[str, Any] = dict(scope)
        self._send = send
        self._cors = cors
        self._methods = methods
        self._stopping = stopping
        self._sight = sight
        self._id = self._request_id()
        self._scope["state"] = {**(scope.get("state") or {}), "request_id": self._id}
        self._status = 0
        self._started = time.perf_counter()

    async def serve(self, app: ASGIApp, receive: Receive) -> None:
        """Answer the request, here or by the app, and tell of it. Raises nothing."""
        tracing = self._sight.tracing
        if tracing is None or self._scope["path"] in UNTRACED:
            await self._serve(app, receive, trace_id_of(self._header(b"traceparent")))
        else:
            await self._serve_traced(app, receive, tracing)

    async def _serve_traced(self, app: ASGIApp, receive: Receive, tracing: Tracing) -> None:
        with tracing.request(method_of(self._method), self._headers) as span:
            span.answered(await self._serve(app, receive, span.trace_id))

    async def _serve(self, app: ASGIApp, receive: Receive, trace_id: str | None) -> Outcome:
        marks = {"request": self._id} | ({} if trace_id is None else {"trace_id": trace_id})
        bound = bind(**marks)
        try:
            await self._answered(app, receive)
        except Problem as problem:
            await self._answer(problem)
        except asyncio.CancelledError:
            # The server does this, when it stops and the request has had its time.
            if not self._stopping.is_set():
                raise
            if not self._status:
                await self._answer(problems.stopping())
        except Exception as error:
            failure = problems.problem_of(RuntimeError())
            problems.note(failure, error)
            if not self._status:
                await self._answer(failure)
        finally:
            outcome = self._outcome()
            self._sight.answered(outcome, self._method, self._scope["path"], marks)
            unbind(**bound)
        return outcome

    async def _answered(self, app: ASGIApp, receive: Receive) -> None:
        self._check_limits()
        self._check_path()
        if self._is_preflight():
            headers = self._cors.preflight(self._header(b"origin"))
            await self._pass({"type": "http.response.start", "status": 204, "headers": headers})
            await self._pass({"type": "http.response.body", "body": b"", "more_body": False})
            return
        if self._method == "HEAD":
            self._scope["method"] = "GET"
        # The scope is the plain dict of the server, kept so that the server keeps its own.
        await app(self._scope, receive, self._pass)  # type: ignore[arg-type]

    def _check_limits(self) -> None:
        if len(self._target()) + 1 + len(self._scope["query_string"]) > TARGET_BYTES:
            raise Problem(
                "too_large", f"The target may hold at most {TARGET_BYTES} bytes.", status=414
            )
        if sum(len(name) + len(value) for name, value in self._headers) > HEADER_BYTES:
            raise Problem(
                "too_large", f"The headers may hold at most {HEADER_BYTES} bytes.", status=431
            )

    def _check_path(self) -> None:
        if not _PATH.fullmatch(self._target()):
            raise Problem("not_found", "No resource has a path of that form.")

    def _target(self) -> bytes:
        raw = self._scope.get("raw_path")
        return raw if isinstance(raw, bytes) else self._scope["path"].encode()

    def _is_preflight(self) -> bool:
        asks = self._header(b"access-control-request-method") is not None
        return self._cors.enabled and self._method == "OPTIONS" and asks

    def _header(self, wanted: bytes) -> bytes | None:
        """The value of a header; None if it is absent or stands more than once."""
        values = [value for name, value in self._headers if name == wanted]
        return values[0] if len(values) == 1 else None

    def _request_id(self) -> str:
        sent = self._header(b"x-request-id")
        if sent is not None and _REQUEST_ID.fullmatch(sent):
            return sent.decode()
        return secrets.token_hex(8)

    async def _pass(self, message: Message) -> None:
        """Let one message of the answer out."""
        if message["type"] == "http.response.start":
            self._status = message["status"]
            message["headers"] = self._outgoing(message)
        elif message["type"] == "http.response.body" and self._method == "HEAD":
            message["body"] = b""
        await self._send(message)

    def _outgoing(self, start: HTTPResponseStartEvent) -> Headers:
        return [
            *(each if each[0] != b"allow" else self._allow(each[1]) for each in start["headers"]),
            (b"x-request-id", self._id.encode()),
            *self._limit_headers(start["headers"]),
            *self._cors.answer(self._header(b"origin")),
            # So that the next request goes elsewhere, and no connection is closed upon one.
            *([(b"connection", b"close")] if self._stopping.is_set() else []),
        ]

    def _limit_headers(self, told: Iterable[tuple[bytes, bytes]]) -> Headers:
        """How the caller stands with its rate limit, unless the answer says so itself."""
        headers = self._scope["state"].get("limit_headers", {})
        names = {name.lower() for name, _ in told}
        pairs = [(name.lower().encode(), value.encode()) for name, value in headers.items()]
        return [(name, value) for name, value in pairs if name not in names]

    def _allow(self, told: bytes) -> tuple[bytes, bytes]:
        """The header Allow: HEAD works wherever GET does."""
        methods = {method.strip().decode() for method in told.split(b",")}
        methods |= set(self._methods.get(self._scope.get("path_template", ""), ()))
        methods |= {"HEAD"} if "GET" in methods else set()
        return b"allow", ", ".join(sorted(methods)).encode()

    async def _answer(self, problem: Problem) -> None:
        self._scope["state"]["problem"] = problem
        body = problem.body(self._id)
        headers = [
            (b"content-type", problems.MEDIA_TYPE.encode()),
            (b"content-length", str(len(body)).encode()),
            *((name.lower().encode(), value.encode()) for name, value in problem.headers.items()),
        ]
        await self._pass(
            {"type": "http.response.start", "status": problem.status, "headers": headers}
        )
        await self._pass({"type": "http.response.body", "body": body, "more_body": False})

    def _outcome(self) -> Outcome:
        problem: Problem | None = self._scope["state"].get("problem")
        violation = problem.members.get("violation") if problem else None
        return Outcome(
            method_of(self._method),
            self._scope.get("path_template"),
            self._status,
            time.perf_counter() - self._started,
            problem.name if problem else None,
            str(violation) if violation else None,
        )
