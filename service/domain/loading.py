"""Looking at a game again, after another write came first."""

from service.domain.refusals import NoSuchGame
from service.domain.tokens import GameId
from service.store.protocol import Snapshot, Store


async def fresh(store: Store, game_id: GameId) -> Snapshot:
    """The game as it stands now. Raises NoSuchGame where it is gone."""
    snapshot = await store.load(game_id)
    if snapshot is None:
        raise NoSuchGame
    return snapshot
