"""Problems as they are told (RFC 9457)."""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from service.wire.action import Action
from service.wire.view import CardList
from service.wire.words import Ply, RequestId, RuleId

Violation = Literal[
    "game_over",
    "not_your_turn",
    "draw_first",
    "already_drawn",
    "stock_empty",
    "pass_not_allowed",
    "card_not_in_pile",
    "pickup_unusable",
    "must_use_pickup",
    "duplicate_card",
    "card_not_in_hand",
    "bad_meld",
    "no_such_meld",
    "bad_lay_off",
]

ProblemType = Literal[
    "/problems/malformed",
    "/problems/unauthorized",
    "/problems/forbidden",
    "/problems/not_found",
    "/problems/method_not_allowed",
    "/problems/not_acceptable",
    "/problems/too_large",
    "/problems/unsupported_media_type",
    "/problems/not_your_turn",
    "/problems/game_over",
    "/problems/game_not_over",
    "/problems/game_not_started",
    "/problems/game_started",
    "/problems/seat_taken",
    "/problems/stale",
    "/problems/illegal_move",
    "/problems/contradiction",
    "/problems/unsupported",
    "/problems/idempotency_mismatch",
    "/problems/precondition_required",
    "/problems/rate_limited",
    "/problems/unavailable",
    "/problems/internal",
]

RuleLink = Annotated[str, Meta(pattern=r"^/v1/rules/[RG]-[0-9]{2}\Z")]


class Fault(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One thing that is wrong with a body, and where (RFC 6901; empty for the whole of it)."""

    pointer: Annotated[str, Meta(max_length=1000, pattern=r"^(/|\Z)")]
    detail: Annotated[str, Meta(min_length=1, max_length=1000)]


class Problem(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Why a request was not done; the members after ``instance`` belong to some types only."""

    type: ProblemType
    title: Annotated[str, Meta(min_length=1, max_length=100)]
    status: Annotated[int, Meta(ge=400, le=599)]
    detail: Annotated[str, Meta(min_length=1, max_length=2000)]
    instance: RequestId
    errors: Annotated[tuple[Fault, ...], Meta(min_length=1, max_length=1000)] | UnsetType = UNSET
    violation: Violation | UnsetType = UNSET
    rules: Annotated[tuple[RuleId, ...], Meta(min_length=1, max_length=10)] | UnsetType = UNSET
    links: Annotated[tuple[RuleLink, ...], Meta(min_length=1, max_length=10)] | UnsetType = UNSET
    action: Annotated[int, Meta(ge=0, le=31)] | UnsetType = UNSET
    cards: CardList | UnsetType = UNSET
    ply: Ply | UnsetType = UNSET
    policy: Literal["address", "token", "key", "open_games"] | UnsetType = UNSET
    alternatives: Annotated[tuple[Action, ...], Meta(max_length=5)] | UnsetType = UNSET
