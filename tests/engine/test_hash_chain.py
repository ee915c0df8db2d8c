"""The hash chain, byte for byte, and that it is the same for whoever computes it."""

import hashlib
import json
from random import Random

import pytest
from msgspec.structs import replace

from engine import chain
from engine.actions import Discard, LayOff, Meld
from engine.cards import Seat, card, in_order
from engine.game import (
    Entry,
    Forfeit,
    Game,
    Opening,
    SeatTaken,
    Step,
    advance,
    entry,
    fold,
)
from engine.notation import action, text
from engine.play import legal_actions
from engine.ruleset import PERSIAN, options_of, resolve
from engine.scoring import Ledger
from engine.state import NOTHING
from engine.view import SPECTATOR, hashes, seen_entry
from tests.engine.told import random_game

NAMED = ("n", "e", "s", "w")
SECRET = bytes(range(32))
NOBODY = NOTHING


def opening_bytes(**changes: object) -> bytes:
    told: dict[str, object] = {
        "ruleset": PERSIAN,
        "dealer": Seat(0),
        "draw": None,
        "commitment": None,
        "given": False,
    }
    # Any keyword of `canonical_opening`.
    return chain.canonical_opening(**{**told, **changes})  # type: ignore[arg-type]


def test_a_canonical_opening() -> None:
    commitment = hashlib.sha256(SECRET).digest()
    assert opening_bytes(commitment=commitment, dealer=Seat(2)) == (
        b'{"chance":"drawn","commitment":"'
        + commitment.hex().encode()
        + b'","dealer":2,"draw":null,'
        b'"rules_version":"1","ruleset":{"ace_in_runs":"high","ace_low_value":15,'
        b'"blocked_hand_penalty":true,"dealer_rotation":"left","game_end":{"deals":2},'
        b'"go_out_bonus":25,"go_out_by_discard":false,"hand_size":7,"jokers":4,'
        b'"pickup_use":"meld_or_layoff","quad_bonus":"single_lay","stock_out":"all_pass",'
        b'"tie_break":"draw","top_discard":"must_use"}}'
    )


def test_a_canonical_draw_for_teams_and_given_chance() -> None:
    drawn = tuple(card(code) for code in ("5S", "AC", "X2", "5D"))
    told = json.loads(opening_bytes(draw=drawn, given=True))
    assert told["chance"] == "given"
    assert told["draw"] == [
        {"player": 0, "card": "5S", "seat": 1},
        {"player": 1, "card": "AC", "seat": 0},
        {"player": 2, "card": "X2", "seat": 3},
        {"player": 3, "card": "5D", "seat": 2},
    ]
    assert told["commitment"] is None


def test_the_ruleset_is_told_with_every_option_whatever_the_preset() -> None:
    other = resolve("partnership-500", {})
    same = resolve("persian", options_of(other))
    assert opening_bytes(ruleset=same) == opening_bytes(ruleset=other) != opening_bytes()


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("draw_stock", '{"type":"draw_stock"}'),
        ("draw_discard KH", '{"card":"KH","type":"draw_discard"}'),
        ("meld X1 4S 4D 4C", '{"cards":["4C","4D","4S","X1"],"type":"meld"}'),
        ("lay_off 5S on 12", '{"cards":["5S"],"meld":12,"type":"lay_off"}'),
        ("discard KC", '{"card":"KC","type":"discard"}'),
        ("pass", '{"type":"pass"}'),
    ],
)
def test_a_canonical_action(line: str, told: str) -> None:
    assert chain.canonical_entry(42, 1, Seat(3), action(line), None).decode() == (
        '{"action":' + told + ',"deal":1,"deal_ended":null,"event":null,"ply":42,"seat":3}'
    )


@pytest.mark.parametrize("kind", [Meld, lambda cards: LayOff(cards, 1)])
def test_the_order_in_which_cards_were_named_means_nothing(kind: type[Meld]) -> None:
    one = tuple(card(code) for code in ("4S", "4C", "4D"))
    assert chain.canonical_entry(1, 1, Seat(0), kind(one), None) == chain.canonical_entry(
        1, 1, Seat(0), kind(in_order(one)), None
    )


def test_a_canonical_event() -> None:
    assert chain.canonical_entry(1, 0, Seat(2), "seat_taken", None) == (
        b'{"action":null,"deal":0,"deal_ended":null,"event":"seat_taken","ply":1,"seat":2}'
    )


def test_the_end_of_a_deal_goes_in_without_its_hands() -> None:
    out = Ledger(1, Seat(3), "out", Seat(2), (67, -16), NOBODY, ())
    assert chain.canonical_entry(9, 1, Seat(2), Discard(card("2C")), out) == (
        b'{"action":{"card":"2C","type":"discard"},"deal":1,"deal_ended":{"ended":"out",'
        b'"out_seat":2,"scores":{"A":67,"B":-16}},"event":null,"ply":9,"seat":2}'
    )
    given_up = Ledger(1, Seat(3), "forfeit", None, None, NOBODY, ())
    assert chain.canonical_entry(9, 1, Seat(2), "forfeit", given_up) == (
        b'{"action":null,"deal":1,"deal_ended":{"ended":"forfeit","out_seat":null,"scores":null},'
        b'"event":"forfeit","ply":9,"seat":2}'
    )


def test_a_link_is_the_hash_of_the_hash_before_and_the_entry() -> None:
    told = opening_bytes()
    start = chain.first(told)
    assert start == hashlib.sha256(told).digest()
    assert chain.link(start, b"{}") == hashlib.sha256(start + b"{}").digest()


def test_a_game_keeps_the_last_hash_and_a_reader_finds_them_all() -> None:
    for name in ("persian", "partnership-500"):
        *before, game = random_game(name, Random(f"chain {name}"))
        log = [
            entry_between(one, other)
            for one, other in zip(before, [*before[1:], game], strict=True)
        ]
        assert list(hashes(game, log)) == [one.hash for one in [*before[1:], game]]
        assert fold(game.opening, log).hash == game.hash
        assert by_hand(game, log) == game.hash


def entry_between(before: Game, after: Game) -> Entry:
    """The entry that leads from one ply to the next, found again."""
    assert before.state is not None
    seat = before.state.turn
    for chosen in legal_actions(before.state):
        if advance(before, seat, chosen) == after:
            return entry(before, seat, chosen, after.ply)
    raise AssertionError


def by_hand(game: Game, log: list[Entry]) -> bytes:
    """The last hash, put together from what is shown to any viewer."""
    secret = game.opening.secret
    assert secret is not None
    first = {
        "rules_version": "1",
        "ruleset": options_of(game.opening.ruleset),
        "dealer": game.opening.dealer,
        "draw": None,
        "chance": "drawn",
        "commitment": hashlib.sha256(secret).hexdigest(),
    }
    last = hashlib.sha256(as_json(first)).digest()
    for ply, one in enumerate(log, start=1):
        seen = seen_entry(game, SPECTATOR, ply, one)
        told = {
            "ply": ply,
            "deal": seen.deal,
            "seat": seen.seat,
            "action": shown(seen.step),
            "event": None,
            "deal_ended": ended(seen.ledger) if seen.ledger else None,
        }
        last = hashlib.sha256(last + as_json(told)).digest()
    return last


def shown(step: Step) -> dict[str, object]:
    assert not isinstance(step, SeatTaken | Forfeit)
    kind, *words = text(step).split()
    told: dict[str, object] = {"type": kind}
    if kind in ("draw_discard", "discard"):
        told["card"] = words[0]
    if kind == "lay_off":
        told["meld"] = int(words[-1])
        words = words[:-2]
    if kind in ("meld", "lay_off"):
        told["cards"] = sorted(
            words, key=lambda code: ("CDHS1234".index(code[1]), "23456789TJQKAX".index(code[0]))
        )
    return told


def ended(account: Ledger) -> dict[str, object]:
    assert account.scores is not None
    a, b = account.scores
    return {"ended": account.ended, "out_seat": account.out_seat, "scores": {"A": a, "B": b}}


def as_json(told: object) -> bytes:
    return json.dumps(told, sort_keys=True, separators=(",", ":")).encode()


def test_the_chain_hangs_on_every_entry_but_not_on_times_or_names() -> None:
    opening = Opening(players=("n", None, "s", "w"), secret=SECRET)
    log = [Entry(5, Seat(1), SeatTaken("e")), Entry(6, Seat(1), action("draw_stock"))]
    end = fold(opening, log).hash
    assert fold(opening, [replace(one, at=0, drawn=None) for one in log]).hash == end
    renamed = [Entry(5, Seat(1), SeatTaken("other")), *log[1:]]
    assert fold(opening, renamed).hash == end
    assert fold(opening, log[:1]).hash != end
    assert fold(replace(opening, given=True), log).hash != end
    given_up = Entry(7, Seat(0), Forfeit("A"))
    assert (
        fold(opening, [*log, given_up]).hash
        != fold(opening, [*log, replace(given_up, seat=Seat(2))]).hash
    )


def test_a_seed_changes_the_cards_and_so_what_happens_but_not_the_entry_of_its_seat() -> None:
    opening = Opening(players=("n", None, "s", "w"), secret=SECRET)
    plain = fold(opening, [Entry(5, Seat(1), SeatTaken("e"))])
    seeded = fold(opening, [Entry(5, Seat(1), SeatTaken("e", "00ff"))])
    assert plain.hash == seeded.hash
    assert plain.state != seeded.state
