"""The kinds of problems, to be read up."""

from functools import cache

import msgspec

from engine.rulebook import Violation
from service.contract_files import contract_folder
from service.wire.kinds import KINDS, ProblemName
from service.wire.rule import ProblemPage
from service.wording.refusals import problem_name


@cache
def problem_page(name: ProblemName) -> ProblemPage:
    """What there is to say about a kind of problem."""
    kind = KINDS[name]
    return msgspec.convert(
        {
            "type": f"/problems/{name}",
            "title": kind.title,
            "status": kind.status,
            "text": _text(name),
            "violations": [one.value for one in Violation if problem_name(one) == name],
        },
        ProblemPage,
    )


def _text(name: ProblemName) -> str:
    """The text that lies beside the contract, one line for each of its paragraphs."""
    written = (contract_folder() / "problems" / f"{name}.md").read_text("utf-8")
    return "\n\n".join(" ".join(paragraph.split()) for paragraph in written.split("\n\n"))
