"""What the service says about itself: where to begin, whether it lives, and its contract."""

from importlib.metadata import version
from typing import Any, Final

from litestar import Request, Response, get

from engine.ruleset import RULES_VERSION
from service.access.entrance import UNGUARDED
from service.contract_files import contract_folder
from service.http import problems
from service.routes import is_stopping, store_of
from service.routes.docs import DOCS

PACKAGE: Final = "persian-rummy-referee"
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


@get(CONTRACT, opt={"offers": (YAML,), UNGUARDED: True}, sync_to_thread=False)
def openapi_yaml() -> Response[bytes]:
    """The contract, as it was written."""
    return Response(content=(contract_folder() / "openapi.yaml").read_bytes(), media_type=YAML)
