"""House strategies play by what their seat sees, and simulations come out the same every time."""

from collections import Counter
from random import Random

import pytest
from msgspec.structs import replace

from engine.cards import SEATS, Seat
from engine.game import Game, Opening, open_game
from engine.notation import text
from engine.simulation import Plan, Spread, Tally, opening, play, simulate
from engine.state import State
from engine.strategies import STRATEGIES, at_random, choose_any, greedily
from engine.view import View, Viewer, view
from tests.engine.tables import position
from tests.engine.told import random_game

GREEDY = Plan(strategies=("greedy",) * 4, seed="greedy")
RANDOM = Plan(strategies=("random",) * 4, seed="random")
MIXED = Plan(strategies=("greedy", "random", "greedy", "random"), seed="mixed")


def seen(state: State) -> View:
    """What the seat to act sees."""
    game = replace(open_game(Opening(players=("n", "e", "s", "w"), secret=bytes(32))), state=state)
    return view(game, Viewer("seat", state.turn))


def chosen(**told: object) -> str:
    # Any keyword of `position`.
    return text(greedily(seen(position(**told)), Random(0)))  # type: ignore[arg-type]


# --- greedy ---


@pytest.mark.parametrize(
    ("told", "line"),
    [
        ({"hands": ["9S 9C KH"], "stock": "2S", "pile": "9D"}, "draw_discard 9D"),
        ({"hands": ["9S KC KH"], "stock": "2S", "pile": "9D"}, "draw_stock"),
        ({"hands": ["2S 2C"], "stock": "3S", "pile": "2D KH AD QC"}, "draw_stock"),
        ({"hands": ["2S 2C QH JH"], "stock": "3S", "pile": "2D KH"}, "draw_discard 2D"),
        ({"hands": ["9S KC KH"], "stock": "", "pile": "9D"}, "pass"),
        ({"hands": ["9S 9C 5D 5H"], "stock": "2S", "pile": "5C 9D"}, "draw_discard 5C"),
        ({"hands": ["9S 9C 9H"], "stock": "2S", "pile": "9D"}, "draw_discard 9D"),
    ],
)
def test_it_takes_from_the_pile_when_that_gains(told: dict[str, object], line: str) -> None:
    assert chosen(**told) == line


@pytest.mark.parametrize(
    ("hand", "melds", "line"),
    [
        ("4S 4D 4H 4C 9C", [], "meld 4C 4D 4H 4S"),
        ("4S 4D 4H KC KD KH", [], "meld KC KD KH"),
        ("5S 6S 7S 8S 2D", [], "meld 5S 6S 7S 8S"),
        ("8S 9S 2D", ["5S 6S 7S @1"], "lay_off 8S 9S on 1"),
        ("9S 4D KH AC", [], "discard AC"),
        ("9S X1 KH AC", [], "discard X1"),
        ("2S 3D", [], "discard 3D"),
    ],
)
def test_it_plays_what_brings_most_and_discards_what_costs_most(
    hand: str, melds: list[str], line: str
) -> None:
    assert chosen(hands=[hand], melds=melds, phase="play", pile="7H", stock="3S") == line


def test_it_plays_the_card_it_has_to() -> None:
    told = {"hands": ["9S 9C 9D KC KD KH"], "phase": "play", "must_use": "9D", "pile": "2C"}
    assert chosen(**told) == "meld 9C 9D 9S"


def test_chance_decides_between_discards_that_cost_the_same() -> None:
    told = seen(position(hands=["KS QD JH TC 9C"], phase="play", pile="2C"))
    found = {text(greedily(told, Random(number))) for number in range(60)}
    assert found == {"discard KS", "discard QD", "discard JH", "discard TC"}


# --- both ---


@pytest.mark.parametrize("name", STRATEGIES)
@pytest.mark.parametrize("rules", ["persian", "partnership-500", "persian top_discard=free"])
def test_whatever_it_does_is_legal_and_follows_from_the_view_alone(name: str, rules: str) -> None:
    for number, game in enumerate(random_game(rules, Random(f"{name} {rules}"))):
        if game.result is None and number % 5 == 0:
            assert game.state is not None
            own = view(game, Viewer("seat", game.state.turn))
            did = STRATEGIES[name](own, Random(number))
            assert own.legal_actions is not None
            assert did in own.legal_actions
            assert STRATEGIES[name](own, Random(number)) == did
            assert STRATEGIES[name](hidden_changed(game), Random(number)) == did


def hidden_changed(game: Game) -> View:
    """The view of the seat to act, when the cards it cannot see lie otherwise."""
    assert game.state is not None
    state, seat = game.state, game.state.turn
    hands = [state.hands[seat] if seat == other else 0 for other in SEATS]
    sizes = [hand.bit_count() for hand in state.hands]
    a, b, c, d = hands
    other = replace(state, hands=(a, b, c, d), stock=state.stock[::-1])
    seen_otherwise = view(replace(game, state=other), Viewer("seat", seat))
    return replace(seen_otherwise, hand_sizes=tuple(sizes))


def test_random_play_chooses_any_legal_action() -> None:
    told = seen(position(hands=["4S 4D 4H 9C"], phase="play", pile="2C"))
    assert told.legal_actions is not None
    found = {at_random(told, Random(number)) for number in range(100)}
    assert found == set(told.legal_actions)


def test_any_is_as_likely_as_the_others() -> None:
    chance = Random(5)
    counts = Counter(choose_any("abcd", chance) for _ in range(8000))
    assert all(1800 < count < 2200 for count in counts.values())


def test_a_strategy_is_asked_only_when_it_is_to_act() -> None:
    game = open_game(Opening(players=("n", "e", "s", "w"), secret=bytes(32)))
    with pytest.raises(AssertionError):
        at_random(view(game, Viewer("seat", Seat(0))), Random(0))


# --- simulations ---


def test_a_game_follows_from_its_seed_and_number() -> None:
    assert play(GREEDY, 3) == play(GREEDY, 3)
    assert play(GREEDY, 3)[0].totals != play(replace(GREEDY, seed="other"), 3)[0].totals
    assert opening(GREEDY, 3).secret != opening(GREEDY, 4).secret
    assert [opening(GREEDY, number).dealer for number in range(5)] == [0, 1, 2, 3, 0]


def test_parts_of_a_plan_add_up_to_the_whole() -> None:
    whole = simulate(MIXED, range(12))
    assert simulate(MIXED, range(5)) + simulate(MIXED, range(5, 12)) == whole
    assert whole.games == 12
    assert sum(whole.won.values()) == 12
    assert sum(whole.ended.values()) == whole.scores_a.size == whole.turns.size == 24
    assert simulate(MIXED, []) == Tally()
    assert whole + Tally() == whole


def test_a_tally_tells_what_the_games_were() -> None:
    game, turns = play(RANDOM, 7)
    told = simulate(RANDOM, [7])
    assert game.result is not None
    assert told.won == {game.result.winner or "drawn": 1}
    assert told.plies.counts == {game.ply: 1}
    assert told.totals_a.counts == {game.totals[0]: 1}
    assert told.totals_b.counts == {game.totals[1]: 1}
    assert told.turns.counts == dict(sorted(Counter(turns).items()))
    assert told.ended == dict(sorted(Counter(one.ended for one in game.ledgers).items()))
    assert told.scores_a.size == len(game.ledgers)


def test_greed_beats_chance() -> None:
    told = simulate(MIXED, range(100, 140))
    assert told.won["A"] > 2 * told.won["B"]
    assert told.totals_a.mean > told.totals_b.mean + 50


def test_greedy_seats_take_and_go_out() -> None:
    ended = simulate(GREEDY, range(8)).ended
    assert ended["out"] > ended.get("blocked", 0)


def test_other_rules_can_be_simulated() -> None:
    plan = replace(GREEDY, preset="partnership-500", options={"game_end": {"deals": 1}})
    assert simulate(plan, range(3)).scores_a.size == 3


def test_a_spread() -> None:
    told = Spread({-5: 1, 0: 2, 10: 1})
    assert (told.size, told.mean) == (4, 1.25)
    assert round(told.deviation, 3) == 5.449
    assert [told.at(share) for share in (0, 0.25, 0.5, 0.75, 0.76, 1)] == [-5, -5, 0, 0, 10, 10]
    assert (Spread().size, Spread().mean, Spread().deviation) == (0, 0, 0)
    with pytest.raises(ValueError, match="nothing"):
        Spread().at(0.5)
