"""What a record says of the opening of its game, and whether it can be so."""

from collections.abc import Generator, Iterator
from itertools import takewhile

from engine.cards import CODES, SEATS, Card, Seat
from engine.game import Opening
from engine.records.finding import Finding
from engine.records.packs import pack_faults
from engine.records.record import Record, drawn
from engine.ruleset import RULES_VERSION, OptionError, Ruleset, resolve
from engine.shuffle import SECRET_SIZE, commitment, drawn_cards


def ruleset_of(record: Record) -> Generator[Finding, None, Ruleset | None]:
    """The ruleset that was played by; None, once it is said why, where it is none of ours."""
    if record.rules_version != RULES_VERSION:
        yield Finding(("rules_version",), f"this judges by version {RULES_VERSION} of the rules")
        return None
    try:
        return resolve(record.preset, record.options)
    except OptionError as error:
        yield Finding(("ruleset", *error.path), error.detail)
        return None


def unplayable(record: Record, ruleset: Ruleset) -> Generator[Finding, None, bool]:
    """Why there are no packs to play the game again with; whether there was a reason."""
    packs = pack_faults(record.packs, ruleset, record.team_formation) if record.packs else ()
    wrong = [Finding(("packs", *fault.path), fault.detail) for fault in packs]
    if (record.secret is None) == (record.packs is None):
        wrong.append(Finding(("secret",), "a game has a secret or packs, and not both"))
    elif record.secret is not None and len(record.secret) != SECRET_SIZE:
        wrong.append(Finding(("secret",), f"a secret has {SECRET_SIZE} bytes"))
    yield from wrong
    return bool(wrong)


def about_chance(record: Record, ruleset: Ruleset) -> Iterator[Finding]:
    """The commitment, the draw for teams and the seeds, which need no play to be judged."""
    kept = None if record.secret is None else commitment(record.secret)
    if record.commitment != kept:
        detail = "is not SHA-256 of the secret" if kept else "there is no secret to commit to"
        yield Finding(("commitment",), detail)
    if record.packs is not None and record.chance != "given":
        yield Finding(("chance",), "packs are given, not drawn")
    yield from _about_draw(record, ruleset)
    taken = taken_seats(record)
    for seat in SEATS:
        if record.client_seeds[seat] and seat not in taken:
            yield Finding(("client_seeds", seat), "only who takes an open seat gives a seed")


def taken_seats(record: Record) -> set[Seat]:
    """The seats that were open: a log begins with the entries of those who took them."""
    return {claim.seat for claim in takewhile(lambda one: one.step == "seat_taken", record.log)}


def _about_draw(record: Record, ruleset: Ruleset) -> Iterator[Finding]:
    truly = _true_draw(record, ruleset)
    if truly is None:
        if record.draw is not None:
            yield Finding(("draw",), "teams that were assigned were not drawn for")
        return
    if record.dealer != 0:
        yield Finding(("dealer",), "the lowest card sits at seat 0 and deals first")
    if record.draw is None or len(record.draw) != len(SEATS):
        yield Finding(("draw",), "each of the four players drew a card")
        return
    for at, (said, was) in enumerate(zip(record.draw, drawn(truly), strict=True)):
        if said != was:
            detail = f"player {was.player} drew {CODES[was.card]} and sits at {was.seat}"
            yield Finding(("draw", at), detail)


def _true_draw(record: Record, ruleset: Ruleset) -> tuple[Card, ...] | None:
    if record.team_formation != "draw" or record.secret is None:
        return None
    return drawn_cards(record.secret, ruleset.jokers)


def opening_of(record: Record, ruleset: Ruleset) -> Opening:
    """The opening of the game."""
    taken = taken_seats(record)
    truly = _true_draw(record, ruleset)
    seats = SEATS if truly is None else tuple(one.seat for one in drawn(truly))
    a, b, c, d = (None if seat in taken else record.names[seat] for seat in seats)
    return Opening(
        preset=record.preset,
        options=record.options,
        team_formation=record.team_formation,
        dealer=Seat(0) if truly else record.dealer,
        players=(a, b, c, d),
        secret=record.secret,
        packs=record.packs,
        given=record.chance == "given",
    )
