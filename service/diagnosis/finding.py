"""A finding: what was looked at, what was found, and what to do about it."""

from typing import Literal

from msgspec import Struct

Verdict = Literal["ok", "warning", "bad"]


class Finding(Struct, frozen=True):
    """One thing that was looked at.

    A `warning` may be meant so; `bad` is a deployment that cannot work or will lose games.
    """

    subject: str
    verdict: Verdict
    found: str
    advice: str = ""
    """What to do; empty where nothing is to be done."""


def ok(subject: str, found: str) -> Finding:
    """All is well."""
    return Finding(subject, "ok", found)


def warning(subject: str, found: str, advice: str) -> Finding:
    """It works, but."""
    return Finding(subject, "warning", found, advice)


def bad(subject: str, found: str, advice: str) -> Finding:
    """It does not work, or will not."""
    return Finding(subject, "bad", found, advice)
