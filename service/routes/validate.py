"""Judging for others: a position comes in, a verdict goes out, nothing is kept."""

from typing import Any, Final

from litestar import Request, Response, post

from engine.cards import Seat
from engine.judging.judgement import Contradiction, judge
from service.access.auth import read_badge
from service.http.query import read_query
from service.http.reading import read_json
from service.wire.judgement import ValidateRequest
from service.wording import actions, judgements, positions
from service.wording.choices import chosen_ruleset, refuse_wrong_types

# A position of all 56 cards with their seats is 3 KB; the rest is room for actions and white space.
POSITION_BYTES: Final = 32 * 1024


@post("/v1/validate", status_code=200)
async def validate(request: Request[Any, Any, Any]) -> Response[Any]:
    """The verdict on some actions in a position, and what is legal after them."""
    read_query(request)
    sent = await read_json(request, ValidateRequest, POSITION_BYTES)
    refuse_wrong_types(sent.ruleset)
    read_badge(request)
    try:
        verdict = judge(
            positions.to_engine(sent.position),
            chosen_ruleset(sent.ruleset),
            [actions.to_engine(action) for action in sent.actions],
            Seat(sent.seat) if isinstance(sent.seat, int) else None,
        )
    except Contradiction as found:
        raise judgements.contradiction(found) from None
    return Response(judgements.to_wire(verdict))
