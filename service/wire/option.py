"""The options of a table.

Their values are judged by the engine, not here: a value that is not offered contradicts the rules
(422), it does not break the form of the request (400). So the types below are wide, and what the
contract lists is only written beside them.
"""

from typing import Annotated

from msgspec import UNSET, Meta, Struct, UnsetType

PresetName = Annotated[str, Meta(extra_json_schema={"enum": ["persian", "partnership-500"]})]
QuadBonus = Annotated[str, Meta(extra_json_schema={"enum": ["single_lay", "same_turn", "none"]})]
StockOut = Annotated[str, Meta(extra_json_schema={"enum": ["all_pass", "first_pass"]})]
PickupUse = Annotated[str, Meta(extra_json_schema={"enum": ["meld_or_layoff", "new_meld_only"]})]
TopDiscard = Annotated[str, Meta(extra_json_schema={"enum": ["must_use", "free"]})]
GoOutBonus = Annotated[int, Meta(extra_json_schema={"minimum": 0, "maximum": 1000})]
TieBreak = Annotated[str, Meta(extra_json_schema={"enum": ["draw", "extra_deal"]})]
Jokers = Annotated[int, Meta(extra_json_schema={"enum": [0, 4]})]
AceInRuns = Annotated[str, Meta(extra_json_schema={"enum": ["high", "high_or_low"]})]
AceLowValue = Annotated[int, Meta(extra_json_schema={"enum": [1, 15]})]
DealerRotation = Annotated[str, Meta(extra_json_schema={"enum": ["left", "winner", "fixed"]})]
HandSize = Annotated[int, Meta(extra_json_schema={"minimum": 3, "maximum": 12})]
Deals = Annotated[int, Meta(extra_json_schema={"minimum": 1, "maximum": 50})]
Target = Annotated[int, Meta(extra_json_schema={"minimum": 1, "maximum": 10_000})]


class GameEnd(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """When a game ends: after so many deals, or with so many points. Exactly one is given."""

    deals: Deals | UnsetType = UNSET
    target: Target | UnsetType = UNSET


class Options(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The options that differ from the preset."""

    quad_bonus: QuadBonus | UnsetType = UNSET
    stock_out: StockOut | UnsetType = UNSET
    pickup_use: PickupUse | UnsetType = UNSET
    top_discard: TopDiscard | UnsetType = UNSET
    go_out_by_discard: bool | UnsetType = UNSET
    go_out_bonus: GoOutBonus | UnsetType = UNSET
    game_end: GameEnd | UnsetType = UNSET
    tie_break: TieBreak | UnsetType = UNSET
    jokers: Jokers | UnsetType = UNSET
    ace_in_runs: AceInRuns | UnsetType = UNSET
    ace_low_value: AceLowValue | UnsetType = UNSET
    dealer_rotation: DealerRotation | UnsetType = UNSET
    blocked_hand_penalty: bool | UnsetType = UNSET
    hand_size: HandSize | UnsetType = UNSET


class ResolvedOptions(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Every option."""

    quad_bonus: QuadBonus
    stock_out: StockOut
    pickup_use: PickupUse
    top_discard: TopDiscard
    go_out_by_discard: bool
    go_out_bonus: GoOutBonus
    game_end: GameEnd
    tie_break: TieBreak
    jokers: Jokers
    ace_in_runs: AceInRuns
    ace_low_value: AceLowValue
    dealer_rotation: DealerRotation
    blocked_hand_penalty: bool
    hand_size: HandSize
