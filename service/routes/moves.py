"""Moves: playing, and what could be played."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from litestar import Request, Response, get, post
from litestar.params import FromPath
from msgspec import Struct

from engine.actions import Action
from engine.view import legal_for, turn
from service.access.auth import PLAYERS, visit
from service.domain import moves
from service.domain.refusals import Illegal
from service.http.preconditions import if_match
from service.http.problems import Problem
from service.http.query import read_query
from service.http.reading import read_json
from service.routes import metrics_of, store_of
from service.routes.answers import own_view
from service.wire.move import MoveRequest
from service.wording import actions, entries, judgements
from service.wording.refusals import told_as_problems


class MoveQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """Whether the move is only judged."""

    dry_run: bool = False


@post("/v1/games/{game:str}/moves", status_code=200)
async def play_move(request: Request[Any, Any, Any], game: FromPath[str]) -> Response[Any]:
    """Play one or more actions, all or nothing."""
    query = read_query(request, MoveQuery)
    asked_ply = if_match(request)
    sent = await read_json(request, MoveRequest)
    store = store_of(request)
    found = await visit(request, store, game, PLAYERS)
    if found.snapshot.game.opening.require_if_match and asked_ply is None:
        raise Problem("precondition_required", 'This game wants If-Match, such as "41".')
    seat = found.viewer.seat
    assert seat is not None
    sent_actions = [actions.to_engine(action) for action in sent.actions]
    with told_as_problems():
        if query.dry_run:
            shown = found.snapshot.game
            verdict = moves.dry_run(shown, seat, sent_actions, asked_ply)
            return own_view(judgements.to_wire(verdict), shown.ply)
    with told_as_problems(), _counted(request, sent_actions):
        played = await moves.play(
            store,
            found.game_id,
            found.snapshot,
            seat,
            sent_actions,
            asked_ply,
        )
    return own_view(entries.move_answer(game, played, found.viewer), played.game.ply)


@contextmanager
def _counted(request: Request[Any, Any, Any], sent: Sequence[Action]) -> Iterator[None]:
    """Count the action that a rule refuses; the store's witness counts those that are played."""
    try:
        yield
    except Illegal as refused:
        if refused.index is not None:
            metrics_of(request).refused(sent[refused.index])
        raise


@get("/v1/games/{game:str}/legal-actions")
async def get_legal_actions(request: Request[Any, Any, Any], game: FromPath[str]) -> Response[Any]:
    """All that the caller's seat could send now."""
    read_query(request)
    found = await visit(request, store_of(request), game, PLAYERS)
    shown = found.snapshot.game
    legal = legal_for(shown, found.viewer)
    return own_view(actions.legal_actions(shown.ply, turn(shown), legal))
