"""Games: opening them, looking at them, calling them off, and giving them up."""

from typing import Annotated, Any, Final

from litestar import Request, Response, delete, get, post
from litestar.params import FromPath
from msgspec import Meta, Struct

from engine.view import ORGANISER, SPECTATOR
from service.access.auth import ORGANISERS, PARTICIPANTS, name_of, read_badge, read_key, visit
from service.domain import lists, moves, tables
from service.domain.lists import Owner
from service.domain.receipts import keyed_request
from service.http.preconditions import idempotency_key
from service.http.query import read_query
from service.http.reading import read_body, read_json
from service.http.strict_json import parse
from service.routes import settings_of, store_of
from service.routes.answers import own_view, paged, unless_known
from service.wire.games import GamesPage
from service.wire.move import ForfeitRequest
from service.wire.opening import Opening, OpeningAnswer, OpeningTokens
from service.wire.words import GamesCursor, Status
from service.wording import cursors, entries, openings, views
from service.wording.choices import refuse_wrong_types
from service.wording.refusals import told_as_problems

# Fifty packs of 56 codes are 14 KB; the rest is room for white space and names.
OPENING_BYTES: Final = 64 * 1024


class GamesQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """Which page of the games."""

    status: Status | None = None
    limit: Annotated[int, Meta(ge=1, le=100)] = 20
    cursor: GamesCursor | None = None


@post("/v1/games")
async def open_game(request: Request[Any, Any, Any]) -> Response[Any]:
    """Open a game; whoever does gets all the tokens there are."""
    read_query(request)
    key = idempotency_key(request)
    body = await read_body(request, OPENING_BYTES)
    sent = parse(body, Opening)
    refuse_wrong_types(sent.ruleset)
    caller, owner = read_badge(request), _owner(request)
    with told_as_problems():
        opened = await tables.open_table(
            store_of(request),
            openings.to_engine(sent),
            owner,
            keyed_request(name_of(caller), request.url.path, key, body) if key else None,
        )
    answer = own_view(
        OpeningAnswer(
            game=views.show(opened.game_id, opened.game, ORGANISER),
            tokens=OpeningTokens(organiser=opened.organiser, seats=opened.seats),
            invitation=opened.invitation,
        ),
        opened.game.ply,
        201,
    )
    answer.headers["Location"] = f"/v1/games/{opened.game_id}"
    return answer


def _owner(request: Request[Any, Any, Any]) -> Owner | None:
    """The key holder who opens a game. Raises `unauthorized` or `forbidden` where one is needed."""
    settings = settings_of(request)
    if settings.api_keys is None:
        return None
    return Owner(read_key(request, "games").name, settings.most_open_games)


@get("/v1/games")
async def list_games(request: Request[Any, Any, Any]) -> Response[Any]:
    """A page of games, newest first: a key's own, else the public ones."""
    query = read_query(request, GamesQuery)
    caller = read_badge(request)
    name = lists.PUBLIC if caller.key is None else lists.own(caller.key.name)
    found, last = await lists.page_of(
        store_of(request), name, query.status, cursors.read(query.cursor), query.limit
    )
    page = GamesPage(
        items=tuple(views.show(game_id, game, SPECTATOR) for game_id, game in found),
        next=cursors.write(last) if last else None,
    )
    status = f"&status={query.status}" if query.status else ""
    link = f"/v1/games?limit={query.limit}{status}&cursor={page.next}"
    return paged(page, link if page.next else None)


@get("/v1/games/{game:str}")
async def get_game(request: Request[Any, Any, Any], game: FromPath[str]) -> Response[Any]:
    """The game as the caller may know it."""
    read_query(request)
    found = await visit(request, store_of(request), game)
    shown = found.snapshot.game
    return unless_known(request, shown.ply, lambda: views.show(game, shown, found.viewer))


@delete("/v1/games/{game:str}", status_code=204)
async def delete_game(request: Request[Any, Any, Any], game: FromPath[str]) -> None:
    """End a game that still waits for players."""
    read_query(request)
    store = store_of(request)
    found = await visit(request, store, game, ORGANISERS)
    with told_as_problems():
        await tables.call_off(store, found.game_id, found.snapshot)


@post("/v1/games/{game:str}/forfeit", status_code=200)
async def forfeit_game(request: Request[Any, Any, Any], game: FromPath[str]) -> Response[Any]:
    """Give a game up."""
    read_query(request)
    sent = await read_json(request, ForfeitRequest)
    store = store_of(request)
    found = await visit(request, store, game, PARTICIPANTS)
    with told_as_problems():
        played = await moves.forfeit(
            store, found.game_id, found.snapshot, found.viewer.seat, sent.team or None
        )
    return own_view(entries.move_answer(game, played, found.viewer), played.game.ply)
