"""Games and actions written down and read back."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as some
from msgspec.structs import replace

from engine.actions import Action, Discard, DrawDiscard, DrawStock, LayOff, Meld, Pass
from engine.cards import Card, Seat, card, in_order
from engine.game import Entry, Forfeit, Game, Opening, SeatTaken, advance, entry, fold, open_game
from engine.notation import action, read_token, text, token
from engine.play import IllegalAction, legal_actions
from engine.records.transcript import written
from engine.records.transcript_reading import Transcript, TranscriptError, read
from engine.ruleset import resolve
from tests.engine.random_play import choose, shuffled, tempers
from tests.engine.rulesets import CHOSEN

SECRET = bytes(range(32))
NAMED = ("north", "east", "south", "west")
PACKS = tuple(shuffled(resolve("persian", {}), Random(f"pack {number}")) for number in range(2))

one_card = some.integers(0, 55).map(Card)
some_cards = some.lists(one_card, min_size=1, max_size=8).map(in_order)
any_action = some.one_of(
    some.just(DrawStock()),
    some.just(Pass()),
    some.builds(DrawDiscard, one_card),
    some.builds(Discard, one_card),
    some.builds(Meld, some_cards),
    some.builds(LayOff, some_cards, some.integers(0, 10**6)),
)


@given(any_action)
def test_an_action_comes_back_as_it_was(one: Action) -> None:
    assert action(text(one)) == one


@given(any_action, some.none() | one_card)
def test_a_short_word_comes_back_as_it_was(one: Action, drawn: Card | None) -> None:
    told = drawn if isinstance(one, DrawStock) else None
    assert read_token(token(one, told)) == (one, told)


@pytest.mark.parametrize(
    ("word", "line"),
    [
        ("+", "draw_stock"),
        ("<9D", "draw_discard 9D"),
        ("=4D4H4S", "meld 4D 4H 4S"),
        ("=4S4D4H", "meld 4D 4H 4S"),
        ("=X1X2X3", "meld X1 X2 X3"),
        ("8S9S>1", "lay_off 8S 9S on 1"),
        ("-KC", "discard KC"),
        ("pass", "pass"),
        ("=4S4S4D", "meld 4D 4S 4S"),
    ],
)
def test_short_words(word: str, line: str) -> None:
    assert read_token(word) == (action(line), None)


def test_a_draw_may_tell_its_card() -> None:
    assert read_token("+5C") == (DrawStock(), card("5C"))


BAD_WORDS = [
    "", "5C", "=", "=5", "=5C6", "-", "-5", "<", "<5C6C", "+5", "+5C6C", "8S>", ">1", "8S>x",
    "8S>-1", "8S>²", "PASS", "=5c", "=10C", "-TH ", "8S>1>2", "draw",
]  # fmt: skip


@pytest.mark.parametrize("word", BAD_WORDS)
def test_bad_words(word: str) -> None:
    with pytest.raises(ValueError, match=r"written|named"):
        read_token(word)


@pytest.mark.parametrize(
    "line", ["", "meld", "meld 5C  x", "draw", "lay_off 5C", "lay_off 5C on x", "discard 5C 6C"]
)
def test_bad_lines(line: str) -> None:
    with pytest.raises(ValueError, match=r"written|named"):
        action(line)


# --- whole games ---


def random_log(opening: Opening, chance: Random, entries: int = 10**6) -> tuple[list[Entry], Game]:
    """A random game of so many entries at most; open seats are taken first."""
    game, log, seats = open_game(opening), list[Entry](), tempers(chance)
    while game.result is None and len(log) < entries:
        if game.state is None:
            seat = game.open_seats[-1]
            seed = chance.choice(["", "00ff", "a" * 64])
            step: object = SeatTaken(chance.choice(['a "b" \\ #', "Zoë 🂡", " x "]), seed)
        elif chance.random() < 0.001:
            seat = Seat(chance.randrange(4))
            # An index gives a letter, and the letter is a team.
            step = Forfeit("AB"[seat % 2])  # type: ignore[arg-type]
        else:
            seat = game.state.turn
            step = choose(legal_actions(game.state), seats[seat], chance)
        # The seat is a plain number here.
        log.append(entry(game, seat, step, 0))  # type: ignore[arg-type]
        # The seat is a plain number here.
        game = advance(game, seat, step)  # type: ignore[arg-type]
    return log, game


@pytest.mark.parametrize("name", CHOSEN)
def test_a_game_comes_back_as_it_was(name: str) -> None:
    preset, options = CHOSEN[name]
    chance = Random(f"transcript {name}")
    opening = Opening(
        preset=preset,
        options=options,
        team_formation=chance.choice(["assigned", "draw"]),
        # Four names, and mypy cannot count them.
        players=tuple(None if chance.random() < 0.3 else one for one in NAMED),  # type: ignore[arg-type]
        secret=chance.randbytes(32),
        given=chance.random() < 0.5,
    )
    log, game = random_log(opening, chance, 400)
    told = written(opening, log)
    assert read(told) == Transcript(opening, tuple(log))
    assert fold(*as_read(told)).hash == game.hash
    assert written(*as_read(told)) == told


def as_read(told: str) -> tuple[Opening, tuple[Entry, ...]]:
    found = read(told)
    return found.opening, found.entries


@pytest.mark.parametrize("entries", [0, 1, 2, 3, 17, 40])
def test_a_game_in_progress_comes_back_as_it_was(entries: int) -> None:
    opening = Opening(players=("n", None, "s", None), secret=SECRET)
    log, _ = random_log(opening, Random(entries), entries)
    assert read(written(opening, log)) == Transcript(opening, tuple(log))


def test_a_game_with_given_packs_comes_back_as_it_was() -> None:
    opening = Opening(players=NAMED, packs=PACKS, given=True, dealer=Seat(2))
    log, _ = random_log(opening, Random("packs"))
    assert read(written(opening, log)) == Transcript(opening, tuple(log))


def test_a_blocked_deal_and_a_forfeit_come_back_as_they_were() -> None:
    opening = Opening(players=NAMED, secret=SECRET, options={"hand_size": 12})
    game, log = open_game(opening), list[Entry]()
    while game.ledgers == () and game.state is not None:
        seat, step = game.state.turn, legal_actions(game.state)
        log.append(
            entry(
                game,
                seat,
                next(
                    (one for one in step if isinstance(one, Pass)),
                    choose(step, {Meld: 0, LayOff: 0, DrawDiscard: 0}, Random(1)),
                ),
                0,
            )
        )
        game = advance(game, seat, log[-1].step)
    assert game.ledgers[0].ended == "blocked"
    log.append(Entry(0, Seat(2), Forfeit("A")))
    told = written(opening, log)
    assert read(told) == Transcript(opening, tuple(log))
    assert "pass" in told
    assert told.endswith("forfeit A 2\n# forfeit\n")


def test_times_and_who_may_watch_are_not_kept() -> None:
    opening = Opening(players=NAMED, secret=SECRET)
    private = replace(opening, visibility="private", organiser_sees_all=True, require_if_match=True)
    log = [Entry(123, Seat(1), DrawStock(), card("2C"))]
    found = read(written(private, log))
    assert found.opening == opening
    assert found.entries[0].at == 0


def test_a_log_that_does_not_follow_is_not_written() -> None:
    with pytest.raises(IllegalAction):
        written(Opening(players=NAMED, secret=SECRET), [Entry(0, Seat(0), DrawStock())])


GAME = """\
persian-rummy-game/1
rules 1
ruleset persian {"go_out_bonus":0}
teams assigned
dealer 0
player "north"
player open
player "south"
player "west"
chance drawn
secret 000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f
seat 1 00ff "east"
# the first deal
deal 1

1. 1 +4D -5C
2. 2 +
"""


def test_a_text_as_people_write_it() -> None:
    found = read(GAME)
    assert found.opening == Opening(
        players=("north", None, "south", "west"), secret=SECRET, options={"go_out_bonus": 0}
    )
    assert found.entries == (
        Entry(0, Seat(1), SeatTaken("east", "00ff")),
        Entry(0, Seat(1), DrawStock(), card("4D")),
        Entry(0, Seat(1), Discard(card("5C"))),
        Entry(0, Seat(2), DrawStock()),
    )


@pytest.mark.parametrize(
    ("line", "instead", "detail"),
    [
        (1, "persian-rummy-game/2", "missing"),
        (1, "persian-rummy-game/1 x", "too much"),
        (2, "rules 2", "is not 1"),
        (2, None, "missing"),
        (3, "ruleset bridge", "no preset"),
        (3, 'ruleset persian {"jokers":3}', "one of"),
        (3, 'ruleset persian {"jokers":', "truncated"),
        (3, "ruleset persian " + '{"a":' * 5000, "recursion"),
        (4, "teams random", "assigned or draw"),
        (5, "dealer 4", "is not"),
        (6, "player north", "malformed"),
        (7, 'player "a" "b"', "malformed"),
        (9, None, "missing"),
        (10, "chance good", "drawn or given"),
        (11, "secret 00", "64 hex"),
        (11, "pack 2C", "there are 2 deals"),
        (11, "pack 2C 2Z", "no card"),
        (11, None, "missing"),
        (12, 'seat 4 "east"', "no part"),
        (12, 'seat 1 00FF "east"', "no part"),
        (12, 'seat 1 "east', "no part"),
        (12, 'seat 1 "e"ast"', "malformed"),
        (14, "deal 2", "does not come after"),
        (14, None, "nothing has been dealt"),
        (16, "1. 4 +", "no part"),
        (16, "1. 1", "no part"),
        (16, "2. 1 +4D -5C", "does not come after"),
        (16, "1. 1 +4D -5Z", "no card"),
        (16, "1. 1 +4D 5C", "no action"),
        (17, "2. 2 + = ", "no cards"),
        (17, "forfeit C 1", "no part"),
        (17, "forfeit A 1 x", "no part"),
        (17, "hello", "no part"),
    ],
)  # fmt: skip
def test_a_bad_line_is_told_by_its_number(line: int, instead: str | None, detail: str) -> None:
    lines = GAME.split("\n")
    lines[line - 1 : line] = [] if instead is None else [instead]
    with pytest.raises(TranscriptError, match=detail) as raised:
        read("\n".join(lines))
    # Where a deal's line is missing, its first turn tells.
    expected = 15 if (line, instead) == (14, None) else line
    assert raised.value.line == expected
    assert str(raised.value).startswith(f"line {expected}: ")


def test_given_packs_must_be_packs() -> None:
    told = written(Opening(players=NAMED, packs=PACKS, given=True), [])
    with pytest.raises(TranscriptError, match=r"line 11: pack 2: a pack holds each"):
        read(told.replace(" 2C", " 3C", 2).replace(" 3C", " 2C", 1))
    with pytest.raises(TranscriptError, match="as many packs"):
        read(told + told.split("\n")[-2])


def test_a_text_that_breaks_off_is_told_by_its_last_line() -> None:
    with pytest.raises(TranscriptError, match="'dealer' is missing") as raised:
        read("\n".join(GAME.split("\n")[:4]))
    assert raised.value.line == 4


@given(some.text(max_size=200))
def test_no_text_makes_the_reader_stumble(told: str) -> None:
    with pytest.raises(TranscriptError):
        read(told)


@given(some.data())
def test_no_change_of_a_line_makes_the_reader_stumble(data: some.DataObject) -> None:
    lines = GAME.split("\n")
    at = data.draw(some.integers(0, len(lines) - 1))
    where = data.draw(some.integers(0, len(lines[at])))
    lines[at] = lines[at][:where] + data.draw(some.text(max_size=5)) + lines[at][where + 1 :]
    refused = error_of("\n".join(lines))
    assert refused is None or 1 <= refused.line <= len(lines) + 5


def error_of(told: str) -> TranscriptError | None:
    try:
        read(told)
    except TranscriptError as error:
        return error
    return None
