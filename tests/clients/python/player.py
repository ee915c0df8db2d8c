"""Plays a whole game with the client that openapi-python-client makes from the contract.

    openapi-python-client generate --path openapi/openapi.yaml --meta none \
        --output-path referee_client
    python player.py http://127.0.0.1:8000

One program plays all four seats, and prints the id of the game and how it ended.
"""

import json
import sys
from typing import TypeVar

from referee_client import AuthenticatedClient, Client
from referee_client.api.games import get_game, open_game
from referee_client.api.history import get_record
from referee_client.api.play import play_move
from referee_client.models import (
    Discard,
    DrawDiscard,
    DrawStock,
    LayOff,
    Meld,
    MoveAnswer,
    MoveRequest,
    Opening,
    OpeningAnswer,
    OpeningPlayer,
    Pass,
    Record,
    View,
)

Action = DrawStock | DrawDiscard | Meld | LayOff | Discard | Pass
Answer = TypeVar("Answer")


def play(url: str) -> Record:
    """Open a game, play it to its end, and fetch its record."""
    players = [OpeningPlayer(name=name) for name in ("north", "east", "south", "west")]
    with Client(base_url=url) as anybody:
        # The generator's type hint asks for a token wherever one may be given; none is needed here.
        answer = open_game.sync(client=anybody, body=Opening(players=players))  # type: ignore[arg-type]
        opened = given(OpeningAnswer, answer)
    seats = [AuthenticatedClient(base_url=url, token=str(token)) for token in opened.tokens.seats]
    game = opened.game
    while game.turn is not None:
        seat = seats[game.turn]
        seen = given(View, get_game.sync(game.id, client=seat))
        move = MoveRequest(actions=[choice(seen.legal_actions or [])])
        # With its ply, a move whose answer got lost can be sent again, and is played once.
        played = play_move.sync(game.id, client=seat, body=move, if_match=f'"{seen.ply}"')
        game = given(MoveAnswer, played).game
    record = given(Record, get_record.sync(game.id, client=seats[0]))
    for seat in seats:
        seat.get_httpx_client().close()
    return record


def choice(legal: list[Action]) -> Action:
    """Lay as many cards as possible; take the first of what is left."""
    return max(legal, key=lambda one: len(one.cards) if isinstance(one, Meld | LayOff) else 0)


def given(kind: type[Answer], answer: object) -> Answer:
    """The answer that was hoped for. Raises RuntimeError with what the service said instead."""
    if not isinstance(answer, kind):
        raise RuntimeError(answer)
    return answer


if __name__ == "__main__":
    record = play(sys.argv[1])
    print(json.dumps({"game": record.game, "deals": len(record.deals), "plies": len(record.log)}))
