"""Every refusal in one shape, and nothing in it that the caller must not know."""

import json
from typing import get_args

import pytest
from litestar.exceptions import (
    HTTPException,
    InternalServerException,
    MethodNotAllowedException,
    NotFoundException,
    PermissionDeniedException,
    ValidationException,
)

from service.http.problems import Fault, Problem, problem_of
from service.store.protocol import EvictingServer, StoreUnavailable
from service.wire.kinds import KINDS, ProblemName
from tests.service.tiny import client, tiny_app


def test_every_name_has_a_title_of_its_own_and_a_status() -> None:
    assert set(KINDS) == set(get_args(ProblemName))
    assert len({kind.title for kind in KINDS.values()}) == len(KINDS)
    assert {kind.status for kind in KINDS.values()} == {
        400, 401, 403, 404, 405, 406, 409, 412, 413, 415, 422, 428, 429, 500, 503
    }  # fmt: skip


def test_a_problem_tells_its_members_and_no_others() -> None:
    problem = Problem("stale", "The game is at ply 42.", ply=42)
    assert json.loads(problem.body("r1")) == {
        "type": "/problems/stale",
        "title": KINDS["stale"].title,
        "status": 412,
        "detail": "The game is at ply 42.",
        "instance": "r1",
        "ply": 42,
    }


@pytest.mark.parametrize("name", ["malformed", "contradiction"])
def test_malformed_and_contradiction_always_tell_where(name: ProblemName) -> None:
    assert json.loads(Problem(name, "No.").body("r1"))["errors"] == [
        {"pointer": "", "detail": "No."}
    ]
    faults = [Fault("/a", "One."), Fault("/b", "Two.")]
    assert json.loads(Problem(name, "No.", errors=faults).body("r1"))["errors"] == [
        {"pointer": "/a", "detail": "One."},
        {"pointer": "/b", "detail": "Two."},
    ]


def test_a_problem_brings_the_headers_that_belong_to_it() -> None:
    assert Problem("unauthorized", "Who?").headers["WWW-Authenticate"] == "Bearer"
    assert int(Problem("unavailable", "Away.").headers["Retry-After"]) > 0
    assert Problem("stale", "Late.", headers={"ETag": '"42"'}).headers["ETag"] == '"42"'
    # A 404 could be cached otherwise, and the game be there a second later.
    assert all(Problem(name, "No.").headers["Cache-Control"] == "no-store" for name in KINDS)


@pytest.mark.parametrize(
    ("error", "name", "status"),
    [
        (NotFoundException("4S"), "not_found", 404),
        (MethodNotAllowedException("4S"), "method_not_allowed", 405),
        (PermissionDeniedException("4S"), "forbidden", 403),
        (ValidationException("4S"), "malformed", 400),
        (HTTPException("4S", status_code=413), "too_large", 413),
        (HTTPException("4S", status_code=431), "too_large", 431),
        (HTTPException("4S", status_code=418), "internal", 500),
        (HTTPException("4S", status_code=409), "internal", 500),
        (InternalServerException("4S"), "internal", 500),
        (StoreUnavailable("4S"), "unavailable", 503),
        (EvictingServer("4S"), "unavailable", 503),
        (ValueError("4S"), "internal", 500),
        (RecursionError("4S"), "internal", 500),
    ],
)
def test_foreign_errors_become_problems_and_keep_their_texts(
    error: Exception, name: str, status: int
) -> None:
    problem = problem_of(error)
    assert (problem.name, problem.status) == (name, status)
    assert "4S" not in problem.body("r1").decode()


async def test_an_unforeseen_error_is_logged_with_its_cause_and_not_told(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async with client(tiny_app()) as http:
        answer = await http.get("/broken")
    assert answer.status_code == 500
    assert answer.headers["Content-Type"] == "application/problem+json"
    assert "4S" not in answer.text
    assert any(record.exc_info and "4S" in str(record.exc_info[1]) for record in caplog.records)


async def test_a_store_that_is_away_is_503_and_named_in_the_log_alone(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async with client(tiny_app()) as http:
        answer = await http.get("/away")
    assert answer.status_code == 503
    assert int(answer.headers["Retry-After"]) > 0
    assert answer.json()["type"] == "/problems/unavailable"
    assert "redis" not in answer.text
    assert "redis.internal:6379 refused" in caplog.text


async def test_a_refusal_of_the_caller_is_no_error_of_the_operator(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async with client(tiny_app()) as http:
        assert (await http.get("/pages?limit=0")).status_code == 400
    assert not [record for record in caplog.records if record.levelname == "ERROR"]
