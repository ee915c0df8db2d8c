"""Traces: each request a span of the trace that it came with, and no secret in any."""

import json
import os
import signal
import socket
from pathlib import Path
from typing import Any

import httpx
import pytest

from service.sight.traces import TracingUnavailable, trace_id_of, tracing_of
from tests.service.everything import KEY, SEED, everything, secrets_of, tails
from tests.service.tables import NAMED, SECRET, opened
from tests.service.test_serve import ended, serving
from tests.sight.collector import Collector, attributes, collecting

TRACE = "4bf92f3577b34da6a3ce929d0e0e4736"
PARENT = "00f067aa0ba902b7"
TRACEPARENT = {"traceparent": f"00-{TRACE}-{PARENT}-01"}
MOVE = "POST /v1/games/{game}/moves"


def to(collector: Collector, **more: str) -> dict[str, str]:
    """The variables that send traces there."""
    return {"OTEL_EXPORTER_OTLP_ENDPOINT": collector.url, **more}


def lines(errors: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in errors.splitlines()]


def requests(errors: str) -> list[dict[str, Any]]:
    return [line for line in lines(errors) if line["logger"] == "service.access"]


async def test_a_request_is_a_span_of_the_trace_that_it_came_with(redis_url: str) -> None:
    with collecting() as collector:
        with serving("--redis-url", redis_url, **to(collector)) as (process, url):
            async with httpx.AsyncClient(base_url=url) as http:
                table = await opened(http)
                sent = {"actions": [{"type": "draw_stock"}]}
                for who, status in ((1, 200), (0, 409)):
                    answer = await table.ask("POST", "/moves", who, sent, TRACEPARENT)
                    assert answer.status_code == status
                await http.get("/v1/rules")
            status, errors = ended(process, signal.SIGINT)
        # What was not yet sent is sent at the end.
        assert status == 0
        assert set(collector.paths) == {"/v1/traces"}
    played, refused = (span for span in collector.spans if span.name == MOVE)
    for span in (played, refused):
        assert (span.trace_id.hex(), span.parent_span_id.hex()) == (TRACE, PARENT)
        assert span.kind == span.SPAN_KIND_SERVER
        assert span.status.code == span.status.STATUS_CODE_UNSET
    assert attributes(played) == {
        "http.request.method": "POST",
        "http.route": "/v1/games/{game}/moves",
        "http.response.status_code": 200,
    }
    assert attributes(refused) == {
        "http.request.method": "POST",
        "http.route": "/v1/games/{game}/moves",
        "http.response.status_code": 409,
        "referee.problem": "not_your_turn",
        "referee.violation": "not_your_turn",
    }
    trips = collector.children(played)
    assert [trip.name for trip in trips] == ["store load", "store take", "store commit"]
    assert all(trip.kind == trip.SPAN_KIND_CLIENT for trip in trips)
    assert attributes(trips[2]) == {
        "db.system.name": "redis",
        "db.stored_procedure.name": "commit",
    }
    # A request without a trace begins one, and its line names that.
    told = {line["route"]: line["trace_id"] for line in requests(errors)}
    assert told["/v1/games/{game}/moves"] == TRACE
    assert told["/v1/rules"] == collector.named("GET /v1/rules").trace_id.hex()
    assert len(set(told.values())) == 3


async def test_no_span_holds_a_token_a_secret_an_id_or_a_card(redis_url: str) -> None:
    players = {"players": [*NAMED[:3], {"kind": "open"}], "secret": SECRET, "visibility": "private"}
    with collecting() as collector:
        with serving("--redis-url", redis_url, **to(collector)) as (process, url):
            async with httpx.AsyncClient(base_url=url) as http:
                table = await opened(http, players)
                hidden = tails(secrets_of(table))
                await everything(table)
                hidden += tails(secrets_of(table))
                baggage = {"baggage": f"token={table.organiser}", **TRACEPARENT}
                await table.ask("GET", who=0, headers=baggage)
            ended(process, signal.SIGINT)
        sent = b"".join(one.SerializeToString() for one in collector.exported)
    assert len(collector.spans) > 100
    for text in (*hidden, table.game, SECRET, SEED, KEY, "127.0.0.1", "python-httpx"):
        assert text.encode() not in sent
    for span in collector.spans:
        written = f"{span.name} {attributes(span)}"
        assert not any(code in written for code in ("QH", "9C", "X1", "8D", "TH", "9c"))
        # Names are templates: a path that no route has goes by its method alone.
        assert " /" not in span.name or span.name.split()[1] == attributes(span)["http.route"]
        assert not span.events


def test_probes_and_readers_of_metrics_leave_no_trace(redis_url: str) -> None:
    with (
        collecting() as collector,
        serving("--redis-url", redis_url, **to(collector)) as (process, url),
    ):
        for path in ("/healthz", "/readyz", "/metrics", "/v1/rulesets"):
            assert httpx.get(url + path, headers=TRACEPARENT).status_code == 200
        _, errors = ended(process, signal.SIGINT)
    assert {span.name for span in collector.spans} == {"GET /v1/rulesets", "store take"}
    # The lines say whose they were all the same.
    assert {line["trace_id"] for line in requests(errors)} == {TRACE}


def test_what_belongs_to_no_request_is_in_no_trace(monkeypatch: pytest.MonkeyPatch) -> None:
    with collecting() as collector:
        for name, value in to(collector).items():
            monkeypatch.setenv(name, value)
        tracing = tracing_of(os.environ)
        assert tracing is not None
        with tracing.trip("load"):
            pass
        with tracing.request("GET", []), tracing.trip("load"):
            pass
        tracing.close()
    assert sorted(span.name for span in collector.spans) == ["GET", "store load"]


def test_a_failure_is_told_without_its_text(tmp_path: Path) -> None:
    away = f"unix://{tmp_path}/nobody"
    with (
        collecting() as collector,
        serving("--redis-url", away, **to(collector)) as (process, url),
    ):
        assert httpx.post(f"{url}/v1/games", json={"players": NAMED}).status_code == 503
        ended(process, signal.SIGINT)
    span = collector.named("POST /v1/games")
    assert span.status.code == span.status.STATUS_CODE_ERROR
    assert attributes(span)["error.type"] == "unavailable"
    # One to count the request, and one to list the game.
    trips = collector.children(span)
    assert len(trips) == 2
    for trip in trips:
        assert trip.status.code == trip.status.STATUS_CODE_ERROR
        assert attributes(trip)["error.type"] == "StoreUnavailable"
    for one in (span, *trips):
        assert not one.status.message
        assert not one.events


def test_the_operator_chooses_name_and_sampling(redis_url: str) -> None:
    chosen = {
        "OTEL_SERVICE_NAME": "club-referee",
        "OTEL_RESOURCE_ATTRIBUTES": "deployment.environment.name=test",
        "OTEL_TRACES_SAMPLER": "parentbased_always_off",
    }
    with (
        collecting() as collector,
        serving("--redis-url", redis_url, **to(collector, **chosen)) as (process, url),
    ):
        httpx.get(f"{url}/v1/rules")
        httpx.get(f"{url}/v1/rulesets", headers=TRACEPARENT)
        _, errors = ended(process, signal.SIGINT)
    # Only the one that somebody else had chosen already.
    assert {span.name for span in collector.spans} == {"GET /v1/rulesets", "store take"}
    about = {one.key: one.value.string_value for one in collector.exported[0].resource.attributes}
    assert about["service.name"] == "club-referee"
    assert about["service.version"]
    assert about["deployment.environment.name"] == "test"
    assert all("trace_id" in line for line in requests(errors))


def test_a_collector_that_is_away_holds_nothing_up(redis_url: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        # It takes connections and never answers.
        endpoint = f"http://127.0.0.1:{silent.getsockname()[1]}"
        with serving("--redis-url", redis_url, OTEL_EXPORTER_OTLP_ENDPOINT=endpoint) as (
            process,
            url,
        ):
            assert httpx.get(f"{url}/v1/rules").status_code == 200
            process.send_signal(signal.SIGINT)
            assert process.wait(8) == 0


@pytest.mark.parametrize(
    "variables",
    [
        {},
        {"OTEL_EXPORTER_OTLP_ENDPOINT": ""},
        {"OTEL_TRACES_EXPORTER": "none", "OTEL_EXPORTER_OTLP_ENDPOINT": "http://x"},
        {"OTEL_SDK_DISABLED": "true", "OTEL_EXPORTER_OTLP_ENDPOINT": "http://x"},
        {"OTEL_TRACES_SAMPLER": "always_on"},
    ],
)
def test_without_a_wish_there_are_no_traces(variables: dict[str, str]) -> None:
    assert tracing_of(variables) is None


@pytest.mark.parametrize(
    ("variables", "told"),
    [
        ({"OTEL_TRACES_EXPORTER": "jaeger"}, "OTEL_TRACES_EXPORTER must be otlp or none"),
        (
            {"OTEL_TRACES_EXPORTER": "otlp", "OTEL_EXPORTER_OTLP_PROTOCOL": "grpc"},
            "OTEL_EXPORTER_OTLP_PROTOCOL must be http/protobuf",
        ),
    ],
)
def test_what_cannot_be_had_is_said(variables: dict[str, str], told: str) -> None:
    with pytest.raises(TracingUnavailable, match=told):
        tracing_of(variables)


@pytest.fixture
def without_the_extra(tmp_path: Path) -> dict[str, str]:
    """Variables that hide what it installs."""
    (tmp_path / "opentelemetry").mkdir()
    (tmp_path / "opentelemetry" / "__init__.py").write_text("raise ImportError('not here')")
    return {"PYTHONPATH": str(tmp_path)}


def test_without_the_extra_it_says_so_once_and_serves(
    redis_url: str, without_the_extra: dict[str, str]
) -> None:
    wished = {"OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:4318", **without_the_extra}
    with serving("--redis-url", redis_url, **wished) as (process, url):
        assert httpx.get(f"{url}/readyz").status_code == 200
        _, errors = ended(process, signal.SIGINT)
    (warned,) = (line for line in lines(errors) if line["level"] == "warning")
    assert "persian-rummy-referee[tracing]" in warned["message"]


def test_lines_name_the_trace_of_a_request_without_any_library(
    redis_url: str, without_the_extra: dict[str, str]
) -> None:
    with serving("--redis-url", redis_url, **without_the_extra) as (process, url):
        for headers in (TRACEPARENT, {}, {"traceparent": "none"}):
            httpx.get(f"{url}/v1/rules", headers=headers).raise_for_status()
        _, errors = ended(process, signal.SIGINT)
    assert [line.get("trace_id") for line in requests(errors)] == [TRACE, None, None]
    assert all(line["level"] == "info" for line in lines(errors))


@pytest.mark.parametrize(
    "header",
    [
        f"00-{TRACE}-{PARENT}-00",
        f"cc-{TRACE}-{PARENT}-01",
        f"cc-{TRACE}-{PARENT}-01-what.comes.later",
    ],
)
def test_a_trace_is_known_by_its_header(header: str) -> None:
    assert trace_id_of(header.encode()) == TRACE


@pytest.mark.parametrize(
    "header",
    [
        None,
        "",
        TRACE,
        f"00-{TRACE}-{PARENT}",
        f"00-{TRACE}-{PARENT}-01-more",
        f"00-{TRACE}-{PARENT}-1",
        f"ff-{TRACE}-{PARENT}-01",
        f"00-{TRACE.upper()}-{PARENT}-01",
        f"00-{'0' * 32}-{PARENT}-01",
        f"00-{TRACE}-{'0' * 16}-01",
        f"00-{TRACE[1:]}-{PARENT}-01",
        f" 00-{TRACE}-{PARENT}-01",
        f"00-{TRACE}-{PARENT}-01\n",
    ],
)
def test_a_header_of_another_form_names_no_trace(header: str | None) -> None:
    assert trace_id_of(None if header is None else header.encode()) is None
