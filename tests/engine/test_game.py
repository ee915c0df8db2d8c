"""Games: how they begin, who deals next, when they are over, and that the log is the game."""

from random import Random
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from engine.cards import Seat, Team
from engine.deal import deal
from engine.game import (
    Entry,
    Forfeit,
    Game,
    Opening,
    SeatTaken,
    advance,
    entry,
    fold,
    open_game,
)
from engine.notation import action
from engine.play import IllegalAction, legal_actions
from engine.ruleset import resolve
from engine.scoring import ledger
from engine.shuffle import NO_SEEDS, drawn_cards, pack
from tests.engine import twin, twin_scoring, twin_state
from tests.engine.random_play import choose, tempers
from tests.engine.rulesets import CHOSEN, RULESETS
from tests.engine.tables import listed, outline, position, twin_of, written

SECRET = bytes(range(32))
NAMES = ("north", "east", "south", "west")


def opened(**changes: Any) -> Game:
    return open_game(Opening(**{"players": NAMES, "secret": SECRET} | changes))


# --- beginnings ---


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


# --- from deal to deal ---


def closed(game: Game, totals: tuple[int, int], *, out: int | None = None) -> Game:
    """The game after its deal has ended in nothing for anybody, the totals being these."""
    assert game.state is not None
    state = game.state
    wanted: dict[str, Any] = {"ruleset": state.ruleset, "deal": state.deal, "dealer": state.dealer}
    if out is None:
        last = position(**wanted, pile="6D", passes=3, turn=0)
        line = "pass"
    else:
        hands = [""] * 4
        hands[out] = "2C 2D 2H"
        last = position(**wanted, hands=hands, phase="play", turn=out)
        line = "meld 2C 2D 2H"
    before = replace(game, state=last, totals=totals)
    return advance(before, Seat(out or 0), action(line))


def after(totals: tuple[int, int], deals: int, **options: Any) -> Game:
    """A game in which so many deals have been played and these are the totals."""
    game = opened(options=options)
    assert game.state is not None
    over = replace(game.state, phase="over", ended="blocked")
    played = (ledger(over),) * (deals - 1)
    game = replace(game, ledgers=played, state=replace(game.state, deal=deals))
    return closed(game, totals)


@pytest.mark.parametrize(
    ("rotation", "out", "dealer"),
    [
        ("left", None, 2),
        ("left", 0, 2),
        ("left", 3, 2),
        ("winner", 0, 0),
        ("winner", 3, 3),
        ("winner", 1, 1),
        ("winner", None, 2),
        ("fixed", 0, 1),
        ("fixed", None, 1),
    ],
)
def test_g07_who_deals_next(rotation: str, out: int | None, dealer: int) -> None:
    game = closed(opened(options={"dealer_rotation": rotation}, dealer=Seat(1)), (0, 0), out=out)
    assert game.state is not None
    assert (game.state.deal, game.state.dealer) == (2, dealer)
    assert (game.state.turn, game.state.phase) == ((dealer + 1) % 4, "draw")
    rules = twin_of(game.state).rules
    assert twin_scoring.next_dealer(rules, 1, out) == dealer


PLAYS_ON = "plays on"


@pytest.mark.parametrize(
    ("options", "deals", "totals", "result"),
    [
        ({}, 1, (100, 0), PLAYS_ON),
        ({}, 2, (100, 0), "A"),
        ({}, 2, (0, 100), "B"),
        ({}, 2, (-20, -10), "B"),
        ({}, 2, (50, 50), None),
        ({"tie_break": "extra_deal"}, 2, (50, 50), PLAYS_ON),
        ({"tie_break": "extra_deal"}, 2, (50, 51), "B"),
        ({"tie_break": "extra_deal"}, 3, (50, 50), PLAYS_ON),
        ({"tie_break": "extra_deal"}, 3, (51, 50), "A"),
        ({"tie_break": "extra_deal"}, 49, (50, 50), PLAYS_ON),
        ({"tie_break": "extra_deal"}, 50, (50, 50), None),
        ({"game_end": {"deals": 1}}, 1, (1, 0), "A"),
        ({"game_end": {"deals": 1}}, 1, (0, 0), None),
        ({"game_end": {"deals": 3}}, 2, (1, 0), PLAYS_ON),
        ({"game_end": {"deals": 3}}, 3, (1, 0), "A"),
        ({"game_end": {"deals": 50}}, 49, (1, 0), PLAYS_ON),
        ({"game_end": {"deals": 50}}, 50, (1, 0), "A"),
        ({"game_end": {"deals": 50}, "tie_break": "extra_deal"}, 50, (1, 1), None),
        ({"game_end": {"target": 500}}, 1, (499, 0), PLAYS_ON),
        ({"game_end": {"target": 500}}, 1, (500, 0), "A"),
        ({"game_end": {"target": 500}}, 7, (-90, 501), "B"),
        ({"game_end": {"target": 500}}, 7, (510, 520), "B"),
        ({"game_end": {"target": 500}}, 7, (520, 520), None),
        ({"game_end": {"target": 500}, "tie_break": "extra_deal"}, 7, (520, 520), PLAYS_ON),
        ({"game_end": {"target": 500}, "tie_break": "extra_deal"}, 8, (540, 520), "A"),
        ({"game_end": {"target": 500}, "tie_break": "extra_deal"}, 8, (480, 490), PLAYS_ON),
        ({"game_end": {"target": 500}}, 49, (-480, -490), PLAYS_ON),
        ({"game_end": {"target": 500}}, 50, (-480, -490), "A"),
        ({"game_end": {"target": 500}, "tie_break": "extra_deal"}, 50, (520, 520), None),
    ],
)
def test_r32_g59_g60_when_a_game_is_over(
    options: dict[str, Any], deals: int, totals: tuple[int, int], result: str | None
) -> None:
    game = after(totals, deals, **options)
    rules = twin_state.PERSIAN | options
    by_team = dict(zip("AB", totals, strict=True))
    assert twin_scoring.game_is_over(rules, deals, by_team) == (result != PLAYS_ON)
    if result == PLAYS_ON:
        assert game.status == "playing"
        assert game.state is not None
        assert (game.state.deal, game.state.phase) == (deals + 1, "draw")
    else:
        assert game.status == "finished"
        assert game.result is not None
        assert (game.result.winner, game.result.reason) == (result, "score")
        assert game.result.totals == totals
        assert twin_scoring.winner(by_team) == result


def test_totals_change_at_the_end_of_a_deal_alone() -> None:
    game = opened()
    chance = Random("totals")
    while game.result is None:
        assert game.state is not None
        before = game
        game = advance(game, game.state.turn, choose(legal_actions(game.state), {}, chance))
        if len(game.ledgers) == len(before.ledgers):
            assert game.totals == before.totals
        else:
            scores = game.ledgers[-1].scores
            assert scores is not None
            assert game.totals == tuple(map(sum, zip(before.totals, scores, strict=True)))
    assert len(game.ledgers) == 2
    assert [account.dealer for account in game.ledgers] == [0, 1]


@pytest.mark.parametrize("seat", [0, 1, 2, 3])
def test_r32_nothing_is_played_once_the_game_is_over(seat: int) -> None:
    game = after((1, 0), 2)
    with pytest.raises(IllegalAction) as refusal:
        advance(game, Seat(seat), action("draw_stock"))
    assert refusal.value.violation == "game_over"


# --- giving up ---


@pytest.mark.parametrize(("team", "winner"), [("A", "B"), ("B", "A")])
def test_a_team_that_gives_up_loses_whatever_the_totals(team: Team, winner: str) -> None:
    game = replace(opened(), totals=(300, 300))
    assert game.state is not None
    given_up = advance(game, Seat(0 if team == "A" else 1), Forfeit(team))
    assert given_up.status == "finished"
    assert given_up.result is not None
    assert (given_up.result.winner, given_up.result.reason) == (winner, "forfeit")
    assert given_up.totals == (300, 300)
    account = given_up.ledgers[-1]
    assert (account.ended, account.out_seat, account.scores) == ("forfeit", None, None)
    assert account.hands == game.state.hands
    assert account.items == ()
    assert given_up.ply == 1


# --- the log is the game ---


@pytest.mark.parametrize("name", RULESETS)
def test_folding_any_part_of_the_log_gives_the_game_at_that_ply(name: str) -> None:
    chance = Random(f"fold {name}")
    preset, options = CHOSEN[name]
    opening = Opening(
        preset=preset,
        options=options,
        players=("north", None, "south", "west"),
        secret=chance.randbytes(32),
    )
    game = open_game(opening)
    log, games = [Entry(0, Seat(1), SeatTaken("east", "0a"))], [game]
    game = fold(opening, log)
    seats = tempers(chance)
    while game.result is None and game.ply < 300:
        games.append(game)
        assert game.state is not None
        chosen = choose(legal_actions(game.state), seats[game.state.turn], chance)
        log.append(entry(game, game.state.turn, chosen, game.ply))
        game = advance(game, game.state.turn, chosen)
    games.append(game)
    stored = msgspec.msgpack.decode(msgspec.msgpack.encode(log), type=list[Entry])
    assert stored == log
    for ply in {0, 1, *(chance.randrange(len(games)) for _ in range(5)), len(log)}:
        assert fold(opening, stored[:ply]) == games[ply]
        assert games[ply].ply == ply
    assert msgspec.msgpack.decode(msgspec.msgpack.encode(opening), type=Opening) == opening


def test_a_draw_from_the_stock_is_remembered_with_its_card() -> None:
    game = opened()
    assert game.state is not None
    first = entry(game, game.state.turn, action("draw_stock"), 17)
    assert (first.at, first.seat, first.drawn) == (17, 1, game.state.stock[0])
    assert entry(game, game.state.turn, action("discard 2C"), 17).drawn is None
