"""Rules: what each of them says, and which violations break it."""

from typing import Any

from litestar import Request, Response, get

from service.access.auth import read_badge
from service.http.problems import Problem
from service.http.query import read_query
from service.routes.answers import JSON_OR_HTML, for_reading
from service.wording import rules


@get("/v1/rules", opt={"offers": JSON_OR_HTML})
async def list_rules(request: Request[Any, Any, Any]) -> Response[Any]:
    """All rules and rulings."""
    read_query(request)
    read_badge(request)
    return for_reading(request, rules.all_rules())


@get("/v1/rules/{id:str}", opt={"offers": JSON_OR_HTML})
async def get_rule(request: Request[Any, Any, Any]) -> Response[Any]:
    """One rule or ruling."""
    read_query(request)
    read_badge(request)
    try:
        found = rules.rule(request.path_params["id"])
    except KeyError:
        raise Problem("not_found", "There is no rule of that id.") from None
    return for_reading(request, found)
