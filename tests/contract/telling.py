"""Sends the examples of the contract to a running app, and holds its answers against them.

An answer must be as it is written. Ids and tokens are compared by shape when they come up first,
and by value from then on; times by shape; the commitment of a drawn secret by shape.
"""

import json
import re
from collections.abc import Callable
from datetime import datetime
from typing import Any, Final

import httpx
import yaml

from tests.contract.document import DOCUMENT, Operation, deref, operations, validator

BY_ID: Final = {operation.id: operation for operation in operations()}

REQUEST_ID: Final = DOCUMENT["components"]["headers"]["RequestId"]["example"]

# What stands in an example for something that every run has anew.
_NAME: Final = re.compile(r"(pr[a-z]_)?[a-z0-9]{20}(_[0-9a-f]{48})?")
_DIGEST: Final = re.compile(r"[0-9a-f]{64}")

# Headers that frame the message; the contract says the type in its own way.
_FRAMING: Final = {"content-type", "content-length"}


# How a body is read, by its media type.
_READ: Final[dict[str, Callable[[str], Any]]] = {
    "application/json": json.loads,
    "application/problem+json": json.loads,
    "application/yaml": yaml.safe_load,
    "text/css": str,
    "text/html": str,
    "text/plain": str,
    "application/openmetrics-text": str,
    "application/x-ndjson": str,
    "text/javascript": str,
}

# Examples of answers too long for a contract: they show how the answer begins.
_BEGINNINGS: Final = {"beginning", "page", "style", "script"}


class Telling:
    """The examples told so far, and the ids and tokens that stand for those of the examples."""

    def __init__(self, http: httpx.AsyncClient) -> None:
        self._http = http
        self._names: dict[str, str] = {}
        self.told: set[str] = set()

    async def tell(
        self, operation: str, status: int, example: str, body: Any = None, **request: Any
    ) -> None:
        """Send a request, and compare the answer with the example of this operation and status.

        The body is the example of the same name unless another is given; the rest is for `send`.
        """
        told = BY_ID[operation]
        if body is None and "requestBody" in told.body:
            shown = told.body["requestBody"]["content"]["application/json"]["examples"]
            body = shown[example]["value"] if example in shown else {}
        answer = await self.send(operation, body=body, **request)
        assert answer.status_code == status, answer.text
        self._compare(told, answer, example)

    async def send(
        self,
        operation: str,
        *,
        game: str = "",
        token: str = "",
        seat: int | None = None,
        name: str = "",
        body: Any = None,
        headers: dict[str, str] | None = None,
        query: dict[str, str] | None = None,
        method: str = "",
    ) -> httpx.Response:
        """Send a request with this run's ids and tokens in place of the examples'.

        `method` is given where it is not the operation's own.
        """
        told = BY_ID[operation]
        path = told.path.format(
            game=self._names.get(game, game), seat=seat, name=name, id=name, type=name, asset=name
        )
        all_headers = {"X-Request-Id": REQUEST_ID, **(headers or {})}
        if token:
            all_headers["Authorization"] = f"Bearer {self._names.get(token, token)}"
        if isinstance(body, str):
            content: dict[str, Any] = {"content": body}
        else:
            content = {} if body is None else {"json": self._named(body)}
        return await self._http.request(
            method or told.method, path, headers=all_headers, params=query, **content
        )

    def _compare(self, operation: Operation, answer: httpx.Response, example: str) -> None:
        status = str(answer.status_code)
        declared = deref(operation.body["responses"][status])
        compare_headers(declared, answer)
        if "content" not in declared:
            assert answer.content == b""
            return
        media = answer.headers["Content-Type"].partition(";")[0]
        content = declared["content"][media]
        expected = content["examples"][example]["value"]
        body = _READ[media](answer.text)
        assert [error.message for error in validator(content["schema"]).iter_errors(body)] == []
        is_whole = example not in _BEGINNINGS
        self._same(expected, body if is_whole else beginning(body, expected), "")
        self.told.add(key_of(operation, status, example))

    def _same(self, expected: Any, found: Any, where: str) -> None:
        """Fail unless a value is as the example has it."""
        match expected:
            case dict():
                assert isinstance(found, dict), where
                assert expected.keys() == found.keys(), where
                is_drawn = expected.get("chance") == "drawn"
                for member, part in expected.items():
                    if member == "at":
                        assert datetime.fromisoformat(found["at"]).tzinfo, where
                    elif member == "commitment" and is_drawn:
                        assert _DIGEST.fullmatch(found["commitment"]), where
                    else:
                        self._same(part, found[member], f"{where}/{member}")
            case list():
                assert isinstance(found, list), where
                assert len(expected) == len(found), where
                for index, (one, other) in enumerate(zip(expected, found, strict=True)):
                    self._same(one, other, f"{where}/{index}")
            case str() if name := _NAME.fullmatch(expected):
                real = _NAME.fullmatch(found)
                assert real, where
                assert real[1] == name[1], where
                assert self._names.setdefault(expected, found) == found, where
            case _:
                assert (type(found), found) == (type(expected), expected), where

    def _named(self, body: Any) -> Any:
        """A body with this run's ids and tokens in place of the example's."""
        match body:
            case dict():
                return {member: self._named(part) for member, part in body.items()}
            case list():
                return [self._named(part) for part in body]
            case str():
                return self._names.get(body, body)
            case _:
                return body


def beginning(body: Any, shown: Any) -> Any:
    """As much of a body as an example shows of it."""
    match shown:
        case dict():
            return {member: beginning(body[member], part) for member, part in shown.items()}
        case list() | str():
            return body[: len(shown)]
        case _:
            return body


def compare_headers(declared: dict[str, Any], answer: httpx.Response) -> None:
    """Fail unless the answer has the headers that its declaration asks for, and no others."""
    known = {name.lower(): deref(header) for name, header in declared["headers"].items()}
    undeclared = set(answer.headers) - known.keys() - _FRAMING
    assert not undeclared, f"undeclared headers: {undeclared}"
    for name, header in known.items():
        if name not in answer.headers:
            assert not header.get("required"), f"no {name}"
            continue
        value: Any = answer.headers[name]
        if header["schema"].get("type") == "integer":
            value = int(value)
        assert validator(header["schema"]).is_valid(value), f"{name}: {value}"


def key_of(operation: Operation, status: str, example: str) -> str:
    """Names an example; those of a shared response have one name for all operations."""
    response = operation.body["responses"][status]
    if "$ref" in response:
        return f"{response['$ref'].rpartition('/')[2]} {example}"
    return f"{operation.id} {status} {example}"


def all_keys() -> set[str]:
    """The names of all examples of answers."""
    return {
        key_of(operation, status, example)
        for operation in operations()
        for status, response in operation.body["responses"].items()
        for content in deref(response).get("content", {}).values()
        for example in content["examples"]
    }
