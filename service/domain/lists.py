"""Lists of games: the public ones, and each key holder's own."""

import asyncio
from typing import Final

from msgspec import Struct

from engine.game import Game, Opening, Status
from service.domain.clock import now
from service.domain.refusals import TooManyOpen
from service.store.protocol import Listed, Store

PUBLIC: Final = "public"
_PAGE: Final = 100
_MOST_READ: Final = 1000
"""One page of an answer reads no more games than that, so that it may come out short."""
_OPENING_MS: Final = 60_000
"""A game is listed just before it is kept; one that is missing longer is gone."""


class Owner(Struct, frozen=True):
    """A key holder, by the name of the key, and how many games he may have open at a time."""

    name: str
    most_open: int


def own(name: str) -> str:
    """The list of all games of a key holder."""
    return f"key-{name}"


def _unfinished(name: str) -> str:
    return f"open-{name}"


async def enlist(store: Store, listed: Listed, opening: Opening, owner: Owner | None) -> None:
    """List a game that is about to be kept. Raises TooManyOpen."""
    if owner is not None:
        await _count(store, listed, owner)
        await store.lists.add(own(owner.name), listed)
    if opening.visibility == "public":
        await store.lists.add(PUBLIC, listed)


async def _count(store: Store, listed: Listed, owner: Owner) -> None:
    """See that the holder may open one more; games that are over are counted out only here."""
    name = _unfinished(owner.name)
    if await store.lists.add(name, listed) <= owner.most_open:
        return
    before: Listed | None = listed
    while before and (page := await store.lists.page(name, before, _PAGE)):
        games = await _games(store, page)
        over = [
            one
            for one, game in zip(page, games, strict=True)
            if (game is None and _is_settled(one)) or (game and game.status == "finished")
        ]
        if over and await store.lists.remove(name, over) <= owner.most_open:
            return
        before = page[-1]
    await store.lists.remove(name, [listed])
    raise TooManyOpen(owner.most_open)


async def page_of(
    store: Store, name: str, status: Status | None, before: Listed | None, limit: int
) -> tuple[list[tuple[str, Game]], Listed | None]:
    """Games of a list, newest first, with their ids; and where the next page goes on."""
    found: list[tuple[str, Game]] = []
    for _ in range(_MOST_READ // _PAGE):
        page = await store.lists.page(name, before, _PAGE)
        games = await _games(store, page)
        await _forget_gone(store, name, page, games)
        for one, game in zip(page, games, strict=True):
            before = one
            if game is not None and status in (None, game.status):
                found.append((one.game_id, game))
            if len(found) == limit:
                return found, before
        if len(page) < _PAGE:
            return found, None
    return found, before


async def _games(store: Store, page: list[Listed]) -> list[Game | None]:
    snapshots = await asyncio.gather(*(store.load(one.game_id) for one in page))
    return [snapshot.game if snapshot else None for snapshot in snapshots]


async def _forget_gone(
    store: Store, name: str, page: list[Listed], games: list[Game | None]
) -> None:
    gone = [one for one, game in zip(page, games, strict=True) if game is None and _is_settled(one)]
    if gone:
        await store.lists.remove(name, gone)


def _is_settled(listed: Listed) -> bool:
    return now() - listed.opened > _OPENING_MS
