"""Rulesets: what an opening asks for, what a game has, and what there is to choose from."""

from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from service.wire.option import GameEnd, Options, PresetName, ResolvedOptions

Setting = Annotated[int, Meta(ge=0, le=10_000)]
Choice = Annotated[str, Meta(min_length=1, max_length=40)]


class RulesetChoice(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A preset and what differs from it.

    The options are of the form that ``Options`` says, but taken as they come: which of them is not
    offered is for the engine to tell.
    """

    preset: PresetName | UnsetType = UNSET
    options: (
        Annotated[dict[str, Any], Meta(extra_json_schema={"$ref": "#/components/schemas/Options"})]
        | UnsetType
    ) = UNSET


class GameRuleset(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The preset and options that a game was opened with."""

    preset: PresetName
    options: Options


class PresetRuleset(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A preset with every option resolved."""

    name: PresetName
    title: Annotated[str, Meta(min_length=1, max_length=100)]
    options: ResolvedOptions


class OptionRange(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Any whole number between two, both included."""

    minimum: Setting
    maximum: Setting


class OptionForm(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An object with this one member, a whole number between two, both included."""

    member: Literal["deals", "target"]
    minimum: Setting
    maximum: Setting


class OptionRule(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An option, what it is in the preset ``persian``, and what it may be set to."""

    name: Annotated[str, Meta(min_length=1, max_length=40, pattern=r"^[a-z_]*\Z")]
    default: bool | Setting | Choice | GameEnd
    values: (
        Annotated[
            tuple[bool | Setting | Choice | OptionForm, ...], Meta(min_length=2, max_length=10)
        ]
        | OptionRange
    )
    summary: Annotated[str, Meta(min_length=1, max_length=200)]


class Rulesets(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """All presets and all options."""

    items: Annotated[tuple[PresetRuleset, ...], Meta(max_length=20)]
    options: Annotated[tuple[OptionRule, ...], Meta(max_length=50)]
