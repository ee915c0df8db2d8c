"""What the service says about itself: where to begin, whether it lives, and its contract."""

from importlib.metadata import version
from typing import Any, Final

from litestar import Request, Response, get

from engine.ruleset import RULES_VERSION
from service.access.auth import read_key, recognise_key
from service.access.entrance import UNGUARDED
from service.contract_files import contract_folder
from service.http import problems
from service.http.accept import accept_of, best
from service.package import PACKAGE
from service.routes import is_stopping, metrics_of, settings_of, store_of
from service.routes.docs import DOCS
from service.sight.metrics import MEDIA_TYPES

CONTRACT: Final = "/openapi.yaml"
YAML: Final = "application/yaml"


@get("/", opt={UNGUARDED: True}, sync_to_thread=False)
def welcome() -> dict[str, object]:
    """Where the docs and the contract are, and a first request."""
    return {
        "name": PACKAGE,
        "version": version(PACKAGE),
        "rules_version": RULES_VERSION,
        "docs": DOCS,
        "contract": CONTRACT,
        "first_request": {
            "method": "POST",
            "path": "/v1/games",
            "body": {"players": [{"name": name} for name in ("north", "east", "south", "west")]},
        },
    }


@get("/healthz", opt={UNGUARDED: True}, sync_to_thread=False)
def healthz() -> dict[str, str]:
    """The process answers. Touches nothing: a store that is away is no reason to restart."""
    return {"status": "ok"}


@get("/readyz", opt={UNGUARDED: True})
async def readyz(request: Request[Any, Any, Any]) -> dict[str, str]:
    """The store takes writes, and the service is not stopping. Raises a problem otherwise."""
    if is_stopping(request):
        raise problems.stopping()
    await store_of(request).ready()
    return {"status": "ready"}


# In a thread, so that no move waits for a page of some thousand lines.
@get("/metrics", opt={"offers": MEDIA_TYPES, UNGUARDED: True}, sync_to_thread=True)
def get_metrics(request: Request[Any, Any, Any]) -> Response[bytes]:
    """All that this process counts, whether or not the store answers.

    Where keys are listed it takes one with the scope for it. Raises `unauthorized`, `forbidden`.
    """
    keys = settings_of(request).api_keys
    if keys is not None:
        request.state.caller = recognise_key(request, keys)
        read_key(request, "metrics")
    # Who accepts neither, but problems by name, gets what anybody gets.
    media_type = best(accept_of(request), MEDIA_TYPES) or MEDIA_TYPES[0]
    page, full_type = metrics_of(request).page(media_type)
    # As a header, because Litestar adds a charset to every text type, also where there is one.
    return Response(content=page, headers={"Content-Type": full_type, "Vary": "Accept"})


@get(CONTRACT, opt={"offers": (YAML,), UNGUARDED: True}, sync_to_thread=False)
def openapi_yaml() -> Response[bytes]:
    """The contract, as it was written."""
    return Response(content=(contract_folder() / "openapi.yaml").read_bytes(), media_type=YAML)
