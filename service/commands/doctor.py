"""`referee doctor`: is this deployment as it should be?"""

import asyncio
import os
from collections import Counter
from collections.abc import AsyncIterator

import click
import msgspec

from service.commands import fail
from service.commands.command import Command
from service.commands.screen import Screen, printable
from service.diagnosis.finding import Finding, bad
from service.diagnosis.service import look_at_service
from service.diagnosis.store import look_at_store
from service.embedded.server import running_url
from service.kept import credentials_of, place_of
from service.settings import Settings, SettingsError, read_settings
from service.store.link import Link
from service.store.servers import Patience

_STYLES = {"ok": "green", "warning": "yellow", "bad": "bold red"}
_SOMETHING_BAD = 1


@click.command(cls=Command)
@click.option("--redis-url", metavar="URL", help="The store to look at.  [REFEREE_REDIS_URL]")
@click.option("--data", metavar="FOLDER", help="Where an embedded store runs.  [REFEREE_DATA]")
@click.option("--url", metavar="URL", help="Look at the service that listens there, too.")
@click.option("--json", "as_json", is_flag=True, help="Print the findings as JSON.")
@click.pass_context
def doctor(
    context: click.Context,
    redis_url: str | None,
    data: str | None,
    url: str | None,
    as_json: bool,
) -> None:
    """Look at a deployment, and say what to do about what is not as it should be.

    Looks at the store that the settings name: can it be reached, is it new enough, does it keep
    every game until its time is up, does it write to its disk, how full is it, are its replicas
    there, do scripts and writes work, and is its clock right. With --url also at a running service:
    is it ready, and does it play by the rules of this release. Nothing is changed, but for a key
    that is gone after a minute.

    The exit status is 0 where nothing is bad (warnings may be meant so), and 1 otherwise.
    """
    try:
        settings = read_settings(os.environ, redis_url=redis_url, data=data)
        findings = asyncio.run(_all(settings, url))
    except SettingsError as error:
        fail(*error.lines)
    except ValueError as error:
        fail(str(error))
    if as_json:
        print(msgspec.json.format(msgspec.json.encode(findings)).decode())
    else:
        _tell(findings)
    context.exit(_SOMETHING_BAD if any(each.verdict == "bad" for each in findings) else 0)


async def _all(settings: Settings, url: str | None) -> list[Finding]:
    findings = [finding async for finding in _of_store(settings)]
    if url is not None:
        findings += look_at_service(url)
    return findings


async def _of_store(settings: Settings) -> AsyncIterator[Finding]:
    store = settings.redis_url or running_url(settings.data)
    if store is None:
        yield bad(
            "store",
            f"no embedded store runs {place_of(settings)}",
            "start `referee serve`, or name the store with --redis-url or REFEREE_REDIS_URL",
        )
        return
    is_embedded = settings.redis_url is None
    replicas = 0 if is_embedded else settings.redis_replicas
    link = Link(store, Patience(), None if is_embedded else credentials_of(settings), replicas)
    try:
        async for finding in look_at_store(link, replicas):
            yield finding
    finally:
        await link.close()


def _tell(findings: list[Finding]) -> None:
    screen = Screen()
    for each in findings:
        screen.line(
            printable(f"{each.verdict:8} {each.subject:13} {each.found}"), _STYLES[each.verdict]
        )
        if each.advice:
            screen.line(printable(f"{'':22} {each.advice}"))
    counts = Counter[str](each.verdict for each in findings)
    told = ", ".join(f"{counts[verdict]} {verdict}" for verdict in _STYLES)
    screen.line(told, "bold")
