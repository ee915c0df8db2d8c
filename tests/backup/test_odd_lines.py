"""Lines with right sums that no service has written: named and left out, and the rest restored."""

import asyncio
import json
import os
import re
from base64 import b64encode
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from service.store.codec import LAST_MOMENT
from tests.backup.conftest import BackedUp, Evening
from tests.backup.forger import DEEP, bare, make_it_fit, odd_lines, resealed, sealed_text, sum_of
from tests.commands.running import run
from tests.store.servers import Server

ODD_LINES = int(os.environ.get("TEST_ODD_LINES", "400"))
MOMENTS = (-1, 2**48, LAST_MOMENT + 1, 2**63, 10**30)


def restored(lines: list[bytes], at: int, line: bytes, server: Server, file: Path) -> str:
    """Why this line is left out in place of another, when all others come back."""
    file.write_bytes(b"".join([*lines[:at], line, *lines[at + 1 :]]))
    done = run("restore", file, "--redis-url", server.url)
    assert done.exit_code == 1
    assert "; 1 lines damaged\n" in done.stdout
    (told,) = done.stderr.splitlines()
    begin = f"referee: line {at + 1} is damaged, and left out: "
    assert told.startswith(begin)
    assert run("restore", "--check", file).exit_code == 1
    return told.removeprefix(begin)


def place(lines: list[bytes], **wanted: str | int) -> int:
    """Where a line like this is."""
    return next(at for at, line in enumerate(lines) if wanted.items() <= json.loads(line).items())


def packed(*fields: object) -> str:
    return b64encode(msgspec.msgpack.encode(fields)).decode()


def test_a_game_that_no_service_would_keep_is_left_out(
    backed_up: BackedUp, server: Server, file: Path
) -> None:
    lines = backed_up.lines
    at = place(lines, kind="game", status="playing", ply=2)
    private = json.loads(lines[at])["private"]
    opening, (first, second) = private["opening"], private["log"]
    drawn = first[3]
    for changes in (
        *({"log": [[moment, *first[1:]], second]} for moment in MOMENTS),
        *({"left_ms": moment} for moment in (-2, *MOMENTS[1:])),
        {"log": [[*first[:3], drawn - 1 if drawn else 1], second]},
        {"log": [first, [*second[:2], [5, 10**12]]]},
        {"log": [first, second, [first[0], 1, [11, "late", ""]]]},
        {"log": [first, second, [first[0], 9, [12, "A"]], [first[0], 0, [12, "B"]]]},
        {"opening": [*opening[:3], 7, *opening[4:]]},
        {"opening": [opening[0], {"top_discard": DEEP}, *opening[2:]]},
        {"tokens": {"no such": packed(b"", b"", 1, 1, 1)[:-4]}},
        {"tokens": {"no such": packed(b"", b"", 9, 1, 1)}},
        {"tokens": {"no such": packed(b"", b"", 1, 3, 1)}},
        {"tokens": {"no such": packed(b"", b"", 1, 1, -1)}},
    ):
        restored(lines, at, resealed(lines[at], **changes), server, file)


def test_a_game_that_began_with_no_chance_of_ours_is_left_out(
    backed_up: BackedUp, server: Server, file: Path
) -> None:
    lines = backed_up.lines
    at = place(lines, kind="game", status="playing", ply=2)
    told = bare(lines[at])
    told["private"]["log"] = []
    opening = told["private"]["opening"]
    twice = b64encode(bytes([0, *range(55)])).decode()
    for odd in ([*opening[:3], -1, *opening[4:]], [*opening[:6], None, [twice], *opening[8:]]):
        told["private"]["opening"] = odd
        make_it_fit(told)
        assert told["ply"] == 0
        why = restored(lines, at, sealed_text(told), server, file)
        assert why == "its log cannot be played"


def test_what_belongs_to_games_is_left_out_where_it_cannot_be(
    backed_up: BackedUp, server: Server, file: Path
) -> None:
    lines, game = backed_up.lines, "a" * 20
    listed = {"opened": 1, "game_id": game}
    lasting = {"value": packed(b"", b"", game, 1), "until": LAST_MOMENT}
    odd: list[tuple[str, dict[str, Any]]] = [
        *(("list", {"games": [listed | {"opened": moment}]}) for moment in MOMENTS),
        ("list", {"games": [listed | {"game_id": "}"}]}),
        *(("mark", {"mark": lasting | {"until": moment}}) for moment in (-2, *MOMENTS[1:])),
        ("reservation", {"reservation": lasting | {"until": 2**63}}),
        ("reservation", {"reservation": lasting | {"value": "AAAA"}}),
        ("reservation", {"reservation": lasting | {"value": packed(b"", b"", "}", 1)}}),
        ("reservation", {"reservation": lasting | {"value": packed(b"", b"", game, -1)}}),
    ]
    for kind, changes in odd:
        at = place(lines, kind=kind)
        restored(lines, at, resealed(lines[at], **changes), server, file)


def test_a_line_that_is_too_deep_is_left_out(
    backed_up: BackedUp, server: Server, file: Path
) -> None:
    lines = backed_up.lines
    at = place(lines, kind="game", status="finished")
    deep = sealed_text(bare(lines[at]) | {"record": "*"}).replace(b'"*"', b"[" * 9999 + b"]" * 9999)
    body = deep[: -len(sum_of(b""))]
    assert "recursion" in restored(lines, at, body + sum_of(body), server, file)


def test_what_a_line_holds_does_not_reach_the_terminal(
    backed_up: BackedUp, server: Server, file: Path
) -> None:
    lines = backed_up.lines
    at = place(lines, kind="mark")
    line = sealed_text(bare(lines[at]) | {"kind": "\rall is well"})
    assert "\r" not in restored(lines, at, line, server, file)


@pytest.mark.parametrize("seed", [int(os.environ.get("TEST_SEED", "1"))])
def test_whatever_passes_can_be_read_again(
    backed_up: BackedUp,
    server: Server,
    meeting: Callable[[str], Evening],
    file: Path,
    measured: Callable[[str], None],
    seed: int,
) -> None:
    first, *body, last = backed_up.lines
    file.write_bytes(b"".join([first, *odd_lines(body, ODD_LINES, seed), last]))
    done = run("restore", file, "--redis-url", server.url)
    assert done.exit_code == 1
    games, kept, damaged = map(int, re.findall(r"(\d+) (?:games|restored|lines)", done.stdout))
    told = [re.match(r"referee: line (\d+) is damaged", line) for line in done.stderr.splitlines()]
    assert len({found[1] for found in told if found}) == len(told) == damaged < ODD_LINES
    assert games >= kept > ODD_LINES / 10
    # The service stumbles over none of it, and neither does the next backup.
    evening = meeting(server.url)
    with server.client() as client:
        ids = [key.split(b"{")[1][:20].decode() for key in client.scan_iter("rummy:*:state")]

    async def ask() -> set[int]:
        paths = [f"/v1/games/{each}{tail}" for each in ids for tail in ("", "/log")]
        answers = await asyncio.gather(*(evening.http.get(path) for path in [*paths, "/v1/games"]))
        return {answer.status_code for answer in answers}

    assert evening.run(ask()) <= {200, 401, 403, 404, 409}
    done = run("backup", file, "--redis-url", server.url)
    assert (done.exit_code, done.stderr) == (0, "")
    assert run("restore", "--check", file).stdout == f"{kept} games\n"
    measured(f"odd lines: {damaged} of {ODD_LINES} left out, {kept} games came of the others")
