"""Traces by OpenTelemetry, sent as OTLP over HTTP.

Spans are made here, and not by OpenTelemetry's packages for ASGI and Redis: those write down whole
paths, queries and commands, and are called beta. A span here lists what it may say: templates,
words of the contract, names of scripts. The path that its conventions ask for is left out, because
ids stand in it.
"""

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.metadata import version
from typing import Final

from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.propagate import extract
from opentelemetry.sdk.resources import OTELResourceDetector, Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.trace import (
    INVALID_SPAN,
    Span,
    SpanKind,
    StatusCode,
    format_trace_id,
    get_current_span,
)

from service.package import PACKAGE
from service.sight.outcome import Outcome
from service.store.protocol import StoreUnavailable

_CLOSES_WITHIN: Final = 1.0
"""Seconds. A collector that is away must not hold up the end of a service."""


class OpenTelemetry:
    """See Tracing. Read from the OTEL_ variables: where to, how often, which of the traces."""

    def __init__(self) -> None:
        ours = {"service.name": PACKAGE, "service.version": version(PACKAGE)}
        named = OTELResourceDetector().detect().attributes
        self._provider = TracerProvider(
            resource=Resource.create({**ours, **named}),
            shutdown_on_exit=False,  # `close` does that, and bounds it
        )
        self._provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
        self._tracer = self._provider.get_tracer(PACKAGE, version(PACKAGE))

    @contextmanager
    def request(
        self, method: str, headers: Sequence[tuple[bytes, bytes]]
    ) -> Iterator["RequestSpan"]:
        """See Tracing.request."""
        with self._tracer.start_as_current_span(
            method,
            context=extract(_carrier(headers)),
            kind=SpanKind.SERVER,
            # The texts of exceptions may hold what nobody should read.
            record_exception=False,
            set_status_on_exception=False,
        ) as span:
            yield RequestSpan(span)

    @contextmanager
    def trip(self, script: str) -> Iterator[None]:
        """See Tracing.trip."""
        if get_current_span() is INVALID_SPAN:
            yield
            return
        with self._tracer.start_as_current_span(
            f"store {script}",
            kind=SpanKind.CLIENT,
            attributes={"db.system.name": "redis", "db.stored_procedure.name": script},
            record_exception=False,
            set_status_on_exception=False,
        ) as span:
            try:
                yield
            except StoreUnavailable as error:
                span.set_status(StatusCode.ERROR)
                span.set_attribute("error.type", type(error).__name__)
                raise

    def close(self) -> None:
        """See Tracing.close."""
        # A thread that nobody waits for: the library itself would wait for half a minute.
        closing = threading.Thread(target=self._provider.shutdown, daemon=True)
        closing.start()
        closing.join(_CLOSES_WITHIN)


class RequestSpan:
    """See service.sight.traces.Span."""

    def __init__(self, span: Span) -> None:
        self._span = span
        self.trace_id: Final = format_trace_id(span.get_span_context().trace_id)

    def answered(self, outcome: Outcome) -> None:
        """See service.sight.traces.Span."""
        span = self._span
        span.set_attribute("http.request.method", outcome.method)
        if outcome.route:
            span.update_name(f"{outcome.method} {outcome.route}")
            span.set_attribute("http.route", outcome.route)
        if outcome.status:
            span.set_attribute("http.response.status_code", outcome.status)
        if outcome.problem:
            span.set_attribute("referee.problem", outcome.problem)
        if outcome.violation:
            span.set_attribute("referee.violation", outcome.violation)
        if outcome.status >= 500:
            span.set_status(StatusCode.ERROR)
            span.set_attribute("error.type", outcome.problem or str(outcome.status))


def _carrier(headers: Sequence[tuple[bytes, bytes]]) -> dict[str, str]:
    """Headers as a propagator reads them; one that stands twice becomes a list, as in HTTP."""
    carrier: dict[str, str] = {}
    for name, value in headers:
        key, text = name.decode("latin-1"), value.decode("latin-1")
        carrier[key] = f"{carrier[key]},{text}" if key in carrier else text
    return carrier
