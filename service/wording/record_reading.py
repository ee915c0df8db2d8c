"""Records: from a document that somebody hands in to what the engine judges."""

from collections.abc import Iterator, Sequence
from typing import cast

import msgspec

from engine.cards import Cards, Seat, card, mask_of, team_of
from engine.chain import Event
from engine.fault import Fault
from engine.records import record as play
from engine.scoring import RULE_OF, Item, Ledger
from engine.state import Result
from service.wire import record as wire
from service.wire.entry import Entry
from service.wire.ledger import Ledger as WireLedger
from service.wire.ledger import LedgerItem
from service.wire.view import TeamPoints
from service.wording.actions import to_engine as action_to_engine


def to_engine(told: wire.Record) -> play.Record:
    """The record that was told; its form has been checked."""
    a, b, c, d = (one.name for one in told.seats)
    seeds_a, seeds_b, seeds_c, seeds_d = told.client_seeds
    return play.Record(
        rules_version=told.rules_version,
        preset=told.ruleset.preset,
        options=options_of(told),
        team_formation=told.team_formation,
        dealer=Seat(told.dealer),
        draw=(
            None
            if told.draw is None
            else tuple(
                play.DrawnCard(one.player, card(one.card), Seat(one.seat)) for one in told.draw
            )
        ),
        names=(a, b, c, d),
        chance=told.chance,
        commitment=_bytes(told.commitment),
        secret=_bytes(told.secret),
        client_seeds=(seeds_a, seeds_b, seeds_c, seeds_d),
        packs=(
            None
            if told.packs is None
            else tuple(bytes(card(code) for code in pack) for pack in told.packs)
        ),
        log=[_claim(entry) for entry in told.log],
        ledgers=tuple(_ledger(ledger) for ledger in told.deals),
        result=Result(told.result.winner, told.result.reason, _points(told.result.totals)),
        slips=tuple(_slips(told)),
    )


def options_of(told: wire.Record) -> dict[str, object]:
    """The options that differ from the preset, as the engine takes them."""
    return cast(dict[str, object], msgspec.to_builtins(told.ruleset.options))


def _claim(entry: Entry) -> play.Claim:
    return play.Claim(
        ply=entry.ply,
        deal=entry.deal,
        seat=Seat(entry.seat),
        step=cast(Event, entry.event) if entry.action is None else action_to_engine(entry.action),
        drawn=None if entry.drawn is None else card(entry.drawn),
        account=None if entry.deal_ended is None else _ledger(entry.deal_ended),
        at=round(entry.at.timestamp() * 1000),
        hash=bytes.fromhex(entry.hash),
    )


def _ledger(told: WireLedger) -> Ledger:
    a, b, c, d = (_mask(hand) for hand in told.hands)
    return Ledger(
        deal=told.deal,
        dealer=Seat(told.dealer),
        ended=told.ended,
        out_seat=None if told.out_seat is None else Seat(told.out_seat),
        scores=None if told.scores is None else _points(told.scores),
        hands=(a, b, c, d),
        items=tuple(
            Item(Seat(item.seat), item.kind, item.meld, _mask(item.cards), item.points)
            for item in told.items
        ),
    )


def _mask(codes: Sequence[str]) -> Cards:
    return mask_of([card(code) for code in codes])


def _points(told: TeamPoints) -> tuple[int, int]:
    return told.A, told.B


def _bytes(digits: str | None) -> bytes | None:
    return None if digits is None else bytes.fromhex(digits)


def _slips(told: wire.Record) -> Iterator[Fault]:
    """Members that repeat what another says, and say it otherwise."""
    for seat, one in enumerate(told.seats):
        if one.seat != seat:
            yield Fault(("seats", seat, "seat"), f"this is seat {seat}")
        elif one.team != team_of(Seat(seat)):
            yield Fault(("seats", seat, "team"), f"seat {seat} is of team {team_of(Seat(seat))}")
    for at, entry in enumerate(told.log):
        if entry.deal_ended is not None:
            yield from _slips_of(entry.deal_ended, ("log", at, "deal_ended"))
    for at, ledger in enumerate(told.deals):
        yield from _slips_of(ledger, ("deals", at))


def _slips_of(ledger: WireLedger, path: tuple[str | int, ...]) -> Iterator[Fault]:
    for at, item in enumerate(ledger.items):
        yield from _slips_of_item(item, (*path, "items", at))
    for seat, hand in enumerate(ledger.hands):
        if len(set(hand)) != len(hand):
            yield Fault((*path, "hands", seat), "a card is named twice")


def _slips_of_item(item: LedgerItem, path: tuple[str | int, ...]) -> Iterator[Fault]:
    if item.team != team_of(Seat(item.seat)):
        yield Fault((*path, "team"), f"seat {item.seat} is of team {team_of(Seat(item.seat))}")
    if item.rule != RULE_OF[item.kind]:
        yield Fault((*path, "rule"), f"{item.kind} follows {RULE_OF[item.kind]}")
    if len(set(item.cards)) != len(item.cards):
        yield Fault((*path, "cards"), "a card is named twice")
