"""The steps of our Dockerfile, done for real in boxes instead of by a container engine."""

import os
import re
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import MappingProxyType
from typing import Final

from tests.whole.box import Box, box
from tests.whole.dockerfile import Stage, Step, ignored, replaced, stages
from tests.whole.serving import environment

ROOT: Final = Path(__file__).parents[2]
STAGES: Final = stages((ROOT / "Dockerfile").read_text("utf-8"))
FINAL: Final = STAGES[-1]

# As the official images have it.
_PATH: Final = "/usr/local/bin:/usr/local/sbin:/usr/sbin:/usr/bin:/sbin:/bin"
# These say how something is run; they change nothing in the image.
_SAID: Final = ("LABEL", "USER", "EXPOSE", "STOPSIGNAL", "HEALTHCHECK", "ENTRYPOINT", "CMD")


class Image:
    """What the steps have made: a box, and the environment that its commands get."""

    def __init__(self, built: Box, environ: Mapping[str, str]) -> None:
        self.box = built
        self.environ = environ
        self.user = FINAL.last("USER").text
        self.command = [*FINAL.last("ENTRYPOINT").words, *FINAL.last("CMD").words]
        self.health = Step("CMD", FINAL.last("HEALTHCHECK").text.partition("CMD ")[2]).words
        self.stop_signal = FINAL.last("STOPSIGNAL").text

    def start(
        self, command: list[str], settings: Mapping[str, str] = MappingProxyType({})
    ) -> "subprocess.Popen[str]":
        """A command as the image's own user, in the image's environment and what is added."""
        return subprocess.Popen(
            self.box.inside(*command, user=self.user),
            # An engine sets the home folder of a user that has none.
            env={"HOME": "/", **self.environ, **settings},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    def says(
        self, command: list[str], settings: Mapping[str, str] = MappingProxyType({})
    ) -> tuple[int, str]:
        """The exit status of a command that ends, and what it prints."""
        process = self.start(command, settings)
        told, _ = process.communicate(timeout=30)
        return process.returncode, told


@contextmanager
def built(folder: Path) -> Iterator[Image]:
    """The image, built and read-only. Raises AssertionError where a step fails or is new here."""
    with ExitStack() as boxes:
        made: dict[str, Box] = {}
        for number, stage in enumerate(STAGES):
            if not stage.steps:
                continue  # it only names the base
            place = folder / str(number)
            place.mkdir()
            made[stage.name] = boxes.enter_context(box(place))
            environ = _replayed(stage, made)
        image = made[FINAL.name]
        image.freeze()
        yield Image(image, environ)


def _replayed(stage: Stage, made: Mapping[str, Box]) -> dict[str, str]:
    """Do the steps of a stage in its box, and return the environment that they end with."""
    here = made[stage.name]
    environ, arguments, folder = {"PATH": _PATH}, dict[str, str](), "/"
    for step in stage.steps:
        match step.word:
            case "ENV":
                environ |= {name: replaced(text, environ) for name, text in step.pairs.items()}
            case "ARG":
                arguments |= step.pairs
            case "WORKDIR":
                folder = step.text
                here.outside("mkdir", "-p", f"{here.root}{folder}")
            case "COPY":
                _copy(step, made, here, folder)
            case "RUN":
                # A mounted cache changes only how fast a step is done.
                text = re.sub(r"--mount=type=cache,\S+ +", "", step.text)
                command = step.words if text.startswith("[") else ["sh", "-c", text]
                # This machine's own settings of pip and certificates, as an engine's host has them.
                here.run(_of_this_machine() | arguments | environ, "env", "-C", folder, *command)
            case word:
                assert word in _SAID, f"{word} is a step that these tests do not know"
    return environ


def _copy(step: Step, made: Mapping[str, Box], here: Box, folder: str) -> None:
    *sources, target = step.words
    place = f"{here.root}{os.path.join(folder, target)}"
    if sources[0].startswith("--from="):
        other = made[sources.pop(0).removeprefix("--from=")]
        for source in sources:
            here.outside("cp", "-aT", other.seen_by_others(source), place)
        return
    for source in sources:
        sent = here.folder.with_name(f"sent-{source.replace('/', '-')}")
        if (ROOT / source).is_dir():
            shutil.copytree(ROOT / source, sent, ignore=_kept_out)
            here.outside("cp", "-rT", str(sent), place)
        else:
            assert not ignored(ROOT, ROOT / source), f".dockerignore keeps {source} out"
            here.outside("install", "-D", "-m", "644", "-t", place, str(ROOT / source))


def _kept_out(folder: str, names: list[str]) -> set[str]:
    return {name for name in names if ignored(ROOT, Path(folder, name))}


def _of_this_machine() -> dict[str, str]:
    return {name: value for name, value in environment().items() if not name.startswith("PYTHON")}
