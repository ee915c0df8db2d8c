"""What a caller accepts, and which of the media types on offer it gets.

Not Litestar's own: that one takes a type with ``q=0``, which is refused, for accepted.
"""

from collections.abc import Iterable, Sequence
from typing import Any, Final, NamedTuple

from litestar.connection import ASGIConnection
from litestar.handlers import BaseRouteHandler

from service.http import problems
from service.http.problems import Problem

JSON: Final = "application/json"


class _Range(NamedTuple):
    kind: str
    subtype: str
    quality: float

    def precision(self, offer: str) -> int:
        """How exactly this range names an offer: 3 by its full name, 0 not at all."""
        kind, _, subtype = offer.partition("/")
        if (self.kind, self.subtype) == (kind, subtype):
            return 3
        if self.subtype == "*" and self.kind in (kind, "*"):
            return 2 if self.kind == kind else 1
        return 0


def best(accept: str, offers: Sequence[str]) -> str | None:
    """The offer that an Accept header likes best, the first of equals; None if it admits none.

    A header that names nothing readable admits everything, as an absent one does.
    """
    ranges = list(_ranges(accept.lower()))
    if not ranges:
        return offers[0]
    liked = max(offers, key=lambda offer: _quality(ranges, offer))
    return liked if _quality(ranges, liked) > 0 else None


def _ranges(accept: str) -> Iterable[_Range]:
    for element in accept.split(","):
        name, *parameters = (part.strip() for part in element.split(";"))
        kind, slash, subtype = name.partition("/")
        if not (kind and slash and subtype):
            continue
        qualities = [text[2:].strip() for text in parameters if text.startswith("q=")]
        yield _Range(kind, subtype, _number(qualities[0]) if qualities else 1.0)


def _number(quality: str) -> float:
    # Anything but the three decimals of RFC 9110 is taken for "yes": a slip is no refusal.
    try:
        return min(1.0, max(0.0, float(quality)))
    except ValueError:
        return 1.0


def _quality(ranges: Iterable[_Range], offer: str) -> float:
    closest = max(ranges, key=lambda each: each.precision(offer))
    return closest.quality if closest.precision(offer) else 0.0


def _names(accept: str, offer: str) -> bool:
    return any(each.precision(offer) == 3 and each.quality > 0 for each in _ranges(accept.lower()))


def accept_of(connection: ASGIConnection[Any, Any, Any, Any]) -> str:
    """The Accept header of a request, its lines joined; empty if absent."""
    return ",".join(connection.headers.getall("accept", []))


async def acceptable(
    connection: ASGIConnection[Any, Any, Any, Any], handler: BaseRouteHandler
) -> None:
    """Litestar guard of all routes: ``not_acceptable`` if the caller can use no answer of this one.

    A route tells what it can give as ``opt={"offers": (…)}``; without that it gives JSON, and who
    accepts problems by name is let in too: generated clients do so where success has no body.
    It waits for nothing, but a guard that is no coroutine runs in a thread of its own, every time.
    """
    offers = handler.opt.get("offers", (JSON,))
    accept = accept_of(connection)
    if best(accept, offers) is None and not _names(accept, problems.MEDIA_TYPE):
        raise Problem("not_acceptable", f"This resource is given as {' or '.join(offers)}.")
