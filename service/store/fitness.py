"""Which servers may keep games: new enough, never dropping a key to make room, and what the URL
says they are.
"""

from collections.abc import Mapping

from service.store.address import Kind
from service.store.protocol import EvictingServer, OldServer, OtherKind

Info = Mapping[str, object]
"""The answer to INFO, by field."""

OLDEST_REDIS = 7
OLDEST_VALKEY = 8


def refuse_unfit(info: Info, kind: Kind = "single") -> None:
    """Raise OldServer, EvictingServer or OtherKind where the server may not keep games.

    INFO alone is asked, never CONFIG, which managed servers forbid.
    """
    _refuse_other_kind(info, kind)
    _refuse_old(info)
    _refuse_evicting(info)


def _refuse_other_kind(info: Info, kind: Kind) -> None:
    # As Redis calls it, or Valkey.
    mode = info.get("redis_mode", info.get("server_mode"))
    if mode == "sentinel":
        raise OtherKind(
            "the store is a Sentinel, which keeps no games: with redis+sentinel://HOST:PORT/NAME "
            "the service asks it for the server of that name"
        )
    if mode == "cluster" and kind != "cluster":
        raise OtherKind(
            "the store is a node of a cluster: write redis+cluster://HOST:PORT in place of "
            "redis://HOST:PORT, and the service finds the others"
        )


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
