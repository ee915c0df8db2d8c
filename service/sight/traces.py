"""Traces: which one a request belongs to, and whether this service takes part in them.

OpenTelemetry's own variables say whether and how: `OTEL_EXPORTER_OTLP_ENDPOINT` or
`OTEL_TRACES_EXPORTER=otlp` turns traces on, `OTEL_TRACES_SAMPLER` chooses among them. Its libraries
come with the extra `tracing`, and nobody else needs them.
"""

import re
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Final, Protocol

from service.package import PACKAGE
from service.sight.outcome import Outcome

UNTRACED: Final = frozenset(("/healthz", "/readyz", "/metrics"))
"""Paths that machines ask for every few seconds: the moves would drown in their traces."""

_TRACEPARENT: Final = re.compile(
    rb"(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(-.*)?"
)
_ENDPOINTS: Final = ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT")
_PROTOCOLS: Final = ("OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", "OTEL_EXPORTER_OTLP_PROTOCOL")
_EXPORTER: Final = "OTEL_TRACES_EXPORTER"


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


class TracingUnavailable(Exception):  # noqa: N818 - a condition, not a mistake
    """Traces are wanted and cannot be had; the message says what to do."""


def tracing_of(environ: Mapping[str, str]) -> Tracing | None:
    """What the environment asks for; None where it does not. Raises TracingUnavailable."""
    exporter = environ.get(_EXPORTER)
    wanted = exporter or next(filter(None, map(environ.get, _ENDPOINTS)), None)
    if not wanted or exporter == "none" or environ.get("OTEL_SDK_DISABLED", "").lower() == "true":
        return None
    protocol = next(filter(None, map(environ.get, _PROTOCOLS)), "http/protobuf")
    if exporter not in (None, "", "otlp"):
        raise TracingUnavailable(f"{_EXPORTER} must be otlp or none, not {exporter!r}")
    if protocol != "http/protobuf":
        raise TracingUnavailable(f"{_PROTOCOLS[1]} must be http/protobuf, not {protocol!r}")
    try:
        from service.sight.opentelemetry import OpenTelemetry
    except ImportError as error:
        raise TracingUnavailable(
            f"they need the extra of that name: pip install '{PACKAGE}[tracing]' ({error})"
        ) from error
    return OpenTelemetry()


def trace_id_of(traceparent: bytes | None) -> str | None:
    """The trace of a W3C `traceparent` header; None where it has none that is valid."""
    found = _TRACEPARENT.fullmatch(traceparent or b"")
    if found is None or (found[2] and traceparent and traceparent.startswith(b"00")):
        return None
    return found[1].decode()
