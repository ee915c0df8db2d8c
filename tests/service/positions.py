"""Positions as JSON, written in card notation, and how they are put to `/v1/validate`."""

from collections.abc import Sequence
from typing import Any

import httpx

from engine.actions import Action
from engine.cards import CODES, ORDER
from tests.service.tables import Json, json_of, problem

Hand = str | int


def cards(hand: Hand) -> list[str] | int:
    """The codes of a hand, or only how many there are."""
    return hand if isinstance(hand, int) else hand.split()


def position(
    hands: Sequence[Hand] = (),
    stock: Hand = "",
    pile: str = "",
    melds: Sequence[str] = (),
    **members: Any,
) -> Json:
    """A partial position in phase draw, seat 0 to act; hands that are not told are empty.

    A meld is written `5S 6S 7S @1 8S @0`, with `doubled` at its end where it is.
    """
    told = {
        "deal": 1,
        "dealer": 3,
        "turn": 0,
        "phase": "draw",
        "must_use": None,
        "passes": 0,
        "partial": True,
        "hands": [cards(hand) for hand in (*hands, "", "", "", "")[:4]],
        "stock": cards(stock),
        "pile": pile.split(),
        "melds": [meld(at + 1, one) for at, one in enumerate(melds)],
        "totals": {"A": 0, "B": 0},
    }
    return told | members


def meld(number: int, written: str) -> Json:
    """A meld of a position: cards, and after them the seat that played them."""
    played: list[Json] = []
    waiting: list[str] = []
    for word in written.split():
        if word.startswith("@"):
            played += [{"card": card, "seat": int(word[1:])} for card in waiting]
            waiting = []
        elif word != "doubled":
            waiting.append(word)
    assert not waiting, "a card without its seat"
    return {"id": number, "cards": played, "doubled": written.endswith("doubled")}


def dealt(**members: Any) -> Json:
    """A whole position, nothing missing: a deal before its first action, cards in plain order.

    Seat 0 is to act. Every hand is of one suit, from the two to the eight.
    """
    hands = [[rank + suit for rank in "2345678"] for suit in "CDHS"]
    rest = [CODES[one] for one in ORDER if not any(CODES[one] in hand for hand in hands)]
    told = position(pile=rest[0]) | {"hands": hands, "stock": rest[1:]}
    del told["partial"]
    return told | members


async def ask(
    http: httpx.AsyncClient,
    told: Json,
    *actions: str | Action,
    ruleset: Json | None = None,
    options: Json | None = None,
    **members: Any,
) -> httpx.Response:
    """Put a position and actions to the referee."""
    chosen = {"options": options} if options is not None else ruleset
    body = {"position": told, "actions": [json_of(action) for action in actions], **members}
    return await http.post("/v1/validate", json=body | ({"ruleset": chosen} if chosen else {}))


async def judged(http: httpx.AsyncClient, told: Json, *actions: str | Action, **asked: Any) -> Json:
    """The verdict, which must be given."""
    answer = await ask(http, told, *actions, **asked)
    assert answer.status_code == 200, answer.text
    found: Json = answer.json()
    wanted = {"legal", "unknown", "position", "legal_actions", "table_points", "deal_ended"}
    refusal = {"action", "violation", "rules", "links", "cards", "alternatives"}
    assert set(found) == (wanted | refusal if found["legal"] is False else wanted)
    return found


async def pointers(http: httpx.AsyncClient, told: Json, **asked: Any) -> list[str]:
    """Where a position contradicts itself; empty where it does not."""
    answer = await ask(http, told, **asked)
    if answer.status_code == 200:
        return []
    errors = problem(answer, 422, "contradiction")["errors"]
    assert all(set(one) == {"pointer", "detail"} and one["detail"] for one in errors)
    return [one["pointer"] for one in errors]
