"""A running service: is it ready, and is it the same release as this program?"""

from collections.abc import Iterator
from email.utils import parsedate_to_datetime
from importlib.metadata import version
from time import time
from typing import Any

import httpx

from engine.ruleset import RULES_VERSION
from service.diagnosis.finding import Finding, bad, ok, warning
from service.diagnosis.remote import TROUBLE, read_remote, why
from service.diagnosis.server import SKEW

_PACKAGE = "persian-rummy-referee"
_WITHIN = 5.0
"""Seconds for an answer: readiness alone may take one."""


def look_at_service(url: str) -> Iterator[Finding]:
    """What a service says of itself. Raises nothing for one that is away: that is a finding."""
    try:
        remote = read_remote(url)
    except ValueError as error:
        yield bad("service", str(error), "give the URL that the service listens at")
        return
    with httpx.Client(base_url=remote.url, auth=remote.auth, timeout=_WITHIN) as http:
        try:
            welcome = http.get("/").raise_for_status()
            told: dict[str, Any] = welcome.json()
            ready = http.get("/readyz")
        except TROUBLE as error:
            yield bad(
                "service",
                f"no referee answers at {remote.url}: {why(error)}",
                "see that the service runs and that the URL is the one it listens at",
            )
            return
    yield ok("service", remote.url)
    yield _release(told)
    yield _rules(told)
    yield _readiness(ready)
    yield _clock(welcome)


def _release(told: dict[str, Any]) -> Finding:
    theirs, ours = str(told.get("version")), version(_PACKAGE)
    if theirs == ours:
        return ok("release", theirs)
    return warning(
        "release",
        f"the service is {theirs}, this program {ours}",
        "compare like with like: run `referee doctor` of the same release",
    )


def _rules(told: dict[str, Any]) -> Finding:
    theirs = str(told.get("rules_version"))
    if theirs == RULES_VERSION:
        return ok("rules", f"version {theirs}")
    return bad(
        "rules",
        f"the service plays by version {theirs}, this program by {RULES_VERSION}",
        "finish the roll-out: replicas of different rules would judge the same game differently",
    )


def _readiness(answer: httpx.Response) -> Finding:
    if answer.is_success:
        return ok("readiness", "ready")
    return bad(
        "readiness",
        f"{answer.status_code}: {answer.json().get('detail', '')}",
        "see its log for what the store said, and run `referee doctor` where the service runs",
    )


def _clock(answer: httpx.Response) -> Finding:
    told = answer.headers.get("Date")
    if told is None:
        return warning("service clock", "it does not tell", "a proxy drops the header Date")
    apart = parsedate_to_datetime(told).timestamp() - time()
    # The header has whole seconds, cut off.
    found = f"{apart:+.0f} s from here"
    if -SKEW - 1 <= apart <= SKEW:
        return ok("service clock", found)
    return warning("service clock", found, "keep both machines in time (NTP)")
