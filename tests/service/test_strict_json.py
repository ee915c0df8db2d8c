"""What the strict reading of a JSON text takes, and where it says that something is wrong."""

import time

import msgspec
import pytest

from service.http.problems import Fault, Problem
from service.http.strict_json import DEEPEST, parse
from service.wire.move import MoveRequest
from tests.service.tiny import Meld, Move, Pass


def faults(text: bytes | str) -> list[Fault]:
    """The faults of a text that has to be refused."""
    with pytest.raises(Problem) as refused:
        parse(text.encode() if isinstance(text, str) else text, Move)
    assert refused.value.name == "malformed"
    assert refused.value.status == 400
    # Whatever was sent, the problem can be written down, and stays short.
    assert len(refused.value.body("r1")) < 3000
    # `members` holds anything, and here faults.
    found: list[Fault] = refused.value.members["errors"]  # type: ignore[assignment]
    assert len(found) == 1
    return found


def pointer(text: bytes | str) -> str:
    return faults(text)[0].pointer


def move(member: str) -> str:
    return f'{{"actions": [], {member}}}'


def test_a_good_body_becomes_its_type() -> None:
    text = b'{"actions": [{"type": "meld", "cards": ["TS", "X4"]}, {"type": "pass"}], "seat": 3}'
    assert parse(text, Move) == Move(actions=[Meld(cards=["TS", "X4"]), Pass()], seat=3)


def test_white_space_and_escapes_are_as_json_has_them() -> None:
    assert parse(b' \t\r\n{"actions"\n:[],"name":"\\u0041\\ud83d\\ude00"} ', Move).name == "A😀"


@pytest.mark.parametrize("name", ["null", "true", "1", "", "[[[[", '"{', "\\"])
def test_a_text_stays_the_text_it_is(name: str) -> None:
    sent = msgspec.json.encode(Move(actions=[], name=name))
    assert parse(sent, Move).name == name


@pytest.mark.parametrize(
    "member",
    ['"seat": "2"', '"seat": 2.0', '"seat": true', '"seat": "null"', '"seat": 2e0', '"seat": []',
     '"ranked": 1', '"ranked": "true"', '"ranked": null', '"name": 5', '"name": null'],
)  # fmt: skip
def test_types_are_exact(member: str) -> None:
    assert pointer(move(member)) == "/" + member.split('"')[1]


@pytest.mark.parametrize(
    "number",
    ["4", "-1", "-0", "-0.0", "2147483648", "9007199254740993", "9223372036854775808",
     "18446744073709551617", "19933688932870350000", "1e999", "-1e999", "NaN", "Infinity",
     "-Infinity", "1" + "0" * 4299, "1" * 5000],
    ids=lambda number: number[:24],
)  # fmt: skip
def test_odd_numbers_are_refused_where_they_stand(number: str) -> None:
    assert pointer(move(f'"seat": {number}')) == "/seat"


@pytest.mark.parametrize("number", ["9007199254740992", "1e999", "NaN", "-0", "1" * 5000])
def test_odd_numbers_are_refused_where_any_value_may_stand(number: str) -> None:
    assert pointer(move(f'"options": {{"a/b~c": [0, {number}]}}')) == "/options/a~1b~0c/1"


@pytest.mark.parametrize(
    "card",
    ["10S", "ts", " TS", "TS ", "T♠", "1S", "0S", "TSTS", "nothing",
     "", "\uff34\uff33", "T\\u0000S",
     "XS", "X5", "X0", "AS\\n", "T", "S", "ST", "??"],
)  # fmt: skip
def test_a_bad_card_is_named_with_its_place(card: str) -> None:
    found = faults(f'{{"actions": [{{"type": "meld", "cards": ["TS", "{card}"]}}]}}')
    assert found[0].pointer == "/actions/0/cards/1"
    # The value is named as JSON writes it.
    assert f'"{card}"' in found[0].detail


def test_a_long_value_is_named_in_short() -> None:
    detail = faults(move(f'"seat": "{"x" * 9000}"'))[0].detail
    assert "x" * 40 in detail
    assert "x" * 41 not in detail


@pytest.mark.parametrize(
    ("text", "where", "named"),
    [
        ("{}", "/actions", "actions"),
        ('{"actions": [{"type": "meld"}]}', "/actions/0/cards", "cards"),
        ('{"actions": [{"cards": ["TS"]}]}', "/actions/0/type", "type"),
        ('{"actions": [{"type": "pass", "x/y": 1}]}', "/actions/0/x~1y", "x/y"),
        ('{"actions": [], "Seat": 1}', "/Seat", "Seat"),
        ('{"actions": [], "x` - at `$.name": 1}', "/x", "x"),
        ('{"actions": [{"type": "fly"}]}', "/actions/0/type", "fly"),
        ('{"actions": [{"type": 5}]}', "/actions/0/type", "5"),
        ('{"actions": [[]]}', "/actions/0", "a list of 0 items"),
        ('{"actions": {"a": 1}}', "/actions", "an object with 1 members"),
        ('{"actions": [{"type": "meld", "cards": []}]}', "/actions/0/cards", "a list of 0 items"),
    ],
)
def test_a_wrong_member_is_named_with_its_place(text: str, where: str, named: str) -> None:
    found = faults(text)
    assert found[0].pointer == where
    assert named in found[0].detail


def test_too_many_cards_are_counted_not_repeated() -> None:
    cards = ",".join(['"TS"'] * 10_000)
    found = faults(f'{{"actions": [{{"type": "meld", "cards": [{cards}]}}]}}')
    assert found[0].pointer == "/actions/0/cards"
    assert "10000" in found[0].detail


def test_a_very_long_way_is_told_as_far_as_it_goes() -> None:
    steps = [f"{step}{'x' * 98}" for step in range(9)] * 2
    opening = "".join(f'{{"{step}": ' for step in steps)
    found = pointer(move(f'"options": {opening}NaN{"}" * len(steps)}'))
    assert found == "/options/" + "/".join(steps[:9])


@pytest.mark.parametrize("text", ["[]", "null", "5", '"{}"', "true", "[{}]"])
def test_the_top_level_is_an_object(text: str) -> None:
    assert pointer(text) == ""


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ('{"actions": [], "actions": []}', "/actions"),
        ('{"actions": [{"type": "pass", "type": "pass"}]}', "/actions/0/type"),
        ('{"actions": [], "options": {"a": [{"b": 1, "c": 2, "b": 1}]}}', "/options/a/0/b"),
        ('{"actions": [], "unknown": {"b": 1, "b": 1}}', "/unknown/b"),
        ('{"actions": [], "n\\u0061me": "a", "name": "a"}', "/name"),
        ('{"\\ud800": 1, "\\ud800": 1}', ""),
    ],
)
def test_a_key_that_stands_twice_is_refused_at_every_level(text: str, where: str) -> None:
    assert pointer(text) == where
    assert "more than once" in faults(text)[0].detail


@pytest.mark.parametrize("half", ["\\ud800", "\\udfff", "\\uD83D", "a\\ude00\\ud83d"])
def test_half_a_character_is_refused(half: str) -> None:
    assert pointer(move(f'"name": "{half}"')) == "/name"
    assert pointer(move(f'"options": {{"a": ["{half}"]}}')) == "/options/a/0"
    assert pointer(move(f'"options": {{"{half}": 1}}')) == "/options"


@pytest.mark.parametrize(
    "text",
    [b"", b" ", b"{", b"}", b"{}}", b"{} {}", b"{'actions': []}", b'{"actions": [],}', b"actions=1",
     b'{"actions": [] // x\n}', b'{"actions": []}\x00', b'{"name": "a\nb"}', b'{"name": "\\x41"}',
     b'{"seat": 01}', b'{"seat": +1}', b'{"seat": 1_0}', b'{"seat": .5}', b'{"seat": 0x1}',
     b'{"name": "\xff"}', b'{"name": "\xed\xa0\x80"}', b'{"name": "\xc0\x80"}',
     b'\xef\xbb\xbf{"actions": []}', '{"actions": []}'.encode("utf-16"),
     '{"actions": []}'.encode("utf-16-le"), '{"actions": []}'.encode("utf-32")],
)  # fmt: skip
def test_what_is_no_json_in_utf_8_is_refused(text: bytes) -> None:
    assert pointer(text) == ""


def nested(levels: int, key: str = "options") -> bytes:
    """A move with an object of this many levels, the move itself the first of them."""
    return f'{{"actions": [], "{key}": {{"a": {"[" * (levels - 2)}{"]" * (levels - 2)}}}}}'.encode()


def test_nesting_is_taken_to_its_bound_and_no_further() -> None:
    parse(nested(DEEPEST), Move)
    for levels in (DEEPEST + 1, 900, 1_000, 20_000, 500_000):
        assert pointer(nested(levels)) == ""
        assert pointer(nested(levels, key="unknown")) == ""


@pytest.mark.parametrize("opening", [b"[", b'{"a":', b'[{"a":', b'"', b'"\\"', b"\\", b'{"'])
def test_endless_openings_are_refused_at_once(opening: bytes) -> None:
    began = time.process_time()
    for count in (2_000, 500_000):
        assert pointer(opening * count) == ""
    assert time.process_time() - began < 5


def test_brackets_within_a_text_do_not_nest() -> None:
    name = '[{"' * 1000 + "\\"
    assert parse(msgspec.json.encode(Move(actions=[], name=name)), Move).name == name


def test_a_hundred_thousand_members_are_refused_at_once() -> None:
    members = ",".join(f'"k{number}": 0' for number in range(100_000))
    began = time.process_time()
    assert pointer(f"{{{members}}}") == "/k0"
    assert pointer(f'{{{members}, "k7": 0}}') == "/k7"
    assert time.process_time() - began < 5


def test_a_pattern_is_told_as_the_contract_writes_it() -> None:
    with pytest.raises(Problem) as refused:
        parse(b'{"actions":[{"type":"discard","card":"1Z"}]}', MoveRequest)
    assert "'^([2-9TJQKA][CDHS]|X[1-4])$'; it is \"1Z\"" in refused.value.detail
