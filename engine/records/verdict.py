"""Judging a record: the game is played again, and every claim held against it."""

from collections.abc import Generator, Iterator
from itertools import islice
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from engine.actions import DrawStock
from engine.cards import CODES, Card, team_of
from engine.game import Forfeit, Game, Opening, SeatTaken, Step, advance, deal_of, open_game
from engine.play import IllegalAction
from engine.records.finding import Finding
from engine.records.record import Claim, Record
from engine.records.record_opening import about_chance, opening_of, ruleset_of, unplayable
from engine.rulebook import MEANINGS, Violation
from engine.scoring import Ledger
from engine.state import Result

MOST_FINDINGS: Final = 100
"""So many are named at most: a record that is wrong throughout need not be told in full."""


class Verdict(Struct, frozen=True):
    """What is wrong with a record, in the order of play; `is_all` unless there was too much."""

    findings: tuple[Finding, ...]
    is_all: bool = True

    @property
    def is_right(self) -> bool:
        """Whether everything in the record is so."""
        return not self.findings

    @property
    def first_wrong(self) -> Finding | None:
        """The first entry of the log that is wrong, if one is."""
        return next((found for found in self.findings if found.ply is not None), None)


def verify(record: Record) -> Verdict:
    """Play the game again and name all that does not follow.

    Where an entry cannot be played the game cannot go on: it is named with everything after it
    that no longer follows.
    """
    found = tuple(islice(_findings(record), MOST_FINDINGS + 1))
    return Verdict(found[:MOST_FINDINGS], is_all=len(found) <= MOST_FINDINGS)


def _findings(record: Record) -> Iterator[Finding]:
    yield from (Finding(slip.path, slip.detail) for slip in record.slips)
    ruleset = yield from ruleset_of(record)
    if ruleset is None or (yield from unplayable(record, ruleset)):
        return
    yield from about_chance(record, ruleset)
    game, stopped_at = yield from _replay(record, opening_of(record, ruleset))
    if stopped_at is not None:
        yield from _left_over(record, stopped_at)
    elif game.result is None:
        yield Finding(("log",), "the game is not over after the last entry")
    yield from _outcome(record, game)


# --- the log ---


def _replay(record: Record, opening: Opening) -> Generator[Finding, None, tuple[Game, int | None]]:
    """The game as far as it can be played, and the index of the entry that cannot be."""
    game, chained = open_game(opening), True
    for at, claim in enumerate(record.log):
        step = step_of(record, claim)
        if wrong := _out_of_place(game, at, claim, step):
            yield wrong
            return game, at
        before = game
        try:
            game = advance(game, claim.seat, step)
        except IllegalAction as refused:
            broken = refused.violation
            yield Finding(("log", at, "action"), MEANINGS[broken], at + 1, broken)
            return game, at
        yield from _differences(before, game, at, claim, step)
        if chained and claim.hash not in (None, game.hash):
            # All the hashes that follow would be wrong as well.
            chained = False
            yield Finding(("log", at, "hash"), "the chain of hashes breaks here", at + 1)
    return game, None


def step_of(record: Record, claim: Claim) -> Step:
    """What an entry did; the name and seed of who sat down are told elsewhere in the record."""
    match claim.step:
        case "seat_taken":
            return SeatTaken(record.names[claim.seat], record.client_seeds[claim.seat])
        case "forfeit":
            return Forfeit(team_of(claim.seat))
        case action:
            return action


def _out_of_place(game: Game, at: int, claim: Claim, step: Step) -> Finding | None:
    """Why an event cannot be now; actions are for the rules to judge."""
    if isinstance(step, SeatTaken) and claim.seat not in game.open_seats:
        return Finding(("log", at, "event"), "this seat is not open", at + 1)
    if isinstance(step, Forfeit) and game.result is not None:
        return Finding(("log", at, "event"), "the game is over", at + 1, Violation.GAME_OVER)
    return None


def _differences(before: Game, after: Game, at: int, claim: Claim, step: Step) -> Iterator[Finding]:
    """What an entry that was played says and is not so."""
    ply = at + 1
    if claim.ply != ply:
        yield Finding(("log", at, "ply"), f"this is ply {ply}", ply)
    number = deal_of(after, ply, step)
    if claim.deal != number:
        yield Finding(("log", at, "deal"), f"this is in deal {number}", ply)
    came = None
    if isinstance(step, DrawStock) and before.state is not None:
        came = Card(before.state.stock[0])
    if claim.drawn != came:
        detail = f"{CODES[came]} was drawn" if came is not None else "no card was drawn"
        yield Finding(("log", at, "drawn"), detail, ply)
    account = after.ledgers[-1] if len(after.ledgers) > len(before.ledgers) else None
    if claim.account is not None or account is not None:
        for path, detail in _in_account(claim.account, account):
            yield Finding(("log", at, "deal_ended", *path), detail, ply)


# --- the end ---


def _left_over(record: Record, stopped_at: int) -> Iterator[Finding]:
    rest = len(record.log) - stopped_at - 1
    if rest:
        path = ("log", stopped_at + 1)
        yield Finding(path, f"entries that no longer follow: {rest}", stopped_at + 2)


def _outcome(record: Record, game: Game) -> Iterator[Finding]:
    """The accounts and the result, as far as the game came."""
    for at, claimed in enumerate(record.ledgers):
        if at >= len(game.ledgers):
            yield Finding(("deals", at), "no longer follows: this deal was not played to its end")
        else:
            for path, detail in _in_account(claimed, game.ledgers[at]):
                yield Finding(("deals", at, *path), detail)
    if len(record.ledgers) < len(game.ledgers):
        yield Finding(("deals",), f"{len(game.ledgers)} deals were played")
    if game.result is None:
        yield Finding(("result",), "no longer follows: the game was not played to its end")
    else:
        yield from _in_result(record.result, game.result)


def _in_account(
    claimed: Ledger | None, truly: Ledger | None
) -> Iterator[tuple[tuple[str, ...], str]]:
    """The members of an account that are not so."""
    if claimed is None or truly is None:
        if claimed is not truly:
            yield (), "no deal ended here" if truly is None else "a deal ended here"
        return
    claimed, truly = _unordered(claimed), _unordered(truly)
    for member in Ledger.__struct_fields__:
        if getattr(claimed, member) != getattr(truly, member):
            yield (member,), f"is not so of deal {truly.deal}"


def _unordered(account: Ledger) -> Ledger:
    """An account without a place for a low ace: the order of an item's cards means nothing."""
    return replace(account, items=tuple(replace(item, low_ace=False) for item in account.items))


def _in_result(claimed: Result, truly: Result) -> Iterator[Finding]:
    for member in Result.__struct_fields__:
        if getattr(claimed, member) != getattr(truly, member):
            yield Finding(("result", member), "does not follow from the deals")
