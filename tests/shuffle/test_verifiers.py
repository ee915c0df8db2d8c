"""The verifiers that come with the contract, on the vectors and on games that were really played.

They are there to be read, copied and run by people who trust nobody, so they run here as those
would run them: programs that import nothing of this project.
"""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from engine.cards import Seat
from engine.game import Forfeit, Opening, SeatTaken, Step, advance, entry, open_game
from engine.play import legal_actions
from service.wording import records
from tests.engine.random_play import EAGER, choose
from tests.shuffle.vectors import CHOSEN, FILE, written

Json = dict[str, Any]
Verify = Callable[[Json], subprocess.CompletedProcess[str]]

EXAMPLES = FILE.parent
PROGRAMS = {
    "python": (sys.executable, "-I", str(EXAMPLES / "verify_shuffle.py")),
    "node": ("node", str(EXAMPLES / "verify_shuffle.mjs")),
}
NAMED = ("north", "east", "south", "west")
SECRET = Random("a secret").randbytes(32)


@pytest.fixture(params=PROGRAMS)
def verify(request: pytest.FixtureRequest, tmp_path: Path) -> Verify:
    """Runs one of the verifiers on a document."""
    command = PROGRAMS[request.param]
    if shutil.which(command[0]) is None:
        reason = f"{command[0]} is not installed"
        (pytest.fail if os.environ.get("CI") else pytest.skip)(reason)

    def run(told: Json) -> subprocess.CompletedProcess[str]:
        file = tmp_path / "told.json"
        file.write_text(json.dumps(told), "utf-8")
        return subprocess.run([*command, str(file)], capture_output=True, text=True, check=False)

    return run


def is_right(found: subprocess.CompletedProcess[str]) -> bool:
    """Whether the verifier is content; what it prints agrees with its status."""
    assert found.stderr == ""
    assert found.stdout
    assert found.returncode == ("WRONG" in found.stdout)
    return found.returncode == 0


def wrong(found: subprocess.CompletedProcess[str]) -> list[str]:
    """What the verifier says is wrong."""
    assert not is_right(found)
    lines = found.stdout.splitlines()
    return [line.removeprefix("WRONG ") for line in lines if line.startswith("WRONG ")]


# --- the vectors ---


def vectors() -> Json:
    told: Json = json.loads(FILE.read_text("utf-8"))
    return told


def test_the_vectors_are_what_the_command_writes() -> None:
    assert FILE.read_text("utf-8") == written()


def test_the_vectors_show_every_case() -> None:
    told = vectors()["vectors"]
    assert len(told) == len(CHOSEN)
    assert {one["jokers"] for one in told} == {0, 4}
    assert {0, 1, 2} < {one["pack"] for one in told}
    for seat in range(4):
        assert {bool(one["client_seeds"][seat]) for one in told} == {True, False}
    assert {0, 1, 64} <= {len(seed) for one in told for seed in one["client_seeds"]}
    assert any(one["refused"] for one in told)
    assert all(len(one["cards"]) == len(set(one["cards"])) for one in told)


def test_the_vectors_are_right(verify: Verify) -> None:
    found = verify(vectors())
    assert is_right(found)
    assert len(found.stdout.splitlines()) == 2 * len(CHOSEN)


def test_the_vectors_catch_who_refuses_no_word(tmp_path: Path) -> None:
    careless = tmp_path / "careless.py"
    program = Path(PROGRAMS["python"][-1]).read_text("utf-8")
    assert program.count(" if word < fair") == 1
    careless.write_text(program.replace(" if word < fair", ""), "utf-8")
    command = [sys.executable, "-I", str(careless), str(FILE)]
    found = subprocess.run(command, capture_output=True, text=True, check=False)
    refused = [at for at, one in enumerate(vectors()["vectors"]) if one["refused"]]
    assert len(refused) >= 2
    assert wrong(found) == [f"cards of vector {at}" for at in refused]


@pytest.mark.parametrize("member", ["secret", "commitment", "client_seeds", "pack", "jokers"])
def test_vectors_that_were_tampered_with(verify: Verify, member: str) -> None:
    told = vectors()
    other = {"client_seeds": ["", "", "", "0"], "pack": 3, "jokers": 0}
    told["vectors"][1][member] = other.get(member, "00" * 31 + "01")
    expected = {
        "secret": ["commitment of vector 1", "cards of vector 1"],
        "commitment": ["commitment of vector 1"],
    }
    assert wrong(verify(told)) == expected.get(member, ["cards of vector 1"])


def test_two_cards_that_changed_places(verify: Verify) -> None:
    told = vectors()
    cards = told["vectors"][2]["cards"]
    cards[50], cards[51] = cards[51], cards[50]
    assert wrong(verify(told)) == ["cards of vector 2"]


# --- records ---


def played(opening: Opening, *sitting: tuple[int, Step], until: int = 10_000) -> Json:
    """The record of a random game as the service tells it; given up at ply `until`, if not over."""
    chance = Random(repr(opening))
    game, log = open_game(opening), []
    steps = [(Seat(seat), step) for seat, step in sitting]
    while game.result is None:
        if steps:
            seat, step = steps.pop(0)
        elif game.ply >= until:
            seat, step = Seat(1), Forfeit("B")
        else:
            assert game.state is not None
            seat, step = game.state.turn, choose(legal_actions(game.state), EAGER, chance)
        log.append(entry(game, seat, step, at=0))
        game = advance(game, seat, step)
    told: Json = json.loads(msgspec.json.encode(records.to_wire("a" * 20, game, log)))
    return told


GAMES: dict[str, Callable[[], Json]] = {
    "persian": lambda: played(Opening(players=NAMED, secret=SECRET)),
    "dealt by another": lambda: played(Opening(players=NAMED, secret=SECRET, dealer=Seat(2))),
    "drawn for teams": lambda: played(Opening(players=NAMED, secret=SECRET, team_formation="draw")),
    "no jokers": lambda: played(Opening(preset="partnership-500", players=NAMED, secret=SECRET)),
    "other options": lambda: played(
        Opening(options={"hand_size": 5, "jokers": 0}, players=NAMED, secret=SECRET)
    ),
    "client seeds": lambda: played(
        Opening(players=("n", None, None, None), secret=SECRET),
        (2, SeatTaken("s", "00ff")),
        (1, SeatTaken("e")),
        (3, SeatTaken("w", "f" * 64)),
    ),
    "given up": lambda: played(Opening(players=NAMED, secret=SECRET), until=31),
}


@pytest.mark.parametrize("name", GAMES)
def test_a_real_game_was_shuffled_as_promised(verify: Verify, name: str) -> None:
    told = GAMES[name]()
    found = verify(told)
    assert is_right(found), found.stdout
    assert len(found.stdout.splitlines()) == 3 + 2 * len(told["deals"])


GAME = GAMES["client seeds"]()
DRAWN = GAMES["drawn for teams"]()


def tampered(change: Callable[[Json], object], game: Json = GAME) -> Json:
    """The record with something changed in it."""
    told = deepcopy(game)
    change(told)
    assert told != game
    return told


def test_another_secret(verify: Verify) -> None:
    told = tampered(lambda it: it.update(secret="00" * 32))
    assert wrong(verify(told))[0] == "commitment"
    assert "stock of deal 1" in wrong(verify(told))


def test_a_commitment_to_another_secret(verify: Verify) -> None:
    assert wrong(verify(tampered(lambda it: it.update(commitment="0" * 64)))) == ["commitment"]


def test_a_client_seed_that_was_left_out(verify: Verify) -> None:
    told = tampered(lambda it: it["client_seeds"].__setitem__(2, ""))
    assert {"stock of deal 1", "hands of deal 1", "hands of deal 2"} <= set(wrong(verify(told)))


def test_a_card_drawn_that_was_not_next(verify: Verify) -> None:
    def change(it: Json) -> None:
        draws = [one for one in it["log"] if one["deal"] == 2 and one["drawn"]]
        draws[0]["drawn"], draws[1]["drawn"] = draws[1]["drawn"], draws[0]["drawn"]

    assert wrong(verify(tampered(change))) == ["stock of deal 2"]


def test_a_hand_that_was_not_dealt_so(verify: Verify) -> None:
    """Two seats have exchanged a card before the play began."""

    def change(it: Json) -> None:
        log = [one for one in it["log"] if one["deal"] == 1 and one["action"]]
        drawn = {one["drawn"] for one in log}
        thrown = [one for one in log if one["action"]["type"] == "discard"]
        mine = next(one for one in thrown if one["action"]["card"] not in drawn)
        other = next(
            one
            for one in thrown
            if one["seat"] != mine["seat"] and one["action"]["card"] not in drawn
        )
        mine["action"], other["action"] = other["action"], mine["action"]

    assert wrong(verify(tampered(change))) == ["hands of deal 1"]


def test_a_deal_that_is_kept_back(verify: Verify) -> None:
    assert wrong(verify(tampered(lambda it: it["deals"].pop()))) == ["deals"]


def test_another_draw_for_teams(verify: Verify) -> None:
    def change(it: Json) -> None:
        it["draw"][0]["card"], it["draw"][3]["card"] = it["draw"][3]["card"], it["draw"][0]["card"]

    assert wrong(verify(tampered(change, DRAWN))) == ["draw for teams"]


def test_packs_that_were_given_are_no_shuffle(verify: Verify) -> None:
    told = tampered(lambda it: it.update(secret=None, commitment=None, packs=[]))
    assert wrong(verify(told)) == ["shuffle: there was none, the packs were given"]


def test_nothing_to_check_is_not_right(verify: Verify) -> None:
    assert verify({"vectors": []}).returncode == 1


@pytest.mark.parametrize("program", PROGRAMS)
def test_the_verifiers_lean_on_nothing(program: str) -> None:
    """What they import comes with their language."""
    lines = Path(PROGRAMS[program][-1]).read_text("utf-8").splitlines()
    imported = [line.split()[-1].strip('";') for line in lines if line.startswith("import ")]
    assert len(imported) >= 2
    if program == "python":
        assert set(imported) <= sys.stdlib_module_names
        assert not any(line.startswith("from ") for line in lines)
    else:
        assert all(name.startswith("node:") for name in imported)
