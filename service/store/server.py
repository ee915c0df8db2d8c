"""Which servers may keep games: new enough, and never dropping a key to make room."""

from collections.abc import Mapping

from service.store.protocol import EvictingServer, OldServer

Info = Mapping[str, object]
"""The answer to INFO, by field."""

OLDEST_REDIS = 7
OLDEST_VALKEY = 8


def refuse_unfit(info: Info) -> None:
    """Raise OldServer or EvictingServer where the server may not keep games.

    INFO alone is asked, never CONFIG, which managed servers forbid.
    """
    _refuse_old(info)
    _refuse_evicting(info)


def _refuse_old(info: Info) -> None:
    # Valkey gives its own version beside the Redis version that it is compatible with.
    name, oldest, version = "Redis", OLDEST_REDIS, info.get("redis_version")
    if "valkey_version" in info:
        name, oldest, version = "Valkey", OLDEST_VALKEY, info["valkey_version"]
    major = str(version).partition(".")[0]
    if not major.isdecimal() or int(major) < oldest:
        raise OldServer(
            f"the store is {name} {version}; games need {name} {oldest} or later. "
            f"Upgrade the server, or point the service at a newer one."
        )


def _refuse_evicting(info: Info) -> None:
    policy = info.get("maxmemory_policy")
    if policy != "noeviction":
        raise EvictingServer(
            f"the store has maxmemory-policy {policy}: when its memory is full it would drop "
            f"games. Set `maxmemory-policy noeviction` on the server, or use another server."
        )
