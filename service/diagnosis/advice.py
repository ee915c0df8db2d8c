"""What to do about an error of the store, by what it says."""

from typing import Final

from service.store.protocol import StoreUnavailable

UNREACHED: Final = (
    "see that the server runs, that REFEREE_REDIS_URL names it, and that nothing between them "
    "forbids the way"
)
REFUSED: Final = "the server takes no writes: its own words say why, and its log more"
RIGHTS: Final = (
    "give the user its rights: ACL SETUSER … ~rummy:* +@read +@write +@scripting +info +time "
    "+select +wait, and in a cluster +cluster|slots +cluster|nodes +cluster|info +asking"
)

_MEANINGS: Final = (
    (("NoPermission", "NOPERM", "can't run this command"), RIGHTS),
    (
        ("Authentication", "NOAUTH", "WRONGPASS", "invalid username", "invalid password"),
        "set user and password: REFEREE_REDIS_USERNAME and REFEREE_REDIS_PASSWORD, for Sentinels "
        "of their own REFEREE_SENTINEL_USERNAME and REFEREE_SENTINEL_PASSWORD",
    ),
    (
        ("CERTIFICATE", "SSL", "certificate"),
        "see that the URL says rediss where the server wants TLS and redis where it does not, that "
        "ssl_ca_certs names the authority of its certificate and the URL a host that is in it, and "
        "that ssl_certfile and ssl_keyfile are there if it wants a certificate of its clients",
    ),
    (
        ("NOREPLICAS", "replicas have answered"),
        "bring its replicas back: min-replicas-to-write or REFEREE_REDIS_REPLICAS wants them, and "
        "moves are answered 503 until they are there",
    ),
    (
        ("OutOfMemory", "OOM"),
        "its memory is full: raise `maxmemory`, or shorten the lifetimes of games",
    ),
    (("MISCONF",), "it cannot save to its disk: make room there"),
    (("ReadOnly", "READONLY"), "it is a replica: name its primary, or the Sentinels that know it"),
    (
        ("No master found", "MasterNotFound"),
        "see that the name behind the hosts is the one of `sentinel monitor`, that the Sentinels "
        "see the server, and what REFEREE_SENTINEL_PASSWORD they want",
    ),
    (
        ("Cluster mode is not enabled",),
        "write redis:// for a server that stands alone; if it is a cluster, let the user ask it: "
        "+cluster|slots",
    ),
    (
        ("connecting to None:", "connecting to ?:"),
        "let the nodes announce where they are: cluster-preferred-endpoint-type ip, or hostname "
        "with a cluster-announce-hostname",
    ),
    (("no node keeps any slot",), "form the cluster, or wait until that is done"),
)
_LONGEST: Final = 200


def advice_on(told: str, otherwise: str) -> str:
    """What an error mostly means, by a piece of its text; `otherwise` where none is known."""
    for pieces, advice in _MEANINGS:
        if any(piece in told for piece in pieces):
            return advice
    return otherwise


def short(error: StoreUnavailable) -> str:
    """The error, without the whole pools and connections that the library prints into some."""
    told = str(error)
    return told if len(told) <= _LONGEST else f"{told[:_LONGEST]}…"
