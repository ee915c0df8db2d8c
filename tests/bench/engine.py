"""The engine by itself, on one core: plays, verdicts on positions, verdicts on whole records.

The baseline is a loop of Python that does nothing, a thousand times round.
"""

from collections.abc import Callable
from random import Random
from time import perf_counter, process_time

import msgspec

from engine.cards import Seat
from engine.deal import deal
from engine.judging.judgement import judge
from engine.judging.position import full_position, seen_position
from engine.play import apply, legal_actions
from engine.records.record import record_of
from engine.records.verdict import verify
from engine.ruleset import PERSIAN
from engine.shuffle import NO_SEEDS, pack
from engine.view import SPECTATOR, Viewer
from service.wording import records
from service.wording.verdicts import verdict_of
from tests.bench.courses import course
from tests.bench.measuring import Run, Spent, Subject

GAMES = [course(seed) for seed in range(20)]
"""About 200 plies each."""

PLIES = 10_000
PACKS = 3_000
LOOPS = 2_000


def timed(work: Callable[[], int]) -> Run:
    """How long it takes to do some work, which tells how much it was."""

    def run() -> Spent:
        clock, core = perf_counter(), process_time()
        done = work()
        return Spent(done, perf_counter() - clock, process_time() - core)

    return run


def loop() -> int:
    for _ in range(LOOPS):
        for _ in range(1000):
            pass
    return LOOPS


def play_at_random() -> int:
    """Deals in which every ply lists the legal actions and plays any of them."""
    chance, played = Random("bench"), 0
    while played < PLIES:
        state = deal(PERSIAN, pack(chance.randbytes(32), NO_SEEDS, 1, 4), 1, Seat(0))
        while state.phase != "over":
            state = apply(state, state.turn, chance.choice(legal_actions(state)))
            played += 1
    return played


def shuffle() -> int:
    for number in range(PACKS):
        pack(bytes(32), NO_SEEDS, number, 4)
    return PACKS


RECORDS = [record_of(one.end, one.log) for one in GAMES]
DOCUMENTS = [msgspec.json.encode(records.to_wire("a" * 20, one.end, one.log)) for one in GAMES]


def verify_records() -> int:
    assert all(verify(record).is_right for record in RECORDS)
    return len(RECORDS)


def read_and_verify_records() -> int:
    assert all(verdict_of(document).status == "right" for document in DOCUMENTS)
    return len(DOCUMENTS)


def _positions(viewer_of: Callable[[Seat], Viewer | None]) -> Callable[[], int]:
    """Verdicts on positions as they are seen, with the action that was played there."""
    asked = []
    for game, (seat, action) in zip(GAMES[0].plies, GAMES[0].steps, strict=True):
        viewer = viewer_of(seat)
        assert game.state is not None
        seen = full_position(game.state, game.totals)
        asked.append((seen_position(game, viewer) if viewer else seen, action))

    def work() -> int:
        for position, action in asked:
            judge(position, PERSIAN, [action])
        return len(asked)

    return work


BASELINE = Subject("a loop of Python", "1000 rounds", timed(loop))
SUBJECTS = (
    Subject("random play", "plies", timed(play_at_random)),
    Subject("shuffle", "packs", timed(shuffle)),
    Subject("records", "games", timed(verify_records)),
    Subject("records from JSON", "games", timed(read_and_verify_records)),
    Subject("positions, all known", "verdicts", timed(_positions(lambda _: None))),
    Subject(
        "positions, one hand known",
        "verdicts",
        timed(_positions(lambda seat: Viewer("seat", seat))),
    ),
    Subject("positions, no hand known", "verdicts", timed(_positions(lambda _: SPECTATOR))),
)
