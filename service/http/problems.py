"""Problems: every refusal and failure that the service answers with, and how each is told.

A step of a request that cannot go on raises ``Problem``; nothing else decides what a refusal looks
like. ``problem_response`` turns every exception that reaches the edge of the app into the one shape
of RFC 9457, ``application/problem+json``.
"""

import logging
from collections.abc import Mapping
from typing import Any, Final

import msgspec
from litestar import Request, Response
from litestar.exceptions import HTTPException
from litestar.types import ExceptionHandlersMap

from service.store.protocol import StoreUnavailable
from service.wire.kinds import KINDS, ProblemName

log = logging.getLogger(__name__)

MEDIA_TYPE: Final = "application/problem+json"

# Long enough for a fail-over to begin, short enough that a player hardly notices.
RETRY_AFTER_SECONDS: Final = 2

# Statuses that Litestar itself answers with, and the two of the door that share a name.
_NAMES: Final[Mapping[int, ProblemName]] = {
    **{
        kind.status: name
        for name, kind in KINDS.items()
        if kind.status not in (409, 422)  # these have several names, and only routes raise them
    },
    414: "too_large",
    431: "too_large",
}


class Fault(msgspec.Struct, frozen=True):
    """One place of a body that is wrong: an RFC 6901 pointer to it, and what is wrong there."""

    pointer: str
    detail: str


class Problem(Exception):  # noqa: N818 - the word of RFC 9457, and of the contract
    """A request that ends here. Raise it from anywhere below a route.

    ``detail`` is for the caller of this request; ``members`` are the extra members of the problem
    (``violation``, ``rules``, ``links``, ``action``, ``cards``, ``ply``, ``alternatives``,
    ``errors``); ``headers`` go with the answer. ``status`` is only given where one name has
    several (``too_large`` is 413, 414 or 431).
    """

    def __init__(
        self,
        name: ProblemName,
        detail: str,
        *,
        status: int | None = None,
        headers: Mapping[str, str] | None = None,
        **members: object,
    ) -> None:
        super().__init__(f"{name}: {detail}")
        self.name: ProblemName = name
        self.detail = detail
        self.status = KINDS[name].status if status is None else status
        self.headers: dict[str, str] = {**_usual_headers(name), **(headers or {})}
        self.members: dict[str, object] = members
        if name in ("malformed", "contradiction") and "errors" not in members:
            self.members["errors"] = [Fault(pointer="", detail=detail)]

    def body(self, request_id: str) -> bytes:
        """The JSON text of this problem; ``instance`` is the id of the request."""
        return msgspec.json.encode(
            {
                "type": f"/problems/{self.name}",
                "title": KINDS[self.name].title,
                "status": self.status,
                "detail": self.detail,
                "instance": request_id,
                **self.members,
            }
        )


def _usual_headers(name: ProblemName) -> dict[str, str]:
    # Without this, RFC 9111 lets a shared cache keep a 404, a 405 or a 414 as it likes.
    headers = {"Cache-Control": "no-store"}
    if name == "unauthorized":
        headers["WWW-Authenticate"] = "Bearer"
    if name == "unavailable":
        headers["Retry-After"] = str(RETRY_AFTER_SECONDS)
    return headers


def stopping() -> Problem:
    """The problem of whoever comes, or waits, while the service stops."""
    return Problem("unavailable", "The service is stopping; try again shortly.")


def problem_of(error: Exception) -> Problem:
    """The problem that an exception stands for. An exception nobody foresaw is ``internal``.

    The texts of foreign exceptions are never told: they may hold what the caller must not see.
    """
    match error:
        case Problem():
            return error
        case StoreUnavailable():
            return Problem("unavailable", "The store of games does not answer; try again shortly.")
        case HTTPException(status_code=status) if status in _NAMES and status < 500:
            name = _NAMES[status]
            return Problem(
                name, f"{KINDS[name].title}.", status=status, headers=_foreign_headers(error)
            )
        case _:
            return Problem("internal", "The service failed; its log names the cause.")


def _foreign_headers(error: HTTPException) -> dict[str, str]:
    allow = (error.headers or {}).get("allow")
    return {} if allow is None else {"Allow": allow}


def note(problem: Problem, error: Exception) -> None:
    """Log what the operator has to know: failures of ours with their cause, and nothing else."""
    if problem.name == "internal":
        log.error("unhandled error", exc_info=error)
    elif isinstance(error, StoreUnavailable):
        log.error("the store does not do its part: %s", error)


def problem_response(request: Request[Any, Any, Any], error: Exception) -> Response[bytes]:
    """Litestar's way out for every exception."""
    problem = problem_of(error)
    note(problem, error)
    # The door tells of it, once the answer is out.
    request.scope["state"]["problem"] = problem
    return Response(
        content=problem.body(request.scope["state"]["request_id"]),
        status_code=problem.status,
        media_type=MEDIA_TYPE,
        headers=problem.headers,
    )


EXCEPTION_HANDLERS: Final[ExceptionHandlersMap] = {Exception: problem_response}
