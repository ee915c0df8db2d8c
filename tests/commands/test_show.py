"""`referee show`: a recorded game as text, as a table, as a position, and as notation."""

import json
import re
from pathlib import Path

import msgspec
import pytest

from engine.game import Forfeit, Opening, SeatTaken
from engine.judging.position import full_position
from service.wire import position as wire
from service.wording import positions
from tests.commands.games import (
    by_hand,
    on,
    played,
    record,
    recorded,
    text_of,
    with_a_bad_meld,
)
from tests.commands.running import on_a_terminal, refusal, run

GAME, LOG = by_hand(
    "1 draw_stock",
    "1 meld 4S 4D 4H",
    "1 discard 5C",
    "2 draw_stock",
    "2 discard TH",
    "3 draw_stock",
    "3 discard JD",
    "0 draw_stock",
    "0 discard JC",
)
RECORD = recorded(GAME, LOG)


def lines(*arguments: str | Path, stdin: bytes = RECORD) -> list[str]:
    done = run("show", *arguments, stdin=stdin)
    assert (done.exit_code, done.stderr) == (0, "")
    return [line.rstrip() for line in done.stdout.splitlines()]


def test_a_game_is_told_ply_by_ply() -> None:
    told = lines()
    assert told[:14] == [
        'Rules: persian, game_end={"deals":1}, hand_size=3',
        "Seat 0, team A: north",
        "Seat 1, team B: east",
        "Seat 2, team A: south",
        "Seat 3, team B: west",
        "",
        "Deal 1, dealt by north",
        "  east   4D 4H 4S",
        "  south  7C QD 3H",
        "  west   AC JD 6S",
        "  north  8C KD 2H",
        "  pile   9D",
        told[12],
        "    1  east   draws 5C  (holds 5C 4D 4H 4S)",
    ]
    assert told[12].startswith("  stock  5C TH 6D JC 2C ")
    assert told[14:17] == [
        "    2  east   melds 4D 4H 4S as meld 1  (holds 5C)",
        "    3  east   discards 5C  (holds no card; stock 42, pile 2)",
        "    4  south  draws TH  (holds 7C QD 3H TH)",
    ]
    plies = [int(line[:5]) for line in told if re.match(r" +\d+  (north|east|south|west) ", line)]
    assert plies == list(range(1, GAME.ply + 1))


def test_takes_and_lay_offs_tell_what_they_came_with() -> None:
    told = "\n".join(lines())
    assert "west   lays 4C on meld 1, 4D 4H 4S  (holds AC 6D 6S)" in told
    assert "north  takes JD with JC 2C QD AC  (holds 2C 8C JC AC JD QD KD 2H)" in told


def test_a_deal_ends_with_who_played_what_and_the_account() -> None:
    told = lines()
    end = told.index("The end of deal 1: west went out")
    rest = [" ".join(line.split()) for line in told[end:]]
    assert "1 set 4C 4D 4H 4S east 4D 4H 4S; west 4C" in rest
    assert "B west melded 1 4C 4" in rest
    assert "A north left in hand 2C 8C TC 2H -22" in rest
    assert rest[-3:] == ["Scores: A -5, B 89; totals: A -5, B 89", "", "Team B wins: A -5, B 89"]


def test_each_deal_of_a_game_is_dealt_and_ended() -> None:
    told = lines(stdin=record(3))
    for number in (1, 2):
        begun = next(at for at, line in enumerate(told) if line.startswith(f"Deal {number}, dealt"))
        ended = next(
            at for at, line in enumerate(told) if line.startswith(f"The end of deal {number}: ")
        )
        assert begun < ended
    game, _ = played(3)
    for ledger in game.ledgers:
        assert ledger.scores is not None
        assert any(line.startswith("Scores: A {}, B {};".format(*ledger.scores)) for line in told)


def test_four_at_once_and_passes_are_told() -> None:
    told = "\n".join(lines(stdin=recorded(*played(0, "random", hand_size=12))))
    assert "passes  (holds " in told
    for number in range(30):
        told = "\n".join(lines(stdin=record(number)))
        if "counts double" in told:
            assert "four at once, doubled" in told
            return
    raise AssertionError("no game has four at once")


def test_who_sits_down_and_who_gives_up() -> None:
    start = Opening(players=("north", None, "south", None), secret=bytes(32))
    sitting = [(3, SeatTaken("west", "ff")), (1, SeatTaken("east"))]
    record = recorded(*on(start, first=[*sitting, (2, Forfeit("A"))]))
    told = lines(stdin=record)
    assert told[1:5] == [
        "Seat 0, team A: north",
        "Seat 1, team B: seat 1",
        "Seat 2, team A: south",
        "Seat 3, team B: seat 3",
    ]
    assert told[5:9] == [
        "    1  west    sits down",
        "    2  east   sits down",
        "",
        "Deal 1, dealt by north",
    ]
    assert told[-5:] == [
        "    3  south  gives up for team A",
        "",
        "The end of deal 1: given up",
        "",
        "Team B wins by forfeit: A 0, B 0",
    ]
    assert "had been dealt at ply 1" in run("show", "--at", "1", stdin=record).stderr
    assert run("show", "--at", "1", "--json", stdin=record).exit_code == 2
    assert lines("--at", "2", stdin=record)[0] == "Ply 2: east sits down"


def test_a_name_cannot_steer_the_terminal() -> None:
    text = text_of(2).replace('player "greedy"', 'player "\\u001b[2J"', 1)
    assert "Seat 0, team A: �[2J" in lines(stdin=text.encode())


def test_the_table_as_of_a_ply() -> None:
    told = lines("--at", "2")
    assert told[:6] == [
        "Ply 2: east melds 4D 4H 4S as meld 1",
        "Deal 1, dealt by north; east is to play",
        "  east   5C",
        "  south  7C QD 3H",
        "  west   AC JD 6S",
        "  north  8C KD 2H",
    ]
    assert told[7].startswith("  stock  TH 6D JC ")
    assert any(line.split()[:3] == ["1", "set", "4D"] for line in told)
    assert told[-1] == "on the table A 0, B 12; from deals that are over A 0, B 0"
    assert lines("--at", "0")[0] == "Deal 1, dealt by north; east is to draw"
    take = next(at for at, line in enumerate(lines()) if "takes JD" in line)
    ply = lines()[take].split()[0]
    assert "is to play JD, which came from the pile" in lines("--at", ply)[1]
    assert lines("--at", str(GAME.ply))[1] == "Deal 1, dealt by north; it is over"


def test_the_position_at_a_ply_is_that_of_the_contract() -> None:
    (told,) = lines("--json", "--at", "2")
    position = json.loads(told)
    assert position["hands"] == [["8C", "KD", "2H"], ["5C"], ["7C", "QD", "3H"], ["AC", "JD", "6S"]]
    assert position["melds"][0]["cards"][0] == {"card": "4D", "seat": 1}
    (last,) = lines("--json")
    assert GAME.state is not None
    read = msgspec.json.decode(last, type=wire.Position)
    assert positions.to_engine(read) == full_position(GAME.state, GAME.totals)


def test_notation_reads_back() -> None:
    done = run("show", "--notation", stdin=record(2))
    assert done.stdout == text_of(2)
    again = run("show", "--notation", stdin=done.stdout.encode())
    assert again.stdout == done.stdout
    assert run("show", stdin=done.stdout.encode()).stdout == run("show", stdin=record(2)).stdout
    assert run("show", "--notation", "--at", "0", stdin=record(2)).stdout.endswith("\n")
    assert "1. " not in run("show", "--notation", "--at", "0", stdin=record(2)).stdout


def test_a_line_of_many_is_chosen(tmp_path: Path) -> None:
    file = tmp_path / "a.ndjson"
    file.write_bytes(record(0) + b"\n\n" + RECORD + b"\nnonsense\n")
    assert lines(file, "--line", "3") == lines()
    assert "--line" in refusal("show", file)
    assert "line 2" in refusal("show", file, "--line", "2")
    assert "no JSON" in refusal("show", file, "--line", "4")
    assert "--line" in refusal("show", file, "--line", "0")


def test_a_game_is_shown_as_far_as_it_can_be_played() -> None:
    bad, ply = with_a_bad_meld(1)
    for options in ([], ["--at", str(ply + 1)], ["--json"], ["--notation"]):
        done = run("show", *options, stdin=bad)
        assert done.exit_code == 1
        assert done.stderr.startswith(f"referee: ply {ply} cannot be played: ")
    assert f"\n{ply - 1:>5}  " in run("show", stdin=bad).stdout
    assert run("show", "--at", str(ply - 1), stdin=bad).exit_code == 0
    assert run("show", "--notation", stdin=bad).stdout.startswith("persian-rummy-game/1\n")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (b"", "holds no record"),
        (b"{}", "/format"),
        (b"\xff", "UTF-8"),
        (b"persian-rummy-game/1\nrules 2\n", "line 2"),
        (b"persian-rummy-game/1\n\xff", "UTF-8"),
        (RECORD.replace(b'"persian"', b'"bridge"'), "/ruleset/preset"),
        (RECORD.replace(b'"secret":null', b'"secret":"' + b"0" * 64 + b'"'), "/secret"),
        (RECORD.replace(b'"packs":[["4S"', b'"packs":[["KD"'), "/packs/0"),
    ],
)
def test_what_is_no_game_is_a_line(text: bytes, reason: str) -> None:
    assert reason in refusal("show", stdin=text)


def test_other_wrong_values_are_a_line(tmp_path: Path) -> None:
    assert f"has {GAME.ply} plies" in refusal("show", "--at", str(GAME.ply + 1), stdin=RECORD)
    assert "exclude" in refusal("show", "--json", "--notation", stdin=RECORD)
    assert "No such file" in refusal("show", tmp_path / "none")
    assert "--at" in refusal("show", "--at", "-1")
    assert "extra argument" in refusal("show", "a", "b")
    for told in ("FILE", "--at", "--line", "--json", "--notation", "exit status"):
        assert told in run("show", "--help").stdout


def test_a_terminal_sees_colours(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_bytes(RECORD)
    status, shown = on_a_terminal("show", tmp_path / "a.json")
    assert status == 0
    assert "\x1b[31m4H\x1b[0m" in shown
    assert "\x1b[32m5C\x1b[0m" in shown
