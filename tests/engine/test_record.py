"""Records of real games are right, and whatever is changed in one is found where it was changed."""

from random import Random

import pytest
from msgspec.structs import replace

from engine.cards import Card, Seat, card
from engine.fault import Fault
from engine.game import Entry, Forfeit, Game, Opening, SeatTaken, advance, entry, open_game
from engine.notation import action
from engine.play import legal_actions
from engine.records.record import Record, record_of
from engine.records.verdict import MOST_FINDINGS, Verdict, verify
from engine.rulebook import Violation
from engine.ruleset import resolve
from engine.state import Result
from tests.engine.random_play import choose, shuffled, tempers
from tests.engine.rulesets import CHOSEN

SECRET = bytes(range(32))
NAMED = ("n", "e", "s", "w")


def played(opening: Opening, chance: Random, *sitting: Entry, give_up: bool = False) -> Record:
    """The record of a random game with this opening."""
    game, log, seats = open_game(opening), list(sitting), tempers(chance)
    for one in sitting:
        game = advance(game, one.seat, one.step)
    while game.result is None:
        step, seat = a_step(game, seats, chance, give_up and len(log) > 40)
        log.append(entry(game, seat, step, at=len(log)))
        game = advance(game, seat, step)
    return record_of(game, log)


# A step and a seat, of either kind.
def a_step(game: Game, seats: tuple[object, ...], chance: Random, gives_up: bool) -> tuple:  # type: ignore[type-arg]
    assert game.state is not None
    seat = game.state.turn
    if gives_up:
        return Forfeit("B"), Seat(3)
    # Tempers, which only `choose` looks into.
    return choose(legal_actions(game.state), seats[seat], chance), seat  # type: ignore[arg-type]


def a_record(**opening: object) -> Record:
    # Any keyword of `Opening`.
    told = Opening(players=NAMED, secret=SECRET, **opening)  # type: ignore[arg-type]
    return played(told, Random("a record"))


RIGHT = a_record()
GIVEN_UP = played(Opening(players=NAMED, secret=SECRET), Random("given up"), give_up=True)
DRAWN = a_record(team_formation="draw")
SEEDED = played(
    Opening(players=("n", None, None, "w"), secret=SECRET),
    Random("seeded"),
    Entry(0, Seat(2), SeatTaken("s", "00ff")),
    Entry(0, Seat(1), SeatTaken("e")),
)


def paths(verdict: Verdict) -> list[str]:
    return ["/".join(map(str, found.path)) for found in verdict.findings]


# --- right ones ---


@pytest.mark.parametrize("name", CHOSEN)
def test_the_record_of_a_game_is_right(name: str) -> None:
    preset, options = CHOSEN[name]
    chance = Random(f"record {name}")
    opening = Opening(
        preset=preset,
        options=options,
        players=NAMED,
        secret=chance.randbytes(32),
        dealer=Seat(chance.randrange(4)),
    )
    assert verify(played(opening, chance)) == Verdict(())


def test_records_of_every_kind_of_opening_are_right() -> None:
    chance = Random("packs")
    packs = tuple(shuffled(resolve("persian", {}), chance) for _ in range(2))
    with_packs = played(Opening(players=NAMED, packs=packs, given=True), chance)
    for record in (RIGHT, GIVEN_UP, DRAWN, SEEDED, with_packs):
        assert verify(record).is_right
    assert with_packs.secret is None
    assert SEEDED.client_seeds == ("", "", "00ff", "")
    assert DRAWN.draw is not None
    assert GIVEN_UP.result.reason == "forfeit"


def test_a_draw_with_open_seats_is_right() -> None:
    opening = Opening(players=("n", None, "s", "w"), secret=SECRET, team_formation="draw")
    (seat,) = open_game(opening).open_seats
    record = played(opening, Random("draw"), Entry(0, seat, SeatTaken("e", "ab")))
    assert verify(record).is_right


def test_a_record_without_hashes_is_judged_without_them() -> None:
    plain = replace(RIGHT, log=[replace(claim, hash=None) for claim in RIGHT.log])
    assert verify(plain).is_right


# --- wrong openings ---


def test_another_version_of_the_rules_is_not_judged() -> None:
    assert paths(verify(replace(RIGHT, rules_version="2"))) == ["rules_version"]


def test_a_ruleset_that_is_none_is_not_judged() -> None:
    assert paths(verify(replace(RIGHT, options={"jokers": 3}))) == ["ruleset/options/jokers"]
    assert paths(verify(replace(RIGHT, preset="bridge"))) == ["ruleset/preset"]


def test_a_game_needs_its_chance() -> None:
    assert paths(verify(replace(RIGHT, secret=None))) == ["secret"]
    assert paths(verify(replace(RIGHT, secret=b"short"))) == ["secret"]
    assert paths(verify(replace(RIGHT, packs=(bytes(56),)))) == ["packs", "packs/0", "secret"]
    drawn = replace(DRAWN, secret=None, packs=(bytes(56), bytes(56)))
    assert paths(verify(drawn)) == ["packs", "packs/0", "packs/1"]


def test_the_commitment_is_held_against_the_secret() -> None:
    assert paths(verify(replace(RIGHT, commitment=bytes(32)))) == ["commitment"]
    assert paths(verify(replace(RIGHT, commitment=None))) == ["commitment"]


def test_another_secret_breaks_the_commitment_and_the_play() -> None:
    found = verify(replace(RIGHT, secret=bytes(32)))
    assert paths(found)[0] == "commitment"
    assert found.first_wrong is not None
    assert found.first_wrong.ply is not None
    assert "result" in paths(found)


def test_whether_chance_was_given_is_in_the_chain() -> None:
    assert paths(verify(replace(RIGHT, chance="given"))) == ["log/0/hash"]


def test_packs_are_given() -> None:
    packs = tuple(shuffled(resolve("persian", {}), Random(1)) for _ in range(2))
    record = played(Opening(players=NAMED, packs=packs, given=True), Random(1))
    assert paths(verify(replace(record, chance="drawn"))) == ["chance", "log/0/hash"]
    assert paths(verify(replace(record, commitment=bytes(32)))) == ["commitment"]


def test_the_draw_for_teams_follows_from_the_secret() -> None:
    assert DRAWN.draw is not None
    one, *others = DRAWN.draw
    other = Card((one.card + 1) % 56)
    assert paths(verify(replace(DRAWN, draw=(replace(one, card=other), *others)))) == ["draw/0"]
    assert paths(verify(replace(DRAWN, draw=(replace(one, seat=Seat(3 - one.seat)), *others)))) == [
        "draw/0"
    ]
    assert paths(verify(replace(DRAWN, draw=None))) == ["draw"]
    assert paths(verify(replace(DRAWN, draw=tuple(others)))) == ["draw"]
    assert paths(verify(replace(DRAWN, dealer=Seat(1)))) == ["dealer"]
    assert paths(verify(replace(RIGHT, draw=DRAWN.draw))) == ["draw"]


def test_only_who_takes_an_open_seat_gives_a_seed() -> None:
    found = verify(replace(RIGHT, client_seeds=("", "ab", "", "")))
    assert paths(found)[0] == "client_seeds/1"
    assert verify(replace(SEEDED, client_seeds=("", "", "00fe", ""))).first_wrong is not None


def test_slips_of_the_written_form_are_told_first() -> None:
    slip = Fault(("seats", 0, "team"), "seat 0 is of team A")
    assert paths(verify(replace(RIGHT, slips=(slip,), commitment=None))) == [
        "seats/0/team",
        "commitment",
    ]


# --- wrong entries ---


def changed(record: Record, at: int, **claims: object) -> Record:
    log = list(record.log)
    log[at] = replace(log[at], **claims)
    return replace(record, log=log)


@pytest.mark.parametrize(
    ("member", "wrong"),
    [("ply", 3), ("deal", 2), ("drawn", None), ("drawn", "other"), ("hash", bytes(32))],
)
def test_a_wrong_claim_is_named_and_the_rest_is_judged_still(member: str, wrong: object) -> None:
    if wrong == "other":
        wrong = Card((RIGHT.log[0].drawn or 0) + 1)
    found = verify(changed(RIGHT, 0, **{member: wrong}))
    assert paths(found) == [f"log/0/{member}"]
    assert found.first_wrong is not None
    assert (found.first_wrong.ply, found.first_wrong.violation) == (1, None)


def test_a_card_drawn_without_a_draw() -> None:
    at = next(at for at, claim in enumerate(RIGHT.log) if claim.drawn is None)
    assert paths(verify(changed(RIGHT, at, drawn=card("2C")))) == [f"log/{at}/drawn"]


@pytest.mark.parametrize("at", range(0, 60, 7))
def test_the_first_illegal_ply_is_named_with_all_that_no_longer_follows(at: int) -> None:
    found = verify(changed(RIGHT, at, step=action("lay_off 2C on 99")))
    first = found.first_wrong
    assert first is not None
    assert (first.path, first.ply) == (("log", at, "action"), at + 1)
    assert first.violation in (Violation.DRAW_FIRST, Violation.NO_SUCH_MELD)
    assert paths(found)[1:] == [f"log/{at + 1}", "deals/0", "deals/1", "result"]
    assert str(len(RIGHT.log) - at - 1) in found.findings[1].detail


def test_an_error_in_the_last_ply_is_found() -> None:
    last = len(RIGHT.log) - 1
    found = verify(changed(RIGHT, last, seat=Seat((RIGHT.log[last].seat + 1) % 4)))
    assert paths(found) == [f"log/{last}/action", "deals/1", "result"]
    assert found.findings[0].violation == Violation.NOT_YOUR_TURN


def test_nothing_is_played_after_the_end() -> None:
    more = replace(RIGHT, log=[*RIGHT.log, RIGHT.log[0], RIGHT.log[0]])
    found = verify(more)
    assert paths(found) == [f"log/{len(RIGHT.log)}/action", f"log/{len(RIGHT.log) + 1}"]
    assert found.findings[0].violation == Violation.GAME_OVER
    again = replace(GIVEN_UP, log=[*GIVEN_UP.log, GIVEN_UP.log[-1]])
    assert verify(again).findings[0].violation == Violation.GAME_OVER


def test_a_game_that_was_not_played_to_its_end() -> None:
    found = verify(replace(RIGHT, log=RIGHT.log[:-1]))
    assert paths(found) == ["log", "deals/1", "result"]
    assert paths(verify(replace(RIGHT, log=()))) == ["log", "deals/0", "deals/1", "result"]


def test_seats_are_taken_once_and_before_the_deal() -> None:
    twice = replace(SEEDED, log=[SEEDED.log[0], SEEDED.log[0], *SEEDED.log[1:]])
    assert paths(verify(twice))[0] == "log/1/event"
    late = replace(RIGHT, log=[RIGHT.log[0], SEEDED.log[0], *RIGHT.log[1:]])
    assert paths(verify(late))[:2] == ["log/1/event", "log/2"]


def test_a_seat_that_nobody_took_in_the_log_was_named_from_the_start() -> None:
    fewer = replace(SEEDED, log=[SEEDED.log[0], *SEEDED.log[2:]])
    assert paths(verify(fewer))[:2] == ["log/1/ply", "log/1/hash"]


# --- wrong ends ---


def test_a_wrong_account_is_named_by_its_members() -> None:
    account = RIGHT.ledgers[0]
    wrong = replace(account, scores=(1, 2), items=account.items[1:], hands=(1, 2, 4, 8))
    assert paths(verify(replace(RIGHT, ledgers=(wrong, RIGHT.ledgers[1])))) == [
        "deals/0/scores", "deals/0/hands", "deals/0/items",
    ]  # fmt: skip
    at = next(at for at, claim in enumerate(RIGHT.log) if claim.account)
    found = verify(changed(RIGHT, at, account=replace(account, out_seat=None, dealer=Seat(2))))
    assert paths(found) == [f"log/{at}/deal_ended/dealer", f"log/{at}/deal_ended/out_seat"]
    assert found.findings[0].ply == at + 1


def test_an_account_where_no_deal_ended_and_none_where_one_did() -> None:
    assert paths(verify(changed(RIGHT, 0, account=RIGHT.ledgers[0]))) == ["log/0/deal_ended"]
    last = len(RIGHT.log) - 1
    assert paths(verify(changed(RIGHT, last, account=None))) == [f"log/{last}/deal_ended"]


def test_the_number_of_deals() -> None:
    assert paths(verify(replace(RIGHT, ledgers=RIGHT.ledgers[:1]))) == ["deals"]
    assert paths(verify(replace(RIGHT, ledgers=(*RIGHT.ledgers, RIGHT.ledgers[1])))) == ["deals/2"]


def test_a_wrong_result_is_named_by_its_members() -> None:
    a, b = RIGHT.result.totals
    for wrong, members in [
        (replace(RIGHT.result, totals=(a + 1, b)), ["result/totals"]),
        (replace(RIGHT.result, reason="forfeit"), ["result/reason"]),
        (Result(None, "forfeit", (0, 0)), ["result/winner", "result/reason", "result/totals"]),
    ]:
        assert paths(verify(replace(RIGHT, result=wrong))) == members


def test_a_record_that_is_wrong_throughout_is_not_told_in_full() -> None:
    assert len(RIGHT.log) > MOST_FINDINGS
    wrong = replace(RIGHT, log=[replace(claim, ply=0) for claim in RIGHT.log])
    found = verify(wrong)
    assert (len(found.findings), found.is_all) == (MOST_FINDINGS, False)
    assert verify(changed(RIGHT, 0, ply=0)).is_all


def test_a_broken_chain_is_named_once() -> None:
    wrong = replace(RIGHT, log=[replace(claim, hash=bytes(32)) for claim in RIGHT.log])
    assert paths(verify(wrong)) == ["log/0/hash"]


@pytest.mark.parametrize("number", range(60))
def test_no_change_of_one_entry_goes_unseen(number: int) -> None:
    chance = Random(number)
    at = chance.randrange(len(RIGHT.log))
    one = RIGHT.log[at]
    change: dict[str, object] = chance.choice(
        [
            {"seat": Seat((one.seat + chance.randrange(1, 4)) % 4)},
            {"step": chance.choice([other.step for other in RIGHT.log if other.step != one.step])},
            {"step": chance.choice(["forfeit", "seat_taken"])},
            {"hash": chance.randbytes(32)},
            {"drawn": chance.choice([card for card in range(56) if card != one.drawn])},
        ]
    )
    found = verify(changed(RIGHT, at, **change))
    assert not found.is_right
    assert found.first_wrong is not None
    assert found.first_wrong.ply == at + 1
