"""The app: the routes, their store, and the door in front of them."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

from litestar import Litestar
from litestar.types import ControllerRouterHandler

from service.access.entrance import entrance
from service.http.accept import acceptable
from service.http.door import Door
from service.http.problems import EXCEPTION_HANDLERS
from service.kept import opened_store
from service.routes import (
    docs,
    games,
    history,
    moves,
    problems,
    records,
    rules,
    rulesets,
    seats,
    service,
    validate,
)
from service.settings import Settings
from service.sight.sight import Sight
from service.store.protocol import Store

# Every route of the service, by resource. New files of service/routes/ are named here.
ROUTES: Final[tuple[ControllerRouterHandler, ...]] = (
    games.open_game,
    games.list_games,
    games.get_game,
    games.delete_game,
    games.forfeit_game,
    seats.take_seat,
    seats.replace_token,
    moves.play_move,
    moves.get_legal_actions,
    history.get_log,
    history.get_score,
    history.get_record,
    history.get_position,
    validate.validate,
    records.verify_records,
    rulesets.list_rulesets,
    rulesets.get_ruleset,
    rules.list_rules,
    rules.get_rule,
    problems.get_problem,
    service.welcome,
    service.healthz,
    service.readyz,
    service.get_metrics,
    service.openapi_yaml,
    docs.get_docs,
    docs.get_docs_asset,
)


def create_app(settings: Settings, store: Store | None = None, sight: Sight | None = None) -> Door:
    """The whole service as an ASGI app.

    Without ``store`` the app opens the one that the settings name when it starts, and closes it
    as the last thing it does; a store given stays the caller's to close, and to have watched.
    """
    seen = sight or Sight()

    @asynccontextmanager
    async def keeping_store(app: Litestar) -> AsyncIterator[None]:
        async with opened_store(settings, seen) as opened:
            app.state.store = opened
            yield

    litestar = Litestar(
        route_handlers=ROUTES,
        guards=[acceptable, entrance],
        exception_handlers=EXCEPTION_HANDLERS,
        lifespan=[] if store is not None else [keeping_store],
        openapi_config=None,  # the contract is written by hand, not told by the code
        logging_config=None,  # service.logs has it
        # Routes bound their bodies themselves, each by its own measure.
        request_max_body_size=None,
    )
    litestar.state.settings = settings
    litestar.state.metrics = seen.metrics
    if store is not None:
        litestar.state.store = store
    door = Door(litestar, settings.cors_origins, seen)
    litestar.state.stopping = door.stopping
    return door
