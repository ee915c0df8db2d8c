"""Games: opening them, looking at them, calling them off, and giving them up."""

from typing import Any, Final

from litestar import Request, Response, delete, get, post
from litestar.params import FromPath

from engine.view import ORGANISER
from service.auth import ORGANISERS, PARTICIPANTS, read_badge, visit
from service.domain import moves, tables
from service.query import read_query
from service.reading import read_json
from service.routes import store_of
from service.routes.answers import own_view, unless_known
from service.wire.move import ForfeitRequest
from service.wire.opening import Opening, OpeningAnswer, OpeningTokens
from service.wording import entries, openings, views
from service.wording.refusals import told_as_problems

# Fifty packs of 56 codes are 14 KB; the rest is room for white space and names.
OPENING_BYTES: Final = 64 * 1024


@post("/v1/games")
async def open_game(request: Request[Any, Any, Any]) -> Response[Any]:
    """Open a game; whoever does gets all the tokens there are."""
    read_query(request)
    sent = await read_json(request, Opening, OPENING_BYTES)
    store = store_of(request)
    await read_badge(request, store)
    opened = await tables.open_table(store, openings.to_engine(sent))
    body = OpeningAnswer(
        game=views.show(opened.game_id, opened.game, ORGANISER),
        tokens=OpeningTokens(organiser=opened.organiser, seats=opened.seats),
        invitation=opened.invitation,
    )
    answer = own_view(body, opened.game.ply, 201)
    answer.headers["Location"] = f"/v1/games/{opened.game_id}"
    return answer


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
