"""Log lines, on stderr: one for each thing worth knowing, with its request and its trace.

Whoever logs uses `logging`, as the server and the libraries do, so that all lines take one way;
structlog makes them. ``extra={"members": {…}}`` adds members to a line, `bind` to all lines of a
request.
"""

import logging
import os
import sys
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, Literal, cast

import msgspec
from structlog.contextvars import bind_contextvars as bind
from structlog.contextvars import merge_contextvars
from structlog.contextvars import reset_contextvars as unbind
from structlog.dev import ConsoleRenderer
from structlog.processors import JSONRenderer
from structlog.typing import EventDict, Processor

__all__ = ["Form", "bind", "configure", "json_lines", "text_lines", "unbind"]

Form = Literal["auto", "json", "text"]


def configure(level: str, form: Form) -> None:
    """Send all logs of this process, the server's too, to stderr from ``level`` upwards.

    ``auto`` is text for people on a terminal, and JSON for programs anywhere else.
    """
    at_terminal = sys.stderr.isatty()
    has_colours = at_terminal and not os.environ.get("NO_COLOR")
    is_text = form == "text" or (form == "auto" and at_terminal)
    lines = logging.StreamHandler(sys.stderr)
    lines.setFormatter(text_lines(colours=has_colours) if is_text else json_lines())
    logging.basicConfig(level=level.upper(), handlers=[lines], force=True)


def json_lines() -> logging.Formatter:
    """A record as one line of JSON."""
    return _Lines(JSONRenderer(serializer=_json))


def text_lines(*, colours: bool) -> logging.Formatter:
    """A record as one line for people, and a traceback below it if there is one."""
    renderer = ConsoleRenderer(
        colors=colours, event_key="message", timestamp_key="time", sort_keys=False
    )
    return _Lines(_readable, renderer)


class _Lines(logging.Formatter):
    """Makes a line of a record by structlog's processors.

    Its own formatter for records copies each and formats it once more, in twice the time.
    """

    def __init__(self, *processors: Processor) -> None:
        super().__init__()
        self._processors = processors

    def format(self, record: logging.LogRecord) -> str:
        """The line, without its end."""
        level = record.levelname.lower()
        line: Any = {
            "time": datetime.fromtimestamp(record.created, UTC),
            "level": level,
            "logger": record.name,
            "message": record.getMessage(),
        }
        merge_contextvars(None, level, line)
        line |= getattr(record, "members", {})
        if record.exc_info:
            # Not structlog's: its own show the values of variables, cards and tokens among them.
            line["error"] = self.formatException(record.exc_info)
        for step in self._processors:
            line = step(None, level, line)
        return cast(str, line)


def _json(line: Mapping[str, object], **_: object) -> str:
    # Only whole values get here, so that nothing has to stand in for what JSON does not know.
    return msgspec.json.encode(line).decode()


def _readable(_: Any, __: str, line: EventDict) -> EventDict:
    """The line with nothing in it that a terminal would obey, and its error as ConsoleRenderer
    wants it.
    """
    error = line.pop("error", None)
    shown = {name: _printable(value) for name, value in line.items()}
    shown["time"] = line["time"].isoformat(timespec="milliseconds")
    if error is not None:
        shown["exception"] = "\n".join(_printable(each) for each in error.splitlines())
    return shown


def _printable(value: Any) -> Any:
    if isinstance(value, str) and not value.isprintable():
        return "".join(one if one.isprintable() else repr(one)[1:-1] for one in value)
    return value
