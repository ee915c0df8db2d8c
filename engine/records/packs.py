"""Packs that are given for a whole game, and whether they can be."""

from collections.abc import Iterator, Sequence

from engine.fault import Fault
from engine.game import Formation
from engine.ruleset import Ruleset
from engine.shuffle import is_pack


def pack_faults(packs: Sequence[bytes], ruleset: Ruleset, formation: Formation) -> Iterator[Fault]:
    """Why a game cannot be dealt from these packs, one for each deal; paths lead from the list."""
    if formation == "draw":
        yield Fault((), "with given packs the teams are assigned")
    deals = ruleset.game_end.deals
    if deals is None or ruleset.tie_break != "draw":
        yield Fault((), "given packs need a fixed number of deals, with tie_break draw")
    elif len(packs) != deals:
        yield Fault((), f"there are {deals} deals, so there are as many packs")
    for at, pack in enumerate(packs):
        if not is_pack(pack, ruleset.jokers):
            yield Fault((at,), f"a pack holds each of its {ruleset.pack_size} cards once")
