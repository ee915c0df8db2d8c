"""The kinds of problems: the closed list of names that the contract has, each with a page."""

from collections.abc import Mapping
from typing import Final, Literal, NamedTuple

ProblemName = Literal[
    "malformed",
    "unauthorized",
    "forbidden",
    "not_found",
    "method_not_allowed",
    "not_acceptable",
    "too_large",
    "unsupported_media_type",
    "not_your_turn",
    "game_over",
    "game_not_over",
    "game_not_started",
    "game_started",
    "seat_taken",
    "stale",
    "illegal_move",
    "contradiction",
    "unsupported",
    "idempotency_mismatch",
    "precondition_required",
    "rate_limited",
    "unavailable",
    "internal",
]


class Kind(NamedTuple):
    """What all problems of one name share: the usual HTTP status and the title."""

    status: int
    title: str


KINDS: Final[Mapping[ProblemName, Kind]] = {
    "malformed": Kind(400, "The request is not well-formed"),
    "unauthorized": Kind(401, "A known token is needed"),
    "forbidden": Kind(403, "This token may not do that"),
    "not_found": Kind(404, "There is no such thing here"),
    "method_not_allowed": Kind(405, "This resource does not know that method"),
    "not_acceptable": Kind(406, "No accepted media type can be given"),
    "too_large": Kind(413, "The request is too large"),
    "unsupported_media_type": Kind(415, "The body has another media type than the one needed"),
    "not_your_turn": Kind(409, "It is not this seat's turn"),
    "game_over": Kind(409, "The game is over"),
    "game_not_over": Kind(409, "The game is not over yet"),
    "game_not_started": Kind(409, "The game has not started yet"),
    "game_started": Kind(409, "The game has already started"),
    "seat_taken": Kind(409, "The seat is not open"),
    "stale": Kind(412, "The game has moved on"),
    "illegal_move": Kind(422, "The move breaks a rule of the game"),
    "contradiction": Kind(422, "The request contradicts itself"),
    "unsupported": Kind(422, "This service does not offer that"),
    "idempotency_mismatch": Kind(422, "The idempotency key came with another body before"),
    "precondition_required": Kind(428, "This game wants If-Match with each move"),
    "rate_limited": Kind(429, "Too many requests"),
    "unavailable": Kind(503, "The service cannot do this now"),
    "internal": Kind(500, "The service failed"),
}
