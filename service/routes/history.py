"""History: the log of a game, its ledgers, and its whole record."""

from typing import Annotated, Any

from litestar import Request, Response, get
from litestar.params import FromPath
from msgspec import Meta, Struct

from engine.game import fold
from engine.judging.position import position_then
from engine.view import view
from service.access.auth import visit
from service.http.problems import Problem
from service.http.query import read_query
from service.routes import store_of
from service.routes.answers import own_view, paged
from service.wire.entry import LogPage
from service.wire.words import Cursor, Ply
from service.wording import entries, ledgers, positions, records


class LogQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """Which page of a log; a cursor knows where it goes on, whatever `after` says."""

    after: Ply = 0
    limit: Annotated[int, Meta(ge=1, le=100)] = 100
    cursor: Cursor | None = None


@get("/v1/games/{game:str}/log")
async def get_log(request: Request[Any, Any, Any], game: FromPath[str]) -> Response[Any]:
    """A page of the log as the caller may know it."""
    query = read_query(request, LogQuery)
    store = store_of(request)
    found = await visit(request, store, game)
    shown = found.snapshot.game
    after = int(query.cursor, 16) if query.cursor else query.after
    # What came after this look at the game is of no page yet: its deal may be over only by then.
    last = min(after + query.limit, shown.ply)
    # A page is read from the first entry, since the hashes are chained from there.
    log = await store.log(found.game_id, limit=last) if after < last else []
    items = entries.show_log(shown, found.viewer, log, after)
    following = f"{last:08x}" if items and last < shown.ply else None
    link = f"/v1/games/{game}/log?limit={query.limit}&cursor={following}"
    return paged(LogPage(items=items, next=following), link if following else None)


@get("/v1/games/{game:str}/score")
async def get_score(request: Request[Any, Any, Any], game: FromPath[str]) -> Response[Any]:
    """The ledgers of a game so far."""
    read_query(request)
    found = await visit(request, store_of(request), game)
    return own_view(ledgers.score(view(found.snapshot.game, found.viewer)))


@get("/v1/games/{game:str}/record")
async def get_record(request: Request[Any, Any, Any], game: FromPath[str]) -> Response[Any]:
    """The whole game as a document, once it is over."""
    read_query(request)
    store = store_of(request)
    found = await visit(request, store, game)
    shown = found.snapshot.game
    if shown.status != "finished":
        raise Problem("game_not_over", "The record is told once the game is over.")
    log = await store.log(found.game_id, limit=shown.ply)
    return own_view(records.to_wire(game, shown, log))


class PositionQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """As of which ply; the current one if left out."""

    at: Ply | None = None


@get("/v1/games/{game:str}/position")
async def get_position(request: Request[Any, Any, Any], game: FromPath[str]) -> Response[Any]:
    """The deal as it stood at a ply, as the caller could see it then."""
    query = read_query(request, PositionQuery)
    store = store_of(request)
    found = await visit(request, store, game)
    now = found.snapshot.game
    at = now.ply if query.at is None else query.at
    if at > now.ply:
        raise Problem("not_found", f"The game is at ply {now.ply} still.")
    log = await store.log(found.game_id, limit=at) if at else []
    then = fold(now.opening, log)
    if then.state is None:
        raise Problem("game_not_started", "The game still waited for players at that ply.")
    return own_view(positions.to_wire(position_then(then, now, found.viewer)), at)
