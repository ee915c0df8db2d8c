"""What a new contract breaks for a client that was written by an old one.

A client sends what the old contract let it send: the new one has to take all of that. It reads
what the old contract told it of: the new one may give no other values, and leave nothing out. New
operations, new optional members of requests and new members of answers break nothing, and neither
do new ways to refuse: a client knows those by their first digit.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from tests.contract.subset import Comparison, Side

_METHODS: Final = {"get", "put", "post", "delete", "patch", "head", "options", "trace"}


class Release:
    """The step from an old contract to a new one."""

    def __init__(self, old: dict[str, Any], new: dict[str, Any]) -> None:
        self._old = Side.of(old)
        self._new = Side.of(new)
        self._sent = Comparison(self._new, self._old)
        self._given = Comparison(self._old, self._new, may_grow=True)

    def breaks(self) -> list[str]:
        """Every break: where it is, and what it is."""
        return [*self._of_names(), *self._of_paths()]

    def _of_names(self) -> Iterator[str]:
        """Generated clients name their types after the components."""
        for name in _gone(*(side.document["components"]["schemas"] for side in self._sides())):
            yield f"components: {name} is gone"

    def _of_paths(self) -> Iterator[str]:
        old, new = (side.document["paths"] for side in self._sides())
        for path, item in old.items():
            for method in item.keys() & _METHODS:
                where = f"{method.upper()} {path}"
                if method not in new.get(path, {}):
                    yield f"{where}: it is gone"
                    continue
                for said in self._of_operation(
                    _operation(item, method), _operation(new[path], method)
                ):
                    yield f"{where} {said}"

    def _of_operation(self, old: dict[str, Any], new: dict[str, Any]) -> Iterator[str]:
        if old["operationId"] != new["operationId"]:
            yield f"operationId: it was {old['operationId']}"
        for way in old["security"]:
            if not any(other.keys() <= way.keys() for other in new["security"]):
                yield f"security: {sorted(way) or 'nobody'} may not do it any more"
        yield from self._of_parameters(old["parameters"], new["parameters"])
        if "requestBody" in old or "requestBody" in new:
            bodies = (side.get("requestBody", {"content": {}}) for side in (old, new))
            yield from self._of_request(*bodies)
        for status in _gone(old["responses"], new["responses"]):
            yield f"{status}: it is gone"
        for status in _gone(new["responses"], old["responses"]):
            if status < "400":
                yield f"{status}: it is a success that clients do not know"
        for status in old["responses"].keys() & new["responses"].keys():
            for said in self._of_answer(old["responses"][status], new["responses"][status]):
                yield f"{status}{said}"

    def _of_parameters(self, old: list[Any], new: list[Any]) -> Iterator[str]:
        before, after = (
            {f"{each['in']} {each['name']}": each for each in map(side.follow, parameters)}
            for side, parameters in zip(self._sides(), (old, new), strict=True)
        )
        for name in _gone(before, after):
            yield f"{name}: it is gone"
        for name, parameter in after.items():
            if parameter.get("required") and not before.get(name, {}).get("required"):
                yield f"{name}: it is required now"
            if name in before:
                yield from self._sent.breaks(parameter["schema"], before[name]["schema"], name)

    def _of_request(self, old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[str]:
        if new.get("required") and not old.get("required"):
            yield "body: it is required now"
        for media in _gone(old["content"], new["content"]):
            yield f"body: {media} is gone"
        for media in old["content"].keys() & new["content"].keys():
            now, was = (side["content"][media]["schema"] for side in (new, old))
            yield from self._sent.breaks(now, was, "body")

    def _of_answer(self, old: Any, new: Any) -> Iterator[str]:
        before, after = self._old.follow(old), self._new.follow(new)
        headers = before.get("headers", {}), after.get("headers", {})
        for name in _gone(*headers):
            yield f" {name}: it is gone"
        for name in headers[0].keys() & headers[1].keys():
            was, now = self._old.follow(headers[0][name]), self._new.follow(headers[1][name])
            if was.get("required") and not now.get("required"):
                yield f" {name}: it may be left out now"
            yield from self._given.breaks(was["schema"], now["schema"], f" {name}")
        contents = before.get("content", {}), after.get("content", {})
        for media in _gone(*contents):
            yield f": {media} is gone"
        for media in contents[0].keys() & contents[1].keys():
            yield from self._given.breaks(*(each[media]["schema"] for each in contents))

    def _sides(self) -> tuple[Side, Side]:
        return self._old, self._new


def _operation(item: dict[str, Any], method: str) -> dict[str, Any]:
    """An operation with the parameters of its path among its own."""
    told = item[method]
    return {**told, "parameters": item.get("parameters", []) + told.get("parameters", [])}


def _gone(old: Mapping[str, Any], new: Mapping[str, Any]) -> list[str]:
    return [name for name in old if name not in new]
