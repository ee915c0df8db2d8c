"""Traces: which one a request belongs to, and who takes part in them."""

import re
from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import Final, Protocol

from service.sight.outcome import Outcome

UNTRACED: Final = frozenset(("/healthz", "/readyz", "/metrics"))
"""Paths that machines ask for every few seconds: the moves would drown in their traces."""

_TRACEPARENT: Final = re.compile(
    rb"(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(-.*)?"
)


class Span(Protocol):
    """The part of a trace that one request is."""

    @property
    def trace_id(self) -> str:
        """Of the whole trace: 32 hex digits."""
        ...

    def answered(self, outcome: Outcome) -> None:
        """The request has been answered."""
        ...


class Tracing(Protocol):
    """Takes part in traces."""

    def request(
        self, method: str, headers: Sequence[tuple[bytes, bytes]]
    ) -> AbstractContextManager[Span]:
        """Around one request, in the trace that its headers name or else in a new one."""
        ...

    def trip(self, script: str) -> AbstractContextManager[None]:
        """See Witness.trip. What belongs to no request is in no trace."""
        ...

    def close(self) -> None:
        """Send what is left, for a second at most. Nothing is traced afterwards."""
        ...


def trace_id_of(traceparent: bytes | None) -> str | None:
    """The trace of a W3C `traceparent` header; None where it has none that is valid."""
    found = _TRACEPARENT.fullmatch(traceparent or b"")
    if found is None or (found[2] and traceparent and traceparent.startswith(b"00")):
        return None
    return found[1].decode()
