"""The badge: who calls, and as what he stands before a game."""

from collections.abc import Set as AbstractSet
from typing import Any, Final, Literal

from litestar import Request
from msgspec import Struct

from engine.view import ORGANISER, SPECTATOR, Viewer
from service.domain.tokens import GameId, Holder, game_of, holder_of, is_game_id
from service.problems import Problem
from service.store.protocol import Snapshot, Store

Role = Literal["seat", "organiser", "spectator"]

ANYBODY: Final[AbstractSet[Role]] = frozenset({"seat", "organiser", "spectator"})
PLAYERS: Final[AbstractSet[Role]] = frozenset({"seat"})
ORGANISERS: Final[AbstractSet[Role]] = frozenset({"organiser"})
PARTICIPANTS: Final[AbstractSet[Role]] = frozenset({"seat", "organiser"})


class Badge(Struct, frozen=True):
    """Whom the bearer token stands for, if one was sent, with that holder's game as it is now."""

    holder: Holder | None = None
    snapshot: Snapshot | None = None


class Visit(Struct, frozen=True):
    """A caller before a game that he may know of."""

    game_id: GameId
    snapshot: Snapshot
    viewer: Viewer


async def read_badge(request: Request[Any, Any, Any], store: Store) -> Badge:
    """Who calls. Raises `unauthorized` for a token that no game knows."""
    sent = request.headers.getall("authorization", [])
    if not sent:
        return Badge()
    scheme, _, token = sent[0].partition(" ")
    game_id = game_of(token) if len(sent) == 1 and scheme.lower() == "bearer" else None
    snapshot = await store.load(game_id) if game_id else None
    holder = holder_of(token, game_id, snapshot.tokens) if game_id and snapshot else None
    if holder is None:
        raise Problem("unauthorized", "This token is not known; the game may be gone.")
    return Badge(holder, snapshot)


async def visit(
    request: Request[Any, Any, Any],
    store: Store,
    game: str,
    roles: AbstractSet[Role] = ANYBODY,
    is_there: bool = True,
) -> Visit:
    """The caller before the game that the path names, in one of these roles.

    `is_there` is False where the rest of the path names nothing that a game has: that is told to
    whoever may know of the game, before it is judged what else he may do.

    Raises `unauthorized` where a token is needed and none was sent, `not_found` for a game that is
    not there or is private to others, `forbidden` for a caller in another role.
    """
    badge = await read_badge(request, store)
    if "spectator" not in roles and badge.holder is None:
        raise Problem("unauthorized", f"Send the token of {_wanted(roles)} as a bearer token.")
    found = await look_up(store, game, badge)
    if found.viewer.kind == "spectator" and found.snapshot.game.opening.visibility == "private":
        raise no_such_game()
    if not is_there:
        raise Problem("not_found", "A game has nothing of that name.")
    if found.viewer.kind not in roles:
        raise Problem("forbidden", f"Only {_wanted(roles)} of this game may do that.")
    return found


async def look_up(store: Store, game: str, badge: Badge) -> Visit:
    """The game that the path names, private or not, and what the caller is to it."""
    if badge.holder and badge.snapshot and badge.holder.game_id == game:
        return Visit(badge.holder.game_id, badge.snapshot, _viewer(badge.holder))
    snapshot = await store.load(game) if is_game_id(game) else None
    if snapshot is None:
        raise no_such_game()
    return Visit(GameId(game), snapshot, SPECTATOR)


def no_such_game() -> Problem:
    """The same words for a game that is not there and for one that is not the caller's to know."""
    return Problem("not_found", "There is no such game, or it is private and needs its own token.")


def _viewer(holder: Holder) -> Viewer:
    return ORGANISER if holder.seat is None else Viewer("seat", holder.seat)


def _wanted(roles: AbstractSet[Role]) -> str:
    return " or ".join(
        words
        for role, words in {"seat": "a seat", "organiser": "the organiser"}.items()
        if role in roles
    )
