"""From deal to deal: who deals next, when a game is over, who has won."""

from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from engine.cards import Seat, Team
from engine.game import Forfeit, Game, advance
from engine.notation import action
from engine.play import IllegalAction, legal_actions
from engine.scoring import ledger
from tests.engine import twin_scoring, twin_state
from tests.engine.game_tables import closed, opened
from tests.engine.random_play import choose
from tests.engine.tables import twin_of


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
