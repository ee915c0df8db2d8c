"""Seats: taking an open one, and replacing a token that was lost."""

import re
from typing import Any, Final

from litestar import Request, Response, post
from litestar.params import FromPath

from engine.cards import Seat
from engine.game import SeatTaken
from engine.view import Viewer
from service.access.auth import (
    ORGANISERS,
    arrive,
    look_up,
    name_of,
    no_such_game,
    read_badge,
    require,
)
from service.domain import tables
from service.domain.receipts import keyed_request
from service.domain.tokens import is_invitation
from service.http.preconditions import idempotency_key
from service.http.problems import Problem
from service.http.query import read_query
from service.http.reading import read_body, read_json
from service.http.strict_json import parse
from service.routes import store_of
from service.routes.answers import own_view
from service.wire.seat import SeatAnswer, SeatRequest, TokenAnswer, TokenRequest
from service.wording import views
from service.wording.refusals import told_as_problems

_SEAT: Final = re.compile("[0-3]")


@post("/v1/games/{game:str}/seats")
async def take_seat(request: Request[Any, Any, Any], game: FromPath[str]) -> Response[Any]:
    """Sit down at an open seat; a private game's needs its invitation."""
    read_query(request)
    key = idempotency_key(request)
    body = await read_body(request)
    sent = parse(body, SeatRequest)
    caller = read_badge(request)
    store = store_of(request)
    found = await look_up(store, game, caller)
    is_private = found.snapshot.game.opening.visibility == "private"
    if is_private and not is_invitation(sent.invitation or None, found.snapshot.tokens):
        raise no_such_game()
    seat = Seat(sent.seat) if isinstance(sent.seat, int) else None
    with told_as_problems():
        seated = await tables.take_seat(
            store,
            found.game_id,
            found.snapshot,
            seat,
            SeatTaken(sent.name, sent.client_seed or ""),
            keyed_request(name_of(caller), request.url.path, key, body) if key else None,
        )
    answer = SeatAnswer(
        game=views.show(game, seated.game, Viewer("seat", seated.seat)),
        seat=seated.seat,
        token=seated.token,
    )
    return own_view(answer, seated.game.ply, 201)


@post("/v1/games/{game:str}/seats/{seat:str}/token", status_code=200)
async def replace_token(
    request: Request[Any, Any, Any], game: FromPath[str], seat: FromPath[str]
) -> Response[Any]:
    """A new token for a seat that the opening named; the old one is dead."""
    read_query(request)
    await read_json(request, TokenRequest)
    store = store_of(request)
    found = await arrive(request, store, game, ORGANISERS)
    if not _SEAT.fullmatch(seat):
        raise Problem("not_found", "A game has the seats 0 to 3.")
    require(found, ORGANISERS)
    wanted = Seat(int(seat))
    with told_as_problems():
        token = await tables.replace_token(store, found.game_id, found.snapshot.game, wanted)
    return own_view(TokenAnswer(seat=wanted, token=token))
