"""The access log: one line for each request."""

import logging
import re
from collections.abc import Mapping
from typing import Final

from service.sight.outcome import Outcome

log = logging.getLogger("service.access")

_SECRET: Final = re.compile(r"pr[a-z]_[^/]*|[^/]{20,}")
"""What might be an id or a token, whole or in part."""


def write(outcome: Outcome, method: str, path: str, marks: Mapping[str, str]) -> None:
    """Say where a request went and what came of it, and nothing that it brought.

    `method` and `path` are as they were sent; `marks` tell one request from all others.
    """
    if not log.isEnabledFor(logging.INFO):
        return
    members: dict[str, object] = {
        **marks,
        "method": method,
        "route": outcome.route or _SECRET.sub("…", path)[:100],
        "status": outcome.status,
        "ms": round(outcome.seconds * 1000, 1),
    }
    if outcome.problem:
        members["problem"] = outcome.problem
    if outcome.violation:
        members["violation"] = outcome.violation
    log.info("request", extra={"members": members})
