"""Opening a game."""

from typing import Annotated

from msgspec import UNSET, Meta, Struct, UnsetType

from service.wire.ruleset import RulesetChoice
from service.wire.view import View
from service.wire.words import (
    Card,
    Invitation,
    OrganiserToken,
    PlayerKind,
    PlayerName,
    SeatNumber,
    SeatToken,
    TeamFormation,
    Visibility,
)

Pack = Annotated[tuple[Card, ...], Meta(min_length=52, max_length=56)]

# There are no time limits yet, so any that is asked for is refused; this much may be asked.
ClockSetting = Annotated[int, Meta(ge=1 - 2**53, le=2**53 - 1)]
ClockText = Annotated[str, Meta(max_length=100)]
Clock = Annotated[dict[str, ClockSetting | ClockText | bool | None], Meta(max_length=10)]


class OpeningPlayer(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A named player (``client`` if ``kind`` is left out), or an open seat, which has no name."""

    kind: PlayerKind | UnsetType = UNSET
    name: PlayerName | UnsetType = UNSET

    def __post_init__(self) -> None:
        """Raise ValueError where a client has no name, or an open seat has one."""
        if self.kind in (UNSET, "client") and self.name is UNSET:
            raise ValueError("a player of the kind client needs a name")
        if self.kind == "open" and self.name is not UNSET:
            raise ValueError("an open seat has no name")


class Opening(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How a game is to be opened; only ``players`` is required."""

    ruleset: RulesetChoice | UnsetType = UNSET
    team_formation: TeamFormation | UnsetType = UNSET
    dealer: SeatNumber | UnsetType = UNSET
    visibility: Visibility | UnsetType = UNSET
    players: Annotated[tuple[OpeningPlayer, ...], Meta(min_length=4, max_length=4)]
    secret: Annotated[str, Meta(pattern=r"^[0-9a-fA-F]{64}\Z")] | UnsetType = UNSET
    packs: Annotated[tuple[Pack, ...], Meta(min_length=1, max_length=50)] | UnsetType = UNSET
    organiser_sees_all: bool | UnsetType = UNSET
    require_if_match: bool | UnsetType = UNSET
    clock: Clock | UnsetType = UNSET


class OpeningTokens(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The tokens of a new game; by seat, None where the seat is open."""

    organiser: OrganiserToken
    seats: Annotated[tuple[SeatToken | None, ...], Meta(min_length=4, max_length=4)]


class OpeningAnswer(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The new game as the organiser sees it, and its tokens."""

    game: View
    tokens: OpeningTokens
    invitation: Invitation | None
