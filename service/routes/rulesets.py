"""Rulesets: the presets, and the options there are."""

from typing import Any

from litestar import Request, Response, get
from litestar.params import FromPath

from service.access.auth import read_badge
from service.http.problems import Problem
from service.http.query import read_query
from service.wording import rulesets


@get("/v1/rulesets")
async def list_rulesets(request: Request[Any, Any, Any]) -> Response[Any]:
    """All presets and all options."""
    read_query(request)
    read_badge(request)
    return Response(rulesets.all_rulesets())


@get("/v1/rulesets/{name:str}")
async def get_ruleset(request: Request[Any, Any, Any], name: FromPath[str]) -> Response[Any]:
    """One preset, with every option resolved."""
    read_query(request)
    read_badge(request)
    try:
        return Response(rulesets.preset(name))
    except KeyError:
        raise Problem("not_found", "There is no preset of that name.") from None
