"""The badge: who calls, and as what he stands before a game."""

from collections.abc import Set as AbstractSet
from typing import Any, Final, Literal, cast

from litestar import Request
from litestar.connection import ASGIConnection
from msgspec import Struct

from engine.view import ORGANISER, SPECTATOR, Viewer
from service.api_keys import ApiKey, Scope, key_of
from service.domain.tokens import GameId, Holder, game_of, holder_of, is_game_id
from service.http.problems import Problem
from service.store.protocol import Snapshot, Store

Role = Literal["seat", "organiser", "spectator"]

ANYBODY: Final[AbstractSet[Role]] = frozenset({"seat", "organiser", "spectator"})
PLAYERS: Final[AbstractSet[Role]] = frozenset({"seat"})
ORGANISERS: Final[AbstractSet[Role]] = frozenset({"organiser"})
PARTICIPANTS: Final[AbstractSet[Role]] = frozenset({"seat", "organiser"})


class Caller(Struct, frozen=True):
    """Who calls: the holder of a game's token (with that game as it is now), of a key, or anybody.

    `is_unknown` says that a token was sent which nobody knows.
    """

    holder: Holder | None = None
    snapshot: Snapshot | None = None
    key: ApiKey | None = None
    is_unknown: bool = False


class Visit(Struct, frozen=True):
    """A caller before a game that he may know of."""

    game_id: GameId
    snapshot: Snapshot
    viewer: Viewer


async def recognise(
    connection: ASGIConnection[Any, Any, Any, Any], store: Store, keys: tuple[ApiKey, ...]
) -> Caller:
    """Who calls, by the bearer token that was sent."""
    token = _bearer(connection)
    if token is None:
        return Caller()
    if key := key_of(token, keys):
        return Caller(key=key)
    game_id = game_of(token)
    snapshot = await store.load(game_id) if game_id else None
    holder = holder_of(token, game_id, snapshot.tokens) if game_id and snapshot else None
    return Caller(holder, snapshot) if holder else Caller(is_unknown=True)


def recognise_key(
    connection: ASGIConnection[Any, Any, Any, Any], keys: tuple[ApiKey, ...]
) -> Caller:
    """Who calls, without a look at the store: the token of a game is unknown then."""
    token = _bearer(connection)
    if token is None:
        return Caller()
    key = key_of(token, keys)
    return Caller(key=key, is_unknown=key is None)


def _bearer(connection: ASGIConnection[Any, Any, Any, Any]) -> str | None:
    """The token that was sent, empty where what was sent is none; None where nothing was."""
    sent = connection.headers.getall("authorization", [])
    if not sent:
        return None
    scheme, _, token = sent[0].partition(" ")
    return token if len(sent) == 1 and scheme.lower() == "bearer" else ""


def read_badge(request: Request[Any, Any, Any]) -> Caller:
    """The caller, as he was recognised at the entrance.

    Raises `unauthorized` for a token that nobody knows.
    """
    caller = cast(Caller, request.state.caller)
    if caller.is_unknown:
        raise Problem("unauthorized", "This token is not known; the game may be gone.")
    return caller


def name_of(caller: Caller) -> str:
    """Who the caller is to an idempotency key: the holder of an API key by name, else anybody."""
    return f"key {caller.key.name}" if caller.key else ""


def read_key(request: Request[Any, Any, Any], scope: Scope) -> ApiKey:
    """The key of the caller. Raises `unauthorized` without a token, `forbidden` for another one."""
    caller = read_badge(request)
    if caller.key is None and caller.holder is None:
        raise Problem("unauthorized", "Send an API key as a bearer token.")
    if caller.key is None or scope not in caller.key.scopes:
        raise Problem("forbidden", f"This needs an API key with the scope {scope}.")
    return caller.key


async def visit(
    request: Request[Any, Any, Any], store: Store, game: str, roles: AbstractSet[Role] = ANYBODY
) -> Visit:
    """The caller before the game that the path names, in one of these roles.

    Raises `unauthorized` where a token is needed and none was sent, `not_found` for a game that is
    not there or is private to others, `forbidden` for a caller in another role.
    """
    found = await arrive(request, store, game, roles)
    require(found, roles)
    return found


async def arrive(
    request: Request[Any, Any, Any], store: Store, game: str, roles: AbstractSet[Role]
) -> Visit:
    """The caller before a game that he may know of, whatever his role there.

    Raises `unauthorized` where none of the roles goes without a token and none was sent, and
    `not_found`.
    """
    caller = read_badge(request)
    if "spectator" not in roles and caller == Caller():
        raise Problem("unauthorized", f"Send the token of {_wanted(roles)} as a bearer token.")
    found = await look_up(store, game, caller)
    if found.viewer.kind == "spectator" and found.snapshot.game.opening.visibility == "private":
        raise no_such_game()
    return found


def require(found: Visit, roles: AbstractSet[Role]) -> None:
    """Raise `forbidden` unless the caller has one of these roles."""
    if found.viewer.kind not in roles:
        raise Problem("forbidden", f"Only {_wanted(roles)} of this game may do that.")


async def look_up(store: Store, game: str, caller: Caller) -> Visit:
    """The game that the path names, private or not, and what the caller is to it."""
    if caller.holder and caller.snapshot and caller.holder.game_id == game:
        return Visit(caller.holder.game_id, caller.snapshot, _viewer(caller.holder))
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
    names = {"seat": "a seat", "organiser": "the organiser"}
    return " or ".join(words for role, words in names.items() if role in roles)
