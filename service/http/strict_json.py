"""Strict JSON: a stranger's text in, a value of a declared type out, or a problem that says where.

``json`` reads the text (it alone can see that a key stands twice), ``msgspec`` judges the types;
this file adds what neither does: the bounds, and a pointer to what is wrong.
"""

import json
import math
import re
from collections import Counter
from collections.abc import Iterator
from itertools import accumulate
from typing import Final, NamedTuple, TypeVar

import msgspec

from service.http.problems import Fault, Problem

T = TypeVar("T")

# The deepest body of the contract nests 6 levels; Python's own parser fails near 1,000.
DEEPEST: Final = 32
# Beyond this a double, and with it JavaScript and Lua, no longer tells neighbours apart.
LARGEST: Final = 2**53 - 1
# Characters. The contract's own paths stay below 40.
LONGEST_POINTER: Final = 1000

_STRINGS: Final = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"?', re.DOTALL)
_SURROGATE: Final = re.compile(r"\\u[dD][89a-fA-F]")
_STEPS: Final = {ord("["): 1, ord("{"): 1, ord("]"): -1, ord("}"): -1}
_NO_STEPS: Final = bytes(byte for byte in range(256) if byte not in _STEPS)


def parse(text: bytes, wanted: type[T]) -> T:
    """A JSON text as a value of ``wanted``, a struct that forbids unknown fields.

    Raises ``malformed`` with a pointer to the first thing wrong: no UTF-8, no JSON, nested too
    deep, a key twice, a number out of bounds, a lone surrogate, or another type than declared.
    """
    tree = _tree(text)
    try:
        return msgspec.convert(tree, wanted)
    except msgspec.ValidationError as error:
        raise malformed(_bounded(_fault(str(error), tree))) from None


def malformed(*faults: Fault) -> Problem:
    """The problem for a body that is wrong in the places named."""
    where = faults[0].pointer
    detail = f"{where}: {faults[0].detail}" if where else faults[0].detail
    return Problem("malformed", detail, errors=list(faults))


def _bounded(fault: Fault) -> Fault:
    """The fault, told of a place further out where the way to its own is absurdly long."""
    if len(fault.pointer) <= LONGEST_POINTER:
        return fault
    return Fault(fault.pointer[:LONGEST_POINTER].rpartition("/")[0], fault.detail)


def _tree(text: bytes) -> object:
    if any(depth > DEEPEST for depth in _depths(text)):
        raise malformed(Fault("", f"The body nests deeper than {DEEPEST} levels."))
    try:
        source = text.decode()
    except UnicodeDecodeError as error:
        raise malformed(Fault("", f"The body is not UTF-8 at byte {error.start}.")) from None
    wrong: list[_Wrong] = []
    try:
        tree = _decoder(wrong).decode(source)
    except json.JSONDecodeError as error:
        reason = "The body is empty" if not text else f"The body is no JSON: {error.msg}"
        raise malformed(Fault("", f"{reason}, at character {error.pos}.")) from None
    if wrong or _SURROGATE.search(source):
        for fault in _faults(tree, ""):
            raise malformed(_bounded(fault))
    return tree


def _depths(text: bytes) -> Iterator[int]:
    """How deep a JSON text is nested after each of its brackets: told without going into it."""
    brackets = _STRINGS.sub(b"", text).translate(None, _NO_STEPS)
    return accumulate(_STEPS[byte] for byte in brackets)


class _Wrong(NamedTuple):
    """Stands in the tree where something is wrong that only the parser can see."""

    suffix: str
    detail: str


def _decoder(wrong: list[_Wrong]) -> json.JSONDecoder:
    def refuse(suffix: str, detail: str) -> _Wrong:
        wrong.append(_Wrong(suffix, detail))
        return wrong[-1]

    def members(pairs: list[tuple[str, object]]) -> object:
        found = dict(pairs)
        if len(found) == len(pairs):
            return found
        counts = Counter(name for name, _ in pairs)
        twice = next(name for name, count in counts.items() if count > 1)
        return refuse(_step(twice), f"The member {_shown(twice)} stands more than once.")

    def whole(digits: str) -> object:
        if len(digits) > 17 or abs(int(digits)) > LARGEST:
            return refuse("", f"The number {_short(digits)} is beyond 2^53 - 1.")
        return refuse("", "-0 is not a number of this contract.") if digits == "-0" else int(digits)

    def fraction(digits: str) -> object:
        value = float(digits)
        return value if math.isfinite(value) else refuse("", f"{_short(digits)} is too large.")

    def constant(name: str) -> object:
        return refuse("", f"{name} is no JSON.")

    return json.JSONDecoder(
        object_pairs_hook=members, parse_int=whole, parse_float=fraction, parse_constant=constant
    )


def _faults(tree: object, pointer: str) -> Iterator[Fault]:
    match tree:
        case _Wrong(suffix, detail):
            yield Fault(pointer + suffix, detail)
        case str() if not _is_text(tree):
            yield Fault(pointer, f"The text {_shown(tree)} holds half of a character.")
        case dict():
            for name, value in tree.items():
                if not _is_text(name):
                    yield Fault(pointer, f"The name {_shown(name)} holds half of a character.")
                yield from _faults(value, pointer + _step(name))
        case list():
            for index, value in enumerate(tree):
                yield from _faults(value, f"{pointer}/{index}")


_PLACE: Final = re.compile(r"(.*?)(?: - at `(?:key` in `)?(\$[^`]*)`)?", re.DOTALL)
_MEMBER: Final = re.compile(r"Object (contains unknown|missing required) field `(.*)`", re.DOTALL)
# How msgspec shows the end of a pattern; the contract, as all but Python, writes `$` for it.
_END: Final = r"\\Z"
_STEP: Final = re.compile(r"\.([^.\[]+)|\[(\d+)\]")


def _fault(message: str, tree: object) -> Fault:
    """What msgspec says, with its path as a pointer and the value that it found there."""
    place = _PLACE.fullmatch(message)
    what, path = place.groups() if place else (message, None)
    pointer, value = "", tree
    for step in _STEP.finditer(path or ""):
        name, index = step.groups()
        if isinstance(value, dict) and name in value:
            value = value[name]
        elif isinstance(value, list) and index and int(index) < len(value):
            value = value[int(index)]
        else:
            break
        pointer += _step(name or index)
    if member := _MEMBER.fullmatch(what):
        verb, name = member.groups()
        trouble = "is not known here" if verb == "contains unknown" else "is missing"
        return Fault(pointer + _step(name), f"The member {_shown(name)} {trouble}.")
    told = _short(what, 120).replace(_END, "$")
    return Fault(pointer, f"{told}; it is {_shown(value)}.")


def _step(name: str) -> str:
    """One step of an RFC 6901 pointer; none for a name too odd to repeat."""
    if len(name) > 100 or not _is_text(name):
        return ""
    return "/" + name.replace("~", "~0").replace("/", "~1")


def _shown(value: object) -> str:
    """A value as the detail of a problem names it: short, whatever was sent."""
    match value:
        case str():
            return json.dumps(_short(value), ensure_ascii=not _is_text(value))
        case dict():
            return f"an object with {len(value)} members"
        case list():
            return f"a list of {len(value)} items"
        case _:
            return _short(json.dumps(value))


def _short(text: str, most: int = 40) -> str:
    return text if len(text) <= most else f"{text[:most]}…"


def _is_text(value: str) -> bool:
    return not any("\ud800" <= letter <= "\udfff" for letter in value)
