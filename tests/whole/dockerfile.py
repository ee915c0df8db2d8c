"""Reading a Dockerfile, and what its build may see: as much of both as ours needs."""

import json
import re
import shlex
from collections.abc import Iterator
from fnmatch import fnmatchcase
from pathlib import Path
from typing import NamedTuple


class Step(NamedTuple):
    """One instruction: its word, and all that follows it."""

    word: str
    text: str

    @property
    def words(self) -> list[str]:
        """What follows, as a list if it is one (the exec form), else as a shell would split it."""
        if self.text.startswith("["):
            found: list[str] = json.loads(self.text)
            return found
        return shlex.split(self.text)

    @property
    def pairs(self) -> dict[str, str]:
        """NAME=value pairs, as ENV, ARG and LABEL have them; a bare name has no value."""
        return {name: value for name, _, value in (word.partition("=") for word in self.words)}


class Stage(NamedTuple):
    """What follows one FROM."""

    base: str
    name: str
    steps: list[Step]

    def last(self, word: str) -> Step:
        """The instruction that counts, where a later one replaces an earlier one."""
        return [step for step in self.steps if step.word == word][-1]


def stages(text: str) -> list[Stage]:
    """The stages of a Dockerfile."""
    found: list[Stage] = []
    for word, rest in _instructions(text):
        if word == "FROM":
            base, _, name = rest.partition(" AS ")
            found.append(Stage(base, name, []))
        else:
            found[-1].steps.append(Step(word, rest))
    return found


def _instructions(text: str) -> Iterator[tuple[str, str]]:
    lines = (line for line in text.splitlines() if not line.lstrip().startswith("#"))
    for instruction in "\n".join(lines).replace("\\\n", "").splitlines():
        if instruction.strip():
            word, rest = instruction.split(maxsplit=1)
            yield word, rest.strip()


def replaced(text: str, values: dict[str, str]) -> str:
    """A text with its $NAME and ${NAME} filled in; unknown ones become empty."""
    return re.sub(r"\$(?:(\w+)|\{(\w+)\})", lambda name: values.get(name[1] or name[2], ""), text)


def ignored(folder: Path, path: Path) -> bool:
    """Whether the .dockerignore of a folder keeps a path below it out of a build.

    The last of its lines that fits the path, or a folder above it, decides.
    """
    lines = (folder / ".dockerignore").read_text("utf-8").splitlines()
    inner = path.relative_to(folder)
    names = [str(inner), *map(str, inner.parents)]
    for line in reversed([line for line in lines if line and not line.startswith("#")]):
        pattern = line.removeprefix("!")
        anywhere = pattern.startswith("**/")
        places = inner.parts if anywhere else names
        if any(fnmatchcase(place, pattern.removeprefix("**/")) for place in places):
            return not line.startswith("!")
    return False
