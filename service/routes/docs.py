"""The docs: the contract as a page, and the files that the page loads."""

from typing import Any, Final

from litestar import Request, Response, get

from service.access.entrance import UNGUARDED
from service.http.problems import Problem
from service.routes.answers import HTML
from service.web import docs

DOCS: Final = "/docs"

_KEPT: Final = {"Cache-Control": "public, max-age=3600"}  # it changes with a release at most


@get(DOCS, opt={"offers": (HTML,), UNGUARDED: True}, sync_to_thread=True)
def get_docs() -> Response[str]:
    """The contract, to look around in and try out, or to read."""
    page = docs.page()
    headers = _KEPT | {"Content-Security-Policy": page.policy}
    return Response(content=page.html, media_type=HTML, headers=headers)


@get(
    f"{DOCS}/{{asset:str}}",
    opt={"offers": docs.MEDIA_TYPES, UNGUARDED: True},
    sync_to_thread=True,
)
def get_docs_asset(request: Request[Any, Any, Any]) -> Response[bytes]:
    """A file that the interactive page loads."""
    asset = docs.assets().get(request.path_params["asset"])
    if asset is None:
        raise Problem("not_found", "The docs have no file of that name.")
    return Response(content=asset.content, media_type=asset.media_type, headers=_KEPT)
