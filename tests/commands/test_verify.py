"""`referee verify`: which records are right, told for people and for programs."""

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from service.http.ndjson import LONGEST_LINE
from tests.commands.games import LONG, changed, played, record, recorded, text_of, with_a_bad_meld
from tests.commands.running import refusal, run

BAD, BAD_PLY = with_a_bad_meld(1)


def kept(folder: Path, **files: bytes) -> None:
    for name, text in files.items():
        (folder / name.replace("_", ".")).write_bytes(text)


def verdicts(*arguments: str | Path, stdin: bytes | None = None) -> list[dict[str, Any]]:
    """What `--json` prints."""
    done = run("verify", "--json", *arguments, stdin=stdin)
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_right_records_are_counted(tmp_path: Path) -> None:
    kept(tmp_path, one_json=record(0), two_ndjson=record(1) + b"\n" + record(2) + b"\n")
    done = run("verify", tmp_path / "one.json", tmp_path / "two.ndjson")
    assert (done.exit_code, done.stderr) == (0, "")
    assert done.stdout == "3 records: 3 right, 0 wrong, 0 unusable\n"


def test_a_wrong_record_is_named_with_its_line_its_ply_and_the_rule() -> None:
    done = run("verify", stdin=record(0) + b"\n\n" + BAD + b"\n" + record(2))
    told, summary = done.stdout.splitlines()
    assert done.exit_code == 1
    assert told.startswith(f"-:3  wrong at ply {BAD_PLY}: bad_meld (R-11, R-12, R-13, R-03): ")
    assert told.endswith(" more)")
    assert summary == "3 records: 2 right, 1 wrong, 0 unusable"


def test_what_is_wrong_beside_the_log_is_named_with_its_place() -> None:
    told = changed()
    told["result"]["winner"] = None
    done = run("verify", stdin=msgspec.json.encode(told))
    assert done.exit_code == 1
    assert done.stdout.startswith("-:1  wrong: /result/winner: does not follow from the deals\n")


def test_good_records_beside_bad_lines_are_judged() -> None:
    lines = [record(0), b"nonsense", b"\xff\xfe", b'{"format": 1}', BAD, record(1), record(2)[:900]]
    done = run("verify", "-", stdin=b"\r\n".join(lines))
    told = done.stdout.splitlines()
    assert done.exit_code == 2
    assert [line.partition("  ")[0] for line in told[:-1]] == ["-:2", "-:3", "-:4", "-:5", "-:7"]
    assert [line.split()[1].strip(":") for line in told[:-1]] == [
        *["unusable"] * 3,
        "wrong",
        "unusable",
    ]
    assert "UTF-8" in told[1]
    assert told[-1] == "7 records: 2 right, 1 wrong, 4 unusable"


def test_verdicts_as_json_are_those_of_the_contract_with_the_file(tmp_path: Path) -> None:
    kept(tmp_path, a_ndjson=record(0) + b"\n" + BAD + b"\nnonsense\n")
    right, wrong, none = verdicts(tmp_path / "a.ndjson")
    assert right["file"] == wrong["file"] == none["file"] == str(tmp_path / "a.ndjson")
    assert [one["line"] for one in (right, wrong, none)] == [1, 2, 3]
    assert [one["status"] for one in (right, wrong, none)] == ["right", "wrong", "unusable"]
    assert right["findings"] == []
    assert right["game"] == changed(0)["game"]
    assert wrong["first_wrong_ply"] == BAD_PLY
    assert wrong["findings"][0]["violation"] == "bad_meld"
    assert (none["game"], none["first_wrong_ply"]) == (None, None)


def test_a_document_may_have_many_lines(tmp_path: Path) -> None:
    kept(tmp_path, a_json=json.dumps(changed(), indent=2).encode(), b_json=BAD[:-1])
    kept(tmp_path, c_json=b"\n\n" + json.dumps(json.loads(BAD), indent=0).encode())
    one, other, third = verdicts(*(tmp_path / f"{name}.json" for name in "abc"))
    assert (one["status"], other["status"], third["status"]) == ("right", "unusable", "wrong")


def test_a_cut_first_line_is_no_document() -> None:
    done = run("verify", stdin=record(0)[:500] + b"\n" + record(1) + b"\n" + record(2))
    assert done.stdout.splitlines()[-1] == "3 records: 2 right, 0 wrong, 1 unusable"


def test_patterns_find_files_in_folders(tmp_path: Path) -> None:
    folder = tmp_path / "a" / "b"
    (folder / "c.json").mkdir(parents=True)
    kept(folder, x_json=record(0))
    kept(tmp_path, y_json=BAD, z_txt=b"")
    found = verdicts(tmp_path / "**" / "*.json")
    assert [Path(one["file"]).name for one in found] == ["x.json", "y.json"]
    kept(tmp_path, **{"[y]_json": record(2)})
    # A file of that very name is not a pattern.
    assert verdicts(tmp_path / "[y].json")[0]["status"] == "right"


def test_files_that_cannot_be_read_do_not_stop_the_others(tmp_path: Path) -> None:
    kept(tmp_path, empty_json=b"\n \n", good_json=record(0))
    names = [tmp_path / name for name in ("none.json", "*.bad", "empty.json", "good.json", "")]
    done = run("verify", *names)
    assert done.exit_code == 2
    told = done.stderr.splitlines()
    assert [line.rpartition(": ")[2] for line in told] == [
        "No such file or directory",
        "no file matches",
        "holds no record",
        "Is a directory",
    ]
    assert done.stdout == "1 record: 1 right, 0 wrong, 0 unusable; not read: 4 files\n"


@pytest.mark.parametrize("version", [b"record/2", b"record/11"])
def test_another_version_is_unusable(version: bytes) -> None:
    (told,) = verdicts(stdin=record(0).replace(b"record/1", version))
    assert told["status"] == "unusable"
    assert told["findings"][0]["pointer"] == "/format"


def test_a_game_of_ten_thousand_plies_with_a_fault_in_the_last(tmp_path: Path) -> None:
    game, log = played(1, "random", **LONG)
    assert game.ply > 9_000
    told = json.loads(recorded(game, log))
    told["log"][-1]["deal"] -= 1
    kept(tmp_path, long_ndjson=recorded(game, log) + b"\n" + msgspec.json.encode(told))
    right, wrong = verdicts("--jobs", "1", tmp_path / "long.ndjson")
    assert right["status"] == "right"
    assert wrong["first_wrong_ply"] == game.ply
    assert [one["pointer"] for one in wrong["findings"]] == [f"/log/{game.ply - 1}/deal"]


def test_a_line_without_end_is_not_kept(tmp_path: Path) -> None:
    with (tmp_path / "a.ndjson").open("wb") as file:
        file.write(b"[" * (LONGEST_LINE + 1) + b"\n" + record(0) + b"\n")
        file.write(b"[" * (LONGEST_LINE + 70_000))
    long, right, last = verdicts("--jobs", "1", tmp_path / "a.ndjson")
    assert [one["line"] for one in (long, right, last)] == [1, 2, 3]
    assert [one["status"] for one in (long, right, last)] == ["unusable", "right", "unusable"]
    assert str(LONGEST_LINE) in long["findings"][0]["detail"]


def test_transcripts_are_judged_too(tmp_path: Path) -> None:
    text = text_of()
    first = next(line for line in text.splitlines() if line.startswith("1. "))
    drawn = first.split()[2]
    other = "+2C" if drawn != "+2C" else "+3C"
    kept(
        tmp_path,
        a_txt=f"# a game\n\n{text}".encode(),
        b_txt=text.replace(first, first.replace(drawn, other), 1).encode(),
        c_txt=text.replace(first, "1. 1 pass", 1).encode(),
        d_txt=b"\n\n" + text.replace("deal 1", "deal one").encode(),
        e_txt=text.encode() + b"\xff",
        f_txt=text[: text.index("2. ")].encode(),
    )
    told = run("verify", *(tmp_path / f"{name}.txt" for name in "abcdef")).stdout.splitlines()
    assert told[0] == f"{tmp_path}/b.txt:1  wrong at ply 1: {drawn[1:]} was drawn"
    assert told[1].startswith(f"{tmp_path}/c.txt:1  wrong at ply 1: pass_not_allowed (R-26, G-28)")
    line = 3 + text.splitlines().index("deal 1")
    assert told[2].startswith(f"{tmp_path}/d.txt:3  unusable: line {line}: ")
    assert "UTF-8" in told[3]
    assert told[4].endswith("wrong: the game is not over after the last line")
    assert told[5] == "6 records: 1 right, 3 wrong, 2 unusable"


def test_odd_names_and_texts_do_not_reach_the_terminal(tmp_path: Path) -> None:
    name = tmp_path / "a\x1b[31m\udcff.json"
    name.write_bytes(b'{"\xc2\x9b31m": 1}')
    done = run("verify", name)
    assert not {"\x1b", "\x9b", "\udcff"} & set(done.stdout)
    assert "unusable" in done.stdout
    assert verdicts(name)[0]["file"].endswith("a\x1b[31m?.json")


def test_wrong_options_are_a_line() -> None:
    assert "--jobs" in refusal("verify", "--jobs", "0")
    assert "--deep" in refusal("verify", "--deep")
    for told in ("FILE", "NDJSON", "--json", "--jobs", "exit status"):
        assert told in run("verify", "--help").stdout
