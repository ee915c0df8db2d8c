"""What the service says about itself."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from service.wire.opening import Opening
from service.wire.words import RulesVersion


class FirstRequest(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A request that works as it stands."""

    method: Literal["POST"]
    path: Literal["/v1/games"]
    body: Opening


class Welcome(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What this is, and where to go on."""

    name: Literal["persian-rummy-referee"]
    version: Annotated[str, Meta(min_length=1, max_length=40, pattern=r"^[0-9]+(\.[0-9a-z]+)*\Z")]
    rules_version: RulesVersion
    docs: Literal["/docs"]
    contract: Literal["/openapi.yaml"]
    first_request: FirstRequest


class Health(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A sign of life."""

    status: Literal["ok"]


class Readiness(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A sign that the service may be sent requests."""

    status: Literal["ready"]
