"""Lines that no service has written, each with a sum that fits."""

import json
import random
from collections.abc import Iterator, Sequence
from hashlib import sha256
from typing import Any, Final, cast

import msgspec

from engine.actions import Action, cards_named
from engine.cards import PACK_SIZE
from engine.game import fold
from engine.play import IllegalAction
from service.backup.shapes import PrivateGame
from service.store.codec import LAST_MOMENT
from tests.service.tables import Json

DEEP: Final[list[Any]] = json.loads("[" * 900 + "]" * 900)
UNPLAYABLE: Final = (
    ArithmeticError, AssertionError, IllegalAction, LookupError, RecursionError, TypeError,
    ValueError,
)  # fmt: skip
ODD: Final[tuple[Any, ...]] = (
    *(-1, 0, 1, 3, 4, 56, 255, 2**31, 2**48 - 1, 2**48, LAST_MOMENT, LAST_MOMENT + 1),
    *(-(2**63), 2**63 - 1, 2**63, 2**64, 10**12, 10**30, 1.5, 1e300),
    *("", "x", "0", "\0", "\ud800", "\x1b[2J", "private", "aaaa", "a" * 20, "a" * 200_000),
    *(None, True, [], {}, [[]], [1], {"a": 1}, DEEP),
)


def resealed(line: bytes, **changes: object) -> bytes:
    """A line that somebody has changed, with a sum that fits."""
    told = bare(line)
    told["private"] |= {name: value for name, value in changes.items() if name in told["private"]}
    told |= {name: value for name, value in changes.items() if name in told}
    return sealed_text(told)


def bare(line: bytes) -> Json:
    """What a line says, without its sum."""
    told: Json = json.loads(line)
    del told["sha256"]
    return told


def sealed_text(told: object) -> bytes:
    """Sealed as text: it need not be a line that we would write."""
    body = json.dumps(told, separators=(",", ":")).encode()[:-1]
    return body + sum_of(body)


def sum_of(body: bytes) -> bytes:
    """The end of a line."""
    return b',"sha256":"' + sha256(body).hexdigest().encode() + b'"}\n'


def odd_lines(lines: Sequence[bytes], count: int, seed: int) -> Iterator[bytes]:
    """So many odd lines, made of these."""
    chance = random.Random(seed)
    for number in range(count):
        told = bare(chance.choice(lines))
        if "game" in told:
            told["game"] = f"{number:020d}"
        _spoil(told, chance)
        if "hash" in told and chance.random() < 0.7:
            make_it_fit(told)
        yield sealed_text(told)


def _spoil(told: Json, chance: random.Random) -> None:
    """Put something odd in some place, be it deep."""
    places = [(holder, key) for holder, key in _places(told) if key != "record"]
    holder, key = chance.choice(places)
    alike = [odd for odd in ODD if type(odd) is type(holder[key])]
    if chance.random() < 0.1:
        del holder[key]
    elif chance.random() < 0.2:
        other, place = chance.choice(places)
        holder[key] = json.loads(json.dumps(other[place]))
    elif alike and chance.random() < 0.7:
        holder[key] = chance.choice(alike)
    else:
        holder[key] = chance.choice(ODD)


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    inside: Any = ()
    if isinstance(value, dict):
        inside = list(value)
    elif isinstance(value, list):
        inside = range(len(value))
    for key in inside:
        yield value, key
        yield from _places(value[key])


def make_it_fit(told: Json) -> None:
    """Make status, ply and hash those of the log, if it can be played at all."""
    try:
        private = msgspec.convert(told["private"], PrivateGame, strict=False)
        named = (card for each in private.log for card in cards_named(cast(Action, each.step)))
        if any(card >= PACK_SIZE for card in named):
            # The engine would reckon with as many bits.
            return
        game = fold(private.opening, private.log)
    except UNPLAYABLE:
        return
    told |= {"status": game.status, "ply": game.ply, "hash": game.hash.hex()}
