"""The query of a request, read as strictly as a body."""

import re
from typing import Any, Final, TypeVar
from urllib.parse import parse_qsl

import msgspec
from litestar import Request

from service.http.problems import Problem

T = TypeVar("T", bound=msgspec.Struct)

_WHOLE: Final = re.compile(r"0|-?[1-9][0-9]{0,14}")
_TRUTH: Final = {"true": True, "false": False}
_BAD_ESCAPE: Final = re.compile(rb"%(?![0-9A-Fa-f]{2})")


class NoQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The query of an operation that has none."""


# Mypy knows no default for a type variable.
def read_query(request: Request[Any, Any, Any], wanted: type[T] = NoQuery) -> T:  # type: ignore[assignment]
    """The query as ``wanted``: a frozen struct that forbids unknown fields, one per parameter.

    Fields are ``int``, ``bool``, ``str`` or a ``Literal`` of texts, with bounds by ``Meta``; an
    optional one has a default. Numbers and truths have one spelling each (``5``, ``true``).
    Raises ``malformed`` for everything else, a parameter given twice among it.
    """
    given = _pairs(request.scope["query_string"])
    # `type_info` tells of a struct here, and its type cannot say so.
    fields = {field.encode_name: field.type for field in msgspec.inspect.type_info(wanted).fields}  # type: ignore[attr-defined]
    values = {
        name: _value(text, fields[name]) if name in fields else text for name, text in given.items()
    }
    try:
        return msgspec.convert(values, wanted)
    except msgspec.ValidationError as error:
        what = re.sub(r" - at `\$\.(.*)`$", r" in the parameter `\1`", str(error))
        what = what.replace("Object", "The query").replace("field", "parameter")
        raise Problem("malformed", what[:200]) from None


def _pairs(query: bytes) -> dict[str, str]:
    if _BAD_ESCAPE.search(query):
        raise Problem("malformed", "The query holds a broken percent escape.")
    try:
        pairs = parse_qsl(
            query.decode("ascii"),
            keep_blank_values=True,
            strict_parsing=bool(query),
            errors="strict",
        )
    except ValueError:
        raise Problem("malformed", "The query is no list of name=value in UTF-8.") from None
    given = dict(pairs)
    if len(given) != len(pairs):
        raise Problem("malformed", "A parameter of the query is given more than once.")
    return given


def _value(text: str, kind: msgspec.inspect.Type) -> object:
    kinds = kind.types if isinstance(kind, msgspec.inspect.UnionType) else (kind,)
    if any(isinstance(each, msgspec.inspect.IntType) for each in kinds) and _WHOLE.fullmatch(text):
        return int(text)
    if any(isinstance(each, msgspec.inspect.BoolType) for each in kinds):
        return _TRUTH.get(text, text)
    return text
