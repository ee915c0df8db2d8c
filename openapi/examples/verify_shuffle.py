"""Check shuffles: python3 verify_shuffle.py FILE, the record of a game or the vectors shuffle.json.

Prints what it found; status 0 if all is as promised, else 1. It needs the standard library alone.
"""

import hashlib
import hmac
import json
import struct
import sys


def pack(secret, seeds, number, jokers):
    """Pack `number` in order of dealing."""
    label = "|".join(["persian-rummy/1", *seeds, str(number)]).encode("ascii")
    key = hmac.digest(secret, label, "sha256")
    blocks = (hmac.digest(key, struct.pack(">Q", counter), "sha256") for counter in range(2**64))
    words = (word for block in blocks for word in struct.unpack(">8I", block))
    cards = [rank + suit for suit in "CDHS" for rank in "23456789TJQKA"]
    cards += ["X1", "X2", "X3", "X4"][:jokers]
    for last in range(len(cards) - 1, 0, -1):
        fair = 2**32 // (last + 1) * (last + 1)  # words from here up would favour low places
        place = next(word for word in words if word < fair) % (last + 1)
        cards[last], cards[place] = cards[place], cards[last]
    return cards


def keeps_commitment(told):
    """What was promised before the game is what was told after it."""
    return hashlib.sha256(bytes.fromhex(told["secret"])).hexdigest() == told["commitment"]


def vector_checks(at, told):
    """What is checked of a test vector, and whether it is so."""
    cards = pack(bytes.fromhex(told["secret"]), told["client_seeds"], told["pack"], told["jokers"])
    yield f"commitment of vector {at}", keeps_commitment(told)
    yield f"cards of vector {at}", cards == told["cards"]


def record_checks(told):
    """A record shows what came of its packs: the draw for teams, who was dealt what, the stock."""
    secret, options = bytes.fromhex(told["secret"]), told["ruleset"]["options"]
    jokers = options.get("jokers", 4 if told["ruleset"]["preset"] == "persian" else 0)
    dealt = 4 * options.get("hand_size", 7)
    yield "commitment", keeps_commitment(told)
    played = {one["deal"] for one in told["log"]} - {0}
    yield "deals", played == set(range(1, len(told["deals"]) + 1))
    drawn = [one["card"] for one in told["draw"] or []]
    yield "draw for teams", drawn == pack(secret, ["", "", "", ""], 0, jokers)[: len(drawn)]
    for number, deal in enumerate(told["deals"], start=1):
        cards = pack(secret, told["client_seeds"], number, jokers)
        log = [one for one in told["log"] if one["deal"] == number and one["action"]]
        came = [one["drawn"] for one in log if one["action"]["type"] == "draw_stock"]
        yield f"stock of deal {number}", came == cards[dealt + 1 :][: len(came)]
        holder = {}  # whoever plays a card first, or keeps it to the end, was dealt it or drew it
        for one in (one for one in log if one["action"]["type"] != "draw_discard"):
            action = one["action"]
            for card in action.get("cards", [action.get("card")]):
                holder.setdefault(card, one["seat"])
        for seat, hand in enumerate(deal["hands"]):
            holder.update({card: holder.get(card, seat) for card in hand})
        seats = [(deal["dealer"] + 1 + at) % 4 for at in range(dealt)]
        yield f"hands of deal {number}", [holder.get(card) for card in cards[:dealt]] == seats


def checks_of(told):
    """All checks of a file."""
    if "vectors" in told:
        return [one for at, told in enumerate(told["vectors"]) for one in vector_checks(at, told)]
    if told["secret"] is None:
        return [("shuffle: there was none, the packs were given", False)]
    return list(record_checks(told))


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    with open(sys.argv[1], encoding="utf-8") as file:
        checks = checks_of(json.load(file))
    for what, is_so in checks:
        print("right" if is_so else "WRONG", what)
    sys.exit(0 if checks and all(is_so for _, is_so in checks) else 1)
