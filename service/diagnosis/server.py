"""One server of the store, as its INFO tells."""

from collections.abc import Iterator, Mapping
from typing import Final

from service.diagnosis.finding import Finding, bad, ok, warning
from service.store.fitness import Info, refuse_unfit, version_of
from service.store.protocol import EvictingServer, ServerRefused

FULL: Final = 0.8
"""A store fuller than that is soon full: what is left is time to make room."""
SKEW: Final = 1.0
"""Seconds. Clocks that are kept in time differ by milliseconds."""


def findings_in(info: Info, replicas: int, fsync: str | None) -> Iterator[Finding]:
    """What there is to say of a server.

    `replicas` are those that a write waits for; `fsync` is its `appendfsync`, None where it does
    not tell.
    """
    version = _version(info)
    yield version
    if version.verdict == "bad":
        return
    yield _policy(info)
    yield _memory(info)
    yield from _persistence(info, fsync)
    yield _replicas(info, replicas)


def skew(server_at: float, here: float) -> Finding:
    """How far the clocks are apart; both in seconds since 1970."""
    apart = server_at - here
    found = f"the server's clock is {abs(apart):.1f} s {'ahead' if apart > 0 else 'behind'}"
    if abs(apart) <= SKEW:
        return ok("clock", found)
    return warning(
        "clock",
        found,
        "keep both machines in time (NTP): entries of a log bear the time of the service, "
        "lifetimes and rate limits go by the server's",
    )


def _version(info: Info) -> Finding:
    found = version_of(info)
    try:
        refuse_unfit(info, "cluster")
    except EvictingServer:
        pass
    except ServerRefused as refusal:
        return bad("version", found, str(refusal))
    return ok("version", found)


def _policy(info: Info) -> Finding:
    policy = str(info.get("maxmemory_policy"))
    if policy == "noeviction":
        return ok("policy", policy)
    return bad(
        "policy",
        policy,
        "set `maxmemory-policy noeviction`: when its memory is full this server drops games",
    )


def _memory(info: Info) -> Finding:
    used, most = _number(info, "used_memory"), _number(info, "maxmemory")
    if not most:
        return warning(
            "memory",
            f"{_megabytes(used)} in use, without a limit",
            "set `maxmemory` below what the machine or the container has: a server at its limit "
            "refuses writes and goes on, one that runs out of memory is killed",
        )
    found = f"{_megabytes(used)} of {_megabytes(most)} in use"
    if used < FULL * most:
        return ok("memory", found)
    if used >= most:
        return bad(
            "memory",
            found,
            "raise `maxmemory`, or shorten the lifetimes of games: moves are answered 503",
        )
    return warning(
        "memory",
        found,
        "raise `maxmemory`, or shorten the lifetimes of games: once it is full, moves are "
        "answered 503",
    )


def _persistence(info: Info, fsync: str | None) -> Iterator[Finding]:
    if not _number(info, "aof_enabled"):
        yield warning(
            "persistence",
            "no append-only file",
            "set `appendonly yes`: without it a restart loses all games since the last snapshot, "
            "and all there are if it makes none",
        )
    elif info.get("aof_last_write_status") != "ok":
        yield bad(
            "persistence",
            "the append-only file cannot be written",
            "look for room on the server's disk; until then moves are answered 503",
        )
    elif fsync is None:
        yield ok("persistence", "append-only file; it does not tell when that is synced")
    elif fsync == "always":
        yield ok("persistence", "append-only file, synced with each write")
    else:
        yield warning(
            "persistence",
            f"append-only file, appendfsync {fsync}",
            "a server that loses power forgets the moves of the last second (or more, with `no`); "
            "`appendfsync always` forgets none",
        )
    if info.get("rdb_last_bgsave_status") != "ok":
        yield bad(
            "snapshot",
            "the last one failed",
            "look for room on the server's disk and in its memory: it refuses writes meanwhile, "
            "unless `stop-writes-on-bgsave-error no` is set",
        )


def _replicas(info: Info, wanted: int) -> Finding:
    role, has = info.get("role"), _number(info, "connected_slaves")
    if role == "slave":
        return bad(
            "replicas",
            "it is a replica",
            "give the URL of its primary, or of the Sentinels (redis+sentinel://) that know it",
        )
    found = f"{has} connected, a move waits for {wanted}"
    if has < wanted:
        return bad(
            "replicas",
            found,
            "connect replicas, or lower REFEREE_REDIS_REPLICAS: moves are answered 503",
        )
    if has and not wanted:
        return warning(
            "replicas",
            found,
            "a failover may lose the last moves that were acknowledged; with "
            "REFEREE_REDIS_REPLICAS=1 it does not",
        )
    return ok("replicas", found)


def _number(info: Mapping[str, object], field: str) -> int:
    return int(str(info.get(field, 0)))


def _megabytes(count: int) -> str:
    return f"{count / 1024 / 1024:.0f} MB"
