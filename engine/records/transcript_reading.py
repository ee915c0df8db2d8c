"""Reading the text of a game; what it may hold is said in `transcript`.

Whether its actions are legal is not judged here: that is for whoever plays them.
"""

import re
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Final, TypeVar

import msgspec
from msgspec import Struct

from engine.cards import SEATS, Seat, sequence
from engine.game import Entry, Forfeit, Formation, Opening, SeatTaken
from engine.notation import read_token
from engine.records.packs import pack_faults
from engine.records.transcript import TITLE
from engine.ruleset import RULES_VERSION, Ruleset, resolve

Value = TypeVar("Value")
Lines = deque[tuple[int, str]]
"""The lines that say something, with their numbers; an end after them while the opening is read."""

_SECRET: Final = re.compile(r"[0-9a-f]{64}")
_SEAT: Final = re.compile(r'seat ([0-3])(?: ([0-9a-f]{1,64}))? (".*")')
_FORFEIT: Final = re.compile(r"forfeit ([AB]) ([0-3])")
_DEAL: Final = re.compile(r"deal ([1-9][0-9]?)")
_TURN: Final = re.compile(r"([1-9][0-9]{0,3})\. ([0-3])((?: \S+)+)")


class TranscriptError(ValueError):
    """A line of a text that says no part of a game; the first line has number 1."""

    def __init__(self, line: int, detail: str) -> None:
        super().__init__(f"line {line}: {detail}")
        self.line = line
        self.detail = detail


class Transcript(Struct, frozen=True):
    """A game as its text tells it: no entry has its time."""

    opening: Opening
    entries: tuple[Entry, ...]


def read(text: str) -> Transcript:
    """The game that a text tells. Raises TranscriptError where a line is bad."""
    numbered = [(number, line.strip()) for number, line in enumerate(text.split("\n"), start=1)]
    lines = deque(one for one in numbered if one[1] and not one[1].startswith("#"))
    lines.append((len(numbered), ""))
    opening = _opening(lines)
    lines.pop()
    return Transcript(opening, tuple(_entries(lines)))


# --- the opening ---


def _opening(lines: Lines) -> Opening:
    _take(lines, TITLE, _nothing)
    _take(lines, "rules", _one_of(RULES_VERSION))
    preset, options = _take(lines, "ruleset", _ruleset)
    formation: Formation = (
        "draw" if _take(lines, "teams", _one_of("assigned", "draw")) == "draw" else "assigned"
    )
    dealer = _take(lines, "dealer", _one_of("0") if formation == "draw" else _one_of(*"0123"))
    a, b, c, d = (_take(lines, "player", _player) for _ in SEATS)
    is_given = _take(lines, "chance", _one_of("drawn", "given")) == "given"
    is_secret = lines[0][1].startswith("secret ")
    return Opening(
        preset=preset,
        options=options,
        team_formation=formation,
        dealer=Seat(int(dealer)),
        players=(a, b, c, d),
        secret=_take(lines, "secret", _secret) if is_secret else None,
        packs=None if is_secret else _packs(lines, resolve(preset, options), formation),
        given=is_given,
    )


def _take(lines: Lines, word: str, meaning: Callable[[str], Value]) -> Value:
    """What the next line means, which must begin with this word."""
    number, line = lines.popleft() if len(lines) > 1 else lines[0]
    first, _, rest = line.partition(" ")
    if first != word:
        raise TranscriptError(number, f"a line that begins with {word!r} is missing")
    with _at(number):
        return meaning(rest)


@contextmanager
def _at(number: int) -> Iterator[None]:
    """Whatever is wrong inside is wrong with this line."""
    try:
        yield
    except TranscriptError:
        raise
    except (ValueError, msgspec.MsgspecError, RecursionError) as error:
        raise TranscriptError(number, str(error)) from error


def _nothing(rest: str) -> None:
    if rest:
        raise ValueError(f"{rest!r} is too much")


def _one_of(*words: str) -> Callable[[str], str]:
    def chosen(rest: str) -> str:
        if rest not in words:
            raise ValueError(f"{rest!r} is not {' or '.join(words)}")
        return rest

    return chosen


def _ruleset(rest: str) -> tuple[str, Mapping[str, object]]:
    preset, _, options = rest.partition(" ")
    chosen = msgspec.json.decode(options, type=dict[str, object]) if options else {}
    resolve(preset, chosen)
    return preset, chosen


def _player(rest: str) -> str | None:
    return None if rest == "open" else msgspec.json.decode(rest, type=str)


def _secret(rest: str) -> bytes:
    if not _SECRET.fullmatch(rest):
        raise ValueError("a secret has 64 hex digits")
    return bytes.fromhex(rest)


def _packs(lines: Lines, ruleset: Ruleset, formation: Formation) -> tuple[bytes, ...]:
    number, packs = lines[0][0], [_take(lines, "pack", sequence)]
    while lines[0][1].startswith("pack "):
        packs.append(_take(lines, "pack", sequence))
    with _at(number):
        for fault in pack_faults(packs, ruleset, formation):
            which = f"pack {int(fault.path[0]) + 1}: " if fault.path else ""
            raise ValueError(which + fault.detail)
    return tuple(packs)


# --- the entries ---


def _entries(lines: Lines) -> Iterator[Entry]:
    deal = turn = 0
    for number, line in lines:
        with _at(number):
            if taken := _SEAT.fullmatch(line):
                seat, seed, name = taken.groups()
                yield Entry(
                    0, Seat(int(seat)), SeatTaken(msgspec.json.decode(name, type=str), seed or "")
                )
            elif given_up := _FORFEIT.fullmatch(line):
                yield Entry(0, Seat(int(given_up[2])), Forfeit("A" if given_up[1] == "A" else "B"))
            elif dealt := _DEAL.fullmatch(line):
                deal, turn = _next(deal, dealt[1], "deal"), 0
            elif played := _TURN.fullmatch(line):
                if not deal:
                    raise ValueError("nothing has been dealt")
                turn = _next(turn, played[1], "turn")
                yield from _turn(Seat(int(played[2])), played[3].split())
            else:
                raise ValueError(f"{line!r} is no part of a game")


def _next(last: int, said: str, what: str) -> int:
    if int(said) != last + 1:
        raise ValueError(f"{what} {said} does not come after {what} {last}")
    return last + 1


def _turn(seat: Seat, words: list[str]) -> Iterator[Entry]:
    for word in words:
        action, drawn = read_token(word)
        yield Entry(0, seat, action, drawn)
