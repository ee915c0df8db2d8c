"""How a game begins: the draw for teams, the deal, players who come later, seeds of their own."""

from random import Random

import pytest

from engine.cards import Card, Seat, sequence
from engine.deal import deal, seats_drawn
from engine.game import SeatTaken, advance
from engine.ruleset import resolve
from engine.shuffle import NO_SEEDS, drawn_cards, pack
from tests.engine import twin, twin_cards, twin_scoring
from tests.engine.game_tables import NAMES, SECRET, closed, opened
from tests.engine.rulesets import CHOSEN, RULESETS
from tests.engine.tables import listed, outline, twin_of, written


@pytest.mark.parametrize("name", RULESETS)
@pytest.mark.parametrize("dealer", [0, 1, 2, 3])
def test_the_first_turn_is_as_the_twin_deals_it(name: str, dealer: int) -> None:
    preset, options = CHOSEN[name]
    game = opened(preset=preset, options=options, dealer=Seat(dealer))
    assert game.state is not None
    order = listed(pack(SECRET, NO_SEEDS, 1, RULESETS[name].jokers)).split()
    rules = twin_of(game.state).rules
    assert outline(twin_of(game.state)) == outline(twin.deal(rules, order, 1, dealer))


def test_g05_one_card_at_a_time_from_the_dealers_left() -> None:
    order = pack(SECRET, NO_SEEDS, 1, 4)
    state = deal(resolve("persian", {}), order, 1, Seat(2))
    first = listed(order[0:28:4]).split()
    assert set(written(state.hands[3]).split()) == set(first)
    assert (state.turn, state.phase, state.turn_no) == (3, "draw", 1)
    assert state.pile == order[28:29]
    assert state.stock == order[29:]
    assert len(state.stock) == 27


def test_r05_teams_and_the_dealer_are_drawn() -> None:
    game = opened(team_formation="draw")
    assert game.draw == drawn_cards(SECRET, 4)
    order = twin_scoring.draw_order(listed(bytes(game.draw)).split())
    assert game.names[0] == NAMES[order[0]]
    assert game.names[2] == NAMES[order[1]]
    assert game.names[1] == NAMES[order[2]]
    assert game.names[3] == NAMES[order[3]]
    assert [game.names[seat] for seat in game.seats_of_players] == list(NAMES)
    assert game.state is not None
    assert (game.state.dealer, game.state.turn) == (0, 1)


@pytest.mark.parametrize(
    ("cards", "low_to_high"),
    [
        ("2C AS KD X1", [1, 0, 2, 3]),
        ("X1 KS QS AC", [3, 2, 1, 0]),
        ("AS AH AD AC", [3, 2, 1, 0]),
        ("2C 2S KS KC", [0, 1, 3, 2]),
        ("X2 X1 KS AS", [3, 2, 1, 0]),
    ],
)
def test_g01_the_order_of_the_draw(cards: str, low_to_high: list[int]) -> None:
    assert twin_scoring.draw_order(cards.split()) == low_to_high
    seats = seats_drawn(tuple(Card(one) for one in sequence(cards)))
    assert [seats[player] for player in low_to_high] == [0, 2, 1, 3]


def test_g01_any_four_cards_are_drawn_in_the_twins_order() -> None:
    chance = Random("draws")
    pack_in_order = twin_cards.whole_pack(4)
    for _ in range(3000):
        cards = chance.sample(pack_in_order, 4)
        seats = seats_drawn(tuple(Card(one) for one in sequence(" ".join(cards))))
        assert [seats[player] for player in twin_scoring.draw_order(cards)] == [0, 2, 1, 3]


def test_a_game_waits_for_its_players_and_is_dealt_with_the_last() -> None:
    game = opened(players=("north", None, "south", None))
    assert (game.status, game.open_seats, game.state) == ("waiting", (1, 3), None)
    game = advance(game, Seat(3), SeatTaken("west"))
    assert (game.status, game.open_seats, game.ply) == ("waiting", (1,), 1)
    game = advance(game, Seat(1), SeatTaken("east", "00ff"))
    assert (game.status, game.open_seats, game.ply) == ("playing", (), 2)
    assert game.names == NAMES
    assert game.client_seeds == ("", "00ff", "", "")


@pytest.mark.parametrize("number", [1, 2])
def test_client_seeds_have_their_share_in_every_pack(number: int) -> None:
    seeded = opened(players=("north", None, "south", "west"))
    seeded = advance(seeded, Seat(1), SeatTaken("east", "00ff"))
    if number == 2:
        seeded = closed(seeded, (0, 0))
    assert seeded.state is not None
    order = pack(SECRET, ("", "00ff", "", ""), number, 4)
    assert seeded.state.stock == order[29:]
    assert seeded.state.stock != pack(SECRET, NO_SEEDS, number, 4)[29:]


def test_given_packs_are_dealt_in_their_order() -> None:
    packs = (pack(SECRET, NO_SEEDS, 7, 4), pack(SECRET, NO_SEEDS, 8, 4))
    game = opened(secret=None, packs=packs)
    assert game.state is not None
    assert game.state.stock == packs[0][29:]
    game = closed(game, (0, 0))
    assert game.state is not None
    assert game.state.stock == packs[1][29:]
