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
    mode = mode_of(info)
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


def mode_of(info: Info) -> object:
    """`standalone`, `sentinel` or `cluster`."""
    # As Redis calls it, or Valkey.
    return info.get("redis_mode", info.get("server_mode"))


def version_of(info: Info) -> str:
    """What the server is, such as `Valkey 8.1.0`."""
    # Valkey gives its own version beside the Redis version that it is compatible with.
    if "valkey_version" in info:
        return f"Valkey {info['valkey_version']}"
    return f"Redis {info.get('redis_version')}"


def _refuse_old(info: Info) -> None:
    name, _, version = version_of(info).partition(" ")
    oldest = OLDEST_VALKEY if name == "Valkey" else OLDEST_REDIS
    major = version.partition(".")[0]
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
