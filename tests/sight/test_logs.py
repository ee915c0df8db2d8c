"""Log lines: text for people, JSON for programs, and nothing in either that does harm."""

import json
import logging
import os
import pty
import subprocess
import sys
from typing import Any

import pytest

from service.logs import bind, json_lines, text_lines, unbind
from tests.service.commands import ROOT, environment

FORMS = [json_lines(), text_lines(colours=False), text_lines(colours=True)]
each_form = pytest.mark.parametrize("form", FORMS, ids=["json", "text", "colours"])

SAY = "import logging; from service import logs; logs.configure('info', {form!r}); " + (
    "logging.getLogger('uvicorn.error').warning('Invalid %s', 'request')"
)


def record(message: str, *args: object, **members: object) -> Any:
    made = logging.LogRecord("service.test", logging.INFO, "test.py", 1, message, args, None)
    made.members = members
    return made


def failure() -> Any:
    def deal(hand: str) -> None:
        raise ValueError("the pack\x1b[2J is short")

    made = record("unhandled")
    try:
        deal("4S 4D 4H")
    except ValueError:
        made.exc_info = sys.exc_info()
    return made


def said(form: str, *, at_terminal: bool, **variables: str) -> str:
    """What a process says on stderr, which is a terminal or a pipe."""
    command = [sys.executable, "-c", SAY.format(form=form)]
    ours, theirs = pty.openpty() if at_terminal else os.pipe()
    with open(ours, "rb") as heard:
        try:
            subprocess.run(
                command, cwd=ROOT, env=environment(**variables), stderr=theirs, check=True
            )
            # What was written stays to be read, also when a terminal's other end is gone.
            return heard.read1(10_000).decode()
        finally:
            os.close(theirs)


@pytest.mark.parametrize(
    ("form", "at_terminal", "is_text"),
    [("auto", True, True), ("auto", False, False), ("json", True, False), ("text", False, True)],
)
def test_a_terminal_gets_text_and_a_pipe_json(form: str, at_terminal: bool, is_text: bool) -> None:
    told = said(form, at_terminal=at_terminal)
    assert "Invalid request" in told
    assert ("\x1b[" in told) == (is_text and at_terminal)
    if is_text:
        assert "warning" in told
        assert not told.startswith("{")
    else:
        line = json.loads(told)
        assert (line["level"], line["logger"]) == ("warning", "uvicorn.error")


def test_who_wants_no_colours_gets_none() -> None:
    told = said("auto", at_terminal=True, NO_COLOR="1")
    assert "Invalid request" in told
    assert "\x1b" not in told


def test_a_line_of_json_has_its_members_and_those_of_its_request() -> None:
    bound = bind(request="r1", trace_id="t1")
    try:
        line = json_lines().format(record("%s of %d", "one", 2, status=200))
    finally:
        unbind(**bound)
    told = json.loads(line)
    assert list(told)[:4] == ["time", "level", "logger", "message"]
    assert (told["request"], told["trace_id"], told["status"]) == ("r1", "t1", 200)
    assert told["message"] == "one of 2"
    assert told["time"].endswith("Z")
    assert "request" not in json.loads(json_lines().format(record("later")))


def test_a_line_of_text_says_the_same() -> None:
    told = text_lines(colours=False).format(record("request", route="/v1/games", status=200))
    for part in ("info", "request", "service.test", "route=/v1/games", "status=200"):
        assert part in told


ODD = record("odd\x1b]0;\x07", route="/\x1b[2J\n{}\r\x9b1A\u2028\u202e")


@pytest.mark.parametrize("colours", [False, True])
def test_nothing_in_a_line_moves_a_cursor_or_forges_another_line(colours: bool) -> None:
    told = text_lines(colours=colours).format(ODD)
    assert len(told.splitlines()) == 1
    for harmful in ("\x1b]", "\x1b[2J", "\x07", "\x9b", "\u202e"):
        assert harmful not in told


def test_a_line_of_json_is_one_line_whatever_is_in_it() -> None:
    told = json_lines().format(ODD)
    assert not any(control in told for control in ("\n", "\r", "\x1b"))
    assert json.loads(told)["route"] == ODD.members["route"]


@each_form
def test_a_failure_is_told_with_its_place_and_without_its_values(form: logging.Formatter) -> None:
    told = form.format(failure())
    assert "Traceback" in told
    assert "test_logs.py" in told
    assert "ValueError: the pack" in told
    assert "\x1b[2J" not in told
    # Neither the hand that was dealt, nor any other value of a variable.
    assert "hand=" not in told
    assert "hand =" not in told
