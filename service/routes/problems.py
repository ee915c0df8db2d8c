"""Problems: what each kind of them means, at the address that is its type."""

from typing import Any

from litestar import Request, Response, get

from service.access.entrance import UNGUARDED
from service.http.problems import Problem
from service.routes.answers import JSON_OR_HTML, for_reading
from service.wire.kinds import KINDS
from service.wording.problem_pages import problem_page


@get("/problems/{type:str}", opt={"offers": JSON_OR_HTML, UNGUARDED: True}, sync_to_thread=False)
def get_problem(request: Request[Any, Any, Any]) -> Response[Any]:
    """What has happened, and what to do."""
    for name in KINDS:
        if name == request.path_params["type"]:
            return for_reading(request, problem_page(name))
    raise Problem("not_found", "There is no kind of problem of that name.")
