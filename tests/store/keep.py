"""Keeps what is stored today, for later releases to read: `python -m tests.store.keep`.

There is a folder for each schema, and it is never written again.
"""

from pathlib import Path

from service.store.codec import SCHEMA, WriteId, seal_entry, seal_state
from tests.store.lines import game_at, line

OLD = Path(__file__).parent / "old"
GAME = "old"
_WRITE = WriteId(b"\x00writ\xff")


def keep() -> None:
    """Write states of one game, waiting to finished, and its log."""
    folder = OLD / f"schema-{SCHEMA}"
    folder.mkdir()
    for ply in (0, 4, 40, len(line())):
        (folder / f"state-{ply}.msgpack").write_bytes(seal_state(_WRITE, GAME, game_at(ply)))
    sealed = [seal_entry(_WRITE, made) for made, _ in line()]
    # Each entry stands behind its length, two bytes, big-endian.
    log = b"".join(len(entry).to_bytes(2, "big") + entry for entry in sealed)
    (folder / "entries.msgpack").write_bytes(log)


if __name__ == "__main__":
    keep()
