"""Rate limits: a bucket of requests for each key, each token, and each address without either."""

import hashlib
import math
from collections.abc import Mapping
from typing import Final

from msgspec import Struct

from service.http.problems import Problem
from service.settings import Settings
from service.store.protocol import Buckets, Level


class Policy(Struct, frozen=True):
    """How many requests at once, and how many a second after that."""

    name: str
    rate: int
    burst: int

    @property
    def window(self) -> int:
        """Seconds in which an empty bucket is full again."""
        return math.ceil(self.burst / self.rate)


class Client(Struct, frozen=True):
    """Whose bucket a request is taken from."""

    policy: Policy
    identity: str


OPEN_GAMES: Final = "open_games"
"""The policy that bounds the unfinished games of a key."""


def policies(settings: Settings) -> Mapping[str, Policy]:
    """The policies that the settings make, by name."""
    return {
        "address": Policy("address", settings.address_rate, settings.address_burst),
        "token": Policy("token", settings.token_rate, settings.token_burst),
        "key": Policy("key", settings.key_rate, settings.key_burst),
    }


async def count(buckets: Buckets, client: Client) -> Mapping[str, str]:
    """Count a request, and tell how the client stands: headers for the answer.

    Raises `rate_limited` where its bucket is empty.
    """
    policy = client.policy
    # An address or a token is nobody's business in the store: its digest will do.
    name = hashlib.sha256(f"{policy.name} {client.identity}".encode()).hexdigest()
    level = await buckets.take(name, policy.rate, policy.burst)
    headers = _headers(policy, level)
    if level.taken:
        return headers
    raise Problem(
        "rate_limited",
        f"More than {policy.rate} requests a second, limit {policy.name!r}; wait a little.",
        headers=dict(headers) | {"Retry-After": str(math.ceil(level.wait))},
        policy=policy.name,
    )


def _headers(policy: Policy, level: Level) -> Mapping[str, str]:
    """As the IETF draft on rate limit headers has them: a structured item with parameters."""
    reset = math.ceil((policy.burst - level.left) / policy.rate)
    return {
        "RateLimit-Policy": f'"{policy.name}";q={policy.burst};w={policy.window}',
        "RateLimit": f'"{policy.name}";r={level.left};t={reset}',
    }
