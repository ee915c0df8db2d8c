"""Verdicts on a position that is not kept here."""

from typing import Annotated

from msgspec import UNSET, Meta, Struct, UnsetType

from service.wire.action import Action
from service.wire.ledger import Ledger
from service.wire.position import Position
from service.wire.problem import RuleLink, Violation
from service.wire.ruleset import RulesetChoice
from service.wire.view import CardList, TeamPoints
from service.wire.words import RuleId, SeatNumber


class ValidateRequest(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A position and what is done in it; without actions only the legal ones are asked for."""

    ruleset: RulesetChoice | UnsetType = UNSET
    position: Position
    actions: Annotated[tuple[Action, ...], Meta(max_length=32)]
    seat: SeatNumber | UnsetType = UNSET


class Judgement(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The verdict, and where the actions lead. The last members belong to a refusal only."""

    legal: bool | None
    unknown: bool
    position: Position
    legal_actions: Annotated[tuple[Action, ...], Meta(max_length=1000)] | None
    table_points: TeamPoints
    deal_ended: Ledger | None
    action: Annotated[int, Meta(ge=0, le=31)] | UnsetType = UNSET
    violation: Violation | UnsetType = UNSET
    rules: Annotated[tuple[RuleId, ...], Meta(min_length=1, max_length=10)] | UnsetType = UNSET
    links: Annotated[tuple[RuleLink, ...], Meta(min_length=1, max_length=10)] | UnsetType = UNSET
    cards: CardList | UnsetType = UNSET
    alternatives: Annotated[tuple[Action, ...], Meta(max_length=5)] | UnsetType = UNSET
