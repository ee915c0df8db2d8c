"""The words of the wire: single values, each with the bounds that the contract gives it.

Each bears the name of its component in the contract. Patterns end in ``\\Z`` where the contract has
``$``, because Python's ``$`` lets a line break at the end pass.
"""

from typing import Annotated, Literal

from msgspec import Meta

GameId = Annotated[str, Meta(pattern=r"^[a-z0-9]{20}\Z")]
RequestId = Annotated[str, Meta(pattern=r"^[A-Za-z0-9._-]{1,64}\Z")]
Card = Annotated[str, Meta(pattern=r"^([2-9TJQKA][CDHS]|X[1-4])\Z")]
HandCard = Annotated[str, Meta(pattern=r"^([2-9TJQKA][CDHS]|X[1-4]|\?\?)\Z")]
SeatNumber = Annotated[int, Meta(ge=0, le=3)]
Team = Literal["A", "B"]
Ply = Annotated[int, Meta(ge=0, le=999_999_999)]
DealNumber = Annotated[int, Meta(ge=0, le=50)]
MeldId = Annotated[int, Meta(ge=1, le=99)]
CardCount = Annotated[int, Meta(ge=0, le=56)]
Passes = Annotated[int, Meta(ge=0, le=4)]
IdleTurns = Annotated[int, Meta(ge=0, le=12)]
Points = Annotated[int, Meta(ge=-100_000, le=100_000)]
PlayerName = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=40,
        pattern=r"^[^\u0000-\u001f\u007f-\u009f\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]*\Z",
    ),
]
SeatToken = Annotated[str, Meta(pattern=r"^prs_[a-z0-9]{20}_[0-9a-f]{48}\Z")]
OrganiserToken = Annotated[str, Meta(pattern=r"^pro_[a-z0-9]{20}_[0-9a-f]{48}\Z")]
Invitation = Annotated[str, Meta(pattern=r"^pri_[a-z0-9]{20}_[0-9a-f]{48}\Z")]
ClientSeed = Annotated[str, Meta(pattern=r"^[0-9a-f]{0,64}\Z")]
Digest = Annotated[str, Meta(pattern=r"^[0-9a-f]{64}\Z")]
Cursor = Annotated[str, Meta(pattern=r"^[0-9a-f]{8}\Z")]
GamesCursor = Annotated[str, Meta(pattern=r"^[0-9a-f]{12}[a-z0-9]{20}\Z")]
RuleId = Annotated[str, Meta(pattern=r"^[RG]-[0-9]{2}\Z")]
RulesVersion = Literal["1"]
Chance = Literal["drawn", "given"]
Status = Literal["waiting", "playing", "finished"]
Visibility = Literal["public", "private"]
TeamFormation = Literal["assigned", "draw"]
PlayerKind = Literal["client", "open", "house"]
Phase = Literal["draw", "play", "over"]
MeldKind = Literal["set", "run"]
DealEnd = Literal["out", "blocked", "forfeit"]
GameEvent = Literal["seat_taken", "forfeit"]
