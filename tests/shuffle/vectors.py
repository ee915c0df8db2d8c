"""The test vectors of the shuffle: `python -m tests.shuffle.vectors` writes them anew.

They are for people who write the shuffle in another language, so a vector tells what stands
between the secret and the pack as well: the label that is hashed to the key, the first words of the
stream, and the words that were refused.
"""

import hmac
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

from engine.cards import CODES
from engine.shuffle import NO_SEEDS, commitment, limit, pack

FILE: Final = Path(__file__).parents[2] / "openapi" / "examples" / "shuffle.json"

FIRST_WORDS: Final = 8
"""So many words are one block of the stream."""

ABOUT: Final = (
    "commitment = SHA-256(secret). key = HMAC-SHA256(secret, label), label = persian-rummy/1, the "
    "client seeds of seats 0 to 3 and the number of the pack, joined by |. Words are 32-bit "
    "big-endian numbers out of the blocks HMAC-SHA256(key, counter), the counter 8 bytes "
    "big-endian from 0. Cards start by suit C D H S, 2 to A, then X1 to X4 where there are jokers; "
    "for place i from the last down to 1 words are taken until one is below "
    "floor(2^32 / (i + 1)) * (i + 1), and place i is swapped with place (word mod (i + 1)). "
    "Pack 0 is the draw for teams and takes no seeds; deal n has pack n. `refused` lists the words "
    "of this pack that were not below, by their place in the stream, with the number of ways."
)


class Chosen(NamedTuple):
    """What a vector is made from."""

    secret: bytes
    client_seeds: tuple[str, str, str, str]
    pack: int
    jokers: int


_COUNTING: Final = bytes(range(32))
_ODD: Final = bytes.fromhex("c3f1a90b5e7d2846" * 4)

CHOSEN: Final = (
    Chosen(bytes(32), NO_SEEDS, 0, 4),
    Chosen(bytes(32), NO_SEEDS, 1, 4),
    Chosen(_COUNTING, NO_SEEDS, 0, 0),
    Chosen(_COUNTING, ("00ff", "", "", ""), 1, 4),
    Chosen(_COUNTING, ("", "00ff", "", ""), 1, 4),
    Chosen(_COUNTING, ("", "", "", "0"), 2, 0),
    Chosen(_ODD, ("a", "0123456789abcdef", "f" * 64, "00"), 10, 4),
    Chosen(b"\xff" * 32, ("", "7", "", "9" * 63), 50, 0),
    # Each of these refuses a word, which happens to one pack in three million.
    Chosen((3056373).to_bytes(32, "big"), NO_SEEDS, 1, 4),
    Chosen((257707025659).to_bytes(32, "big"), NO_SEEDS, 1, 0),
    Chosen((541170214354).to_bytes(32, "big"), ("00ff", "", "deadbeef", ""), 2, 4),
)


def vectors() -> list[dict[str, object]]:
    """All vectors, as they stand in the file."""
    return [_vector(one) for one in CHOSEN]


def _vector(chosen: Chosen) -> dict[str, object]:
    label = "|".join(("persian-rummy/1", *chosen.client_seeds, str(chosen.pack)))
    key = hmac.digest(chosen.secret, label.encode("ascii"), "sha256")
    stream = _words(key)
    return {
        "secret": chosen.secret.hex(),
        "commitment": commitment(chosen.secret).hex(),
        "client_seeds": chosen.client_seeds,
        "pack": chosen.pack,
        "jokers": chosen.jokers,
        "label": label,
        "key": key.hex(),
        "words": [next(stream) for _ in range(FIRST_WORDS)],
        "refused": list(_refused(key, 52 + chosen.jokers)),
        "cards": [CODES[card] for card in pack(*chosen)],
    }


def _refused(key: bytes, size: int) -> Iterator[dict[str, int]]:
    ways = size
    for at, word in enumerate(_words(key)):
        if word < limit(ways):
            ways -= 1
        else:
            yield {"at": at, "word": word, "ways": ways}
        if ways == 1:
            return


def _words(key: bytes) -> Iterator[int]:
    for counter in range(2**64):
        block = hmac.digest(key, counter.to_bytes(8, "big"), "sha256")
        yield from (int.from_bytes(block[at : at + 4], "big") for at in range(0, 32, 4))


def written() -> str:
    """The whole file: a line for each vector, so that a difference can be read."""
    lines = ",\n".join(json.dumps(one) for one in vectors())
    return f'{{"about": {json.dumps(ABOUT)},\n"vectors": [\n{lines}\n]}}\n'


if __name__ == "__main__":
    FILE.write_text(written(), "utf-8")
