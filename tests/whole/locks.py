"""Reading the locks: what the image installs, pinned with hashes."""

import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.whole.replay import ROOT


class Pin(NamedTuple):
    """One package of a lock: a requirement of one version, and the hashes that it may have."""

    requirement: Requirement
    hashes: list[str]

    @property
    def name(self) -> str:
        return canonicalize_name(self.requirement.name)

    @property
    def version(self) -> str:
        return str(self.requirement.specifier).removeprefix("==")

    @property
    def counts_here(self) -> bool:
        """Whether it is for this machine and this Python."""
        return self.requirement.marker is None or self.requirement.marker.evaluate()


class Lock(NamedTuple):
    """A lock, and the names of the packages that it leaves out on purpose."""

    pins: list[Pin]
    left_out: list[str]

    def pinned(self) -> dict[str, str]:
        """The version of each package that is for this machine and this Python."""
        return {pin.name: pin.version for pin in self.pins if pin.counts_here}


def read_lock(name: str) -> Lock:
    """The lock `service/<name>.lock`."""
    text = (ROOT / "service" / f"{name}.lock").read_text("utf-8")
    packages, _, left_out = text.partition("# The following packages were excluded")
    packages = re.sub(r"^ *#.*\n", "", packages, flags=re.MULTILINE).replace("\\\n", "")
    pins = []
    for line in filter(None, packages.splitlines()):
        requirement, *hashes = re.split(r" +--hash=", line)
        pins.append(Pin(Requirement(requirement), hashes))
    return Lock(pins, re.findall(r"^# (\S+)$", left_out, re.MULTILINE))


def unmet(
    requirements: Iterable[str] | None, versions: Mapping[str, str], extras: Iterable[str] = ()
) -> list[str]:
    """Which requirements, those of the extras among them, these versions do not meet here."""
    found = []
    for requirement in map(Requirement, requirements or ()):
        marker, version = requirement.marker, versions.get(canonicalize_name(requirement.name))
        counts = not marker or any(marker.evaluate({"extra": extra}) for extra in ("", *extras))
        if counts and not (version and requirement.specifier.contains(version)):
            found.append(str(requirement))
    return found
