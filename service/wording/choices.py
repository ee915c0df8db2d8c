"""A ruleset as a client chooses it: a preset and some options, with all that is wrong with them."""

from collections.abc import Iterator
from itertools import islice
from typing import Final, NamedTuple

from msgspec import UnsetType

from engine.ruleset import OptionError, Ruleset, resolve
from service.http.problems import Fault, Problem
from service.wire.ruleset import RulesetChoice

# There are fewer options than this: who gets more of them wrong is not mending a mistake.
MOST_OPTION_ERRORS: Final = 50
# Characters. What is longer is not worth repeating to who sent it.
LONGEST_NAME: Final = 100
LONGEST_DETAIL: Final = 300


class Choice(NamedTuple):
    """A preset, and the options that differ from it."""

    preset: str
    options: dict[str, object]

    @property
    def ruleset(self) -> Ruleset:
        """Every option, resolved. Raises OptionError."""
        return resolve(self.preset, self.options)


def choice_of(sent: RulesetChoice | UnsetType) -> Choice:
    """What was chosen, right or wrong."""
    chosen = sent or RulesetChoice()
    preset = "persian" if isinstance(chosen.preset, UnsetType) else chosen.preset
    return Choice(preset, chosen.options or {})


def chosen_ruleset(sent: RulesetChoice | UnsetType) -> Ruleset:
    """The ruleset that was chosen. Raises `malformed` or `contradiction`."""
    choice = choice_of(sent)
    if faults := faults_of(choice):
        raise contradiction(faults)
    return choice.ruleset


def refuse_wrong_types(sent: RulesetChoice | UnsetType) -> None:
    """Raise `malformed` for options of a wrong type, whoever sent them."""
    faults_of(choice_of(sent))


def faults_of(choice: Choice) -> list[Fault]:
    """All that is not offered. Raises `malformed` for options of a wrong type."""
    errors = list(islice(_option_errors(*choice), MOST_OPTION_ERRORS))
    wrong_types = [_fault(error) for error in errors if error.wrong_type]
    if wrong_types:
        raise Problem("malformed", wrong_types[0].detail, errors=wrong_types)
    return [_fault(error) for error in errors]


def contradiction(faults: list[Fault]) -> Problem:
    """The problem with these faults, of which there is one or more."""
    return Problem("contradiction", faults[0].detail, errors=faults)


def _option_errors(preset: str, options: dict[str, object]) -> Iterator[OptionError]:
    """All that is wrong with a ruleset.

    The engine names one error at a time, so what it names is left out until it has no more.
    """
    while True:
        try:
            resolve(preset, options)
        except OptionError as error:
            yield error
            if error.path[0] == "preset":
                preset = "persian"
            else:
                options = {name: options[name] for name in options if name != error.path[1]}
        else:
            return


def _fault(error: OptionError) -> Fault:
    """The error in its place; a name of the client's own that is absurdly long is not repeated."""
    steps = [name.replace("~", "~0").replace("/", "~1") for name in error.path]
    if len(steps[-1]) > LONGEST_NAME:
        return Fault("/".join(("/ruleset", *steps[:-1])), "No option has a name of that length.")
    return Fault("/".join(("/ruleset", *steps)), error.detail[:LONGEST_DETAIL])
