"""A real OTLP collector, as small as can be: it takes spans over HTTP and keeps them."""

import gzip
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import (
    ExportTraceServiceRequest,
    ExportTraceServiceResponse,
)
from opentelemetry.proto.trace.v1.trace_pb2 import ResourceSpans, Span


class Collector:
    """What was exported to `url` up to now."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.paths: list[str] = []
        self.exported: list[ResourceSpans] = []

    @property
    def spans(self) -> list[Span]:
        return [span for one in self.exported for part in one.scope_spans for span in part.spans]

    def named(self, name: str) -> Span:
        """The one span of this name."""
        (found,) = (span for span in self.spans if span.name == name)
        return found

    def children(self, parent: Span) -> list[Span]:
        """The spans within another, in the order of their beginning."""
        found = [span for span in self.spans if span.parent_span_id == parent.span_id]
        return sorted(found, key=lambda span: span.start_time_unix_nano)


def attributes(span: Span) -> dict[str, object]:
    """What a span says, by name."""
    values = ((one.key, one.value) for one in span.attributes)
    return {key: getattr(value, value.WhichOneof("value") or "") for key, value in values}


@contextmanager
def collecting() -> Iterator[Collector]:
    """A collector on a free port."""

    class Exports(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            if self.headers.get("Content-Encoding") == "gzip":
                body = gzip.decompress(body)
            collector.paths.append(self.path)
            collector.exported += ExportTraceServiceRequest.FromString(body).resource_spans
            answer = ExportTraceServiceResponse().SerializeToString()
            self.send_response(200)
            self.send_header("Content-Type", "application/x-protobuf")
            self.send_header("Content-Length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Exports) as server:
        collector = Collector(f"http://127.0.0.1:{server.server_port}")
        thread = threading.Thread(target=server.serve_forever, args=(0.05,))
        thread.start()
        try:
            yield collector
        finally:
            server.shutdown()
            thread.join()
