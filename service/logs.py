"""Log lines: one JSON object each, on stderr, with the id of the request that they belong to."""

import logging
import sys
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Final

import msgspec

request_id: Final[ContextVar[str | None]] = ContextVar("request_id", default=None)


class JsonLines(logging.Formatter):
    """A record as one line of JSON; ``extra={"members": {…}}`` adds members of its own."""

    def format(self, record: logging.LogRecord) -> str:
        """The line, without its end."""
        line: dict[str, object] = {
            "time": datetime.fromtimestamp(record.created, UTC),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        if (request := request_id.get()) is not None:
            line["request"] = request
        line |= getattr(record, "members", {})
        if record.exc_info:
            line["error"] = self.formatException(record.exc_info)
        return msgspec.json.encode(line).decode()


def configure(level: str) -> None:
    """Send all logs of this process, the server's too, to stderr from ``level`` upwards."""
    lines = logging.StreamHandler(sys.stderr)
    lines.setFormatter(JsonLines())
    logging.basicConfig(level=level.upper(), handlers=[lines], force=True)
