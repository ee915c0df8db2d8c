"""Answers about a game: their headers, and when there is nothing new to say."""

from collections.abc import Callable
from typing import Any, Final

from litestar import Request, Response

from service.http.accept import JSON, accept_of, best
from service.http.preconditions import etag, is_known
from service.web import pages
from service.wire.rule import ProblemPage, Rule, Rules

# Every viewer has his own view of the same ply, so no cache may give one's to another.
OWN_VIEW: Final = {"Vary": "Authorization", "Cache-Control": "private, no-cache"}

# What is read up is the same for everybody, and changes with a release at most.
FOR_ALL: Final = {"Vary": "Accept", "Cache-Control": "public, max-age=3600"}

HTML: Final = "text/html"
JSON_OR_HTML: Final = (JSON, HTML)


def own_view(body: object, ply: int | None = None, status: int = 200) -> Response[Any]:
    """An answer for this caller alone; with a ply, the version of the game that it shows."""
    headers = OWN_VIEW if ply is None else OWN_VIEW | {"ETag": etag(ply)}
    return Response(content=body, status_code=status, headers=headers)


def paged(body: object, following: str | None) -> Response[Any]:
    """A page for this caller alone, and the link to the following one, if there is one."""
    answer = own_view(body)
    if following is not None:
        answer.headers["Link"] = f'<{following}>; rel="next"'
    return answer


def unless_known(
    request: Request[Any, Any, Any], ply: int, body: Callable[[], object]
) -> Response[Any]:
    """The answer at this ply, or 304 where the caller has it already."""
    if is_known(request, etag(ply)):
        return Response(content=None, status_code=304, headers=OWN_VIEW | {"ETag": etag(ply)})
    return own_view(body(), ply)


def for_reading(request: Request[Any, Any, Any], body: Rules | Rule | ProblemPage) -> Response[Any]:
    """Something to read up: a page for who likes HTML best, as browsers do, else JSON."""
    if best(accept_of(request), JSON_OR_HTML) == HTML:
        headers = FOR_ALL | {"Content-Security-Policy": pages.POLICY}
        return Response(content=pages.page(body), media_type=HTML, headers=headers)
    return Response(content=body, media_type=JSON, headers=FOR_ALL)
