"""What a viewer does see: its own hand, all that is public, and what everybody knows."""

import pytest
from msgspec.structs import replace

from engine.cards import SEATS, Seat, cards
from engine.game import Forfeit, Game, SeatTaken, advance
from engine.notation import action
from engine.play import legal_actions
from engine.scoring import table_points
from engine.shuffle import commitment
from engine.state import State
from engine.view import ORGANISER, SPECTATOR, Viewer, view
from tests.engine.game_tables import NAMES, SECRET, closed, opened
from tests.engine.tables import position, written

EVERYBODY = [*(Viewer("seat", seat) for seat in SEATS), SPECTATOR, ORGANISER]
NORTH = Viewer("seat", Seat(0))


def at(state: State, **changes: object) -> Game:
    """A game that stands at this position."""
    return replace(opened(**changes), state=state)


TAKEN = position(
    hands=["9S 9C 3H 4H 2C KD", "2D 5D", "2H", "7S"],
    pile="7H QD 9D JC",
    stock="8C 8D 8H 8S",
    melds=["5S 6S @1 7S @3"],
)


def played(state: State, *lines: str, **changes: object) -> Game:
    """The game after these actions, each by the seat to act."""
    game = at(state, **changes)
    for line in lines:
        assert game.state is not None
        game = advance(game, game.state.turn, action(line))
    return game


@pytest.mark.parametrize("viewer", EVERYBODY)
def test_what_is_public_is_seen_by_all(viewer: Viewer) -> None:
    game = played(TAKEN, "draw_discard 9D")
    state = game.state
    assert state is not None
    seen = view(game, viewer)
    assert (seen.status, seen.ply, seen.names) == ("playing", 1, NAMES)
    assert (seen.deal, seen.dealer, seen.turn, seen.phase) == (1, 3, 0, "play")
    assert seen.must_use == state.must_use
    assert seen.must_use is not None
    assert (seen.hand_sizes, seen.stock_size, seen.passes) == ((8, 2, 1, 1), 4, 0)
    assert (seen.pile, seen.melds) == (state.pile, state.melds)
    assert seen.table_points == table_points(state) == (0, 18)
    assert (seen.totals, seen.ledgers, seen.result) == ((0, 0), (), None)
    assert seen.commitment == commitment(SECRET)
    assert seen.secret is None
    assert seen.viewer == viewer


@pytest.mark.parametrize("viewer", EVERYBODY)
def test_a_seat_sees_its_own_hand_and_nobody_else_a_hand(viewer: Viewer) -> None:
    seen = view(at(TAKEN), viewer)
    assert seen.hands is None
    assert seen.hand == (None if viewer.seat is None else TAKEN.hands[viewer.seat])


@pytest.mark.parametrize("viewer", EVERYBODY)
def test_an_organiser_who_was_promised_to_sees_all_hands(viewer: Viewer) -> None:
    seen = view(at(TAKEN, organiser_sees_all=True), viewer)
    assert seen.hands == (TAKEN.hands if viewer == ORGANISER else None)


@pytest.mark.parametrize("viewer", EVERYBODY)
def test_only_the_seat_to_act_is_told_what_it_may_do(viewer: Viewer) -> None:
    seen = view(at(TAKEN), viewer)
    expected = tuple(legal_actions(TAKEN)) if viewer.seat == 0 else None
    assert seen.legal_actions == expected


@pytest.mark.parametrize("viewer", EVERYBODY)
def test_cards_taken_are_known_to_all_until_they_are_seen_again(viewer: Viewer) -> None:
    def known(*lines: str) -> list[str]:
        return [written(some) for some in view(played(TAKEN, *lines), viewer).known_cards]

    turn = ["draw_discard 9D", "meld 9S 9C 9D", "discard KD"]
    assert known() == ["", "", "", ""]
    assert known(*turn[:1]) == ["JC 9D", "", "", ""]
    assert known(*turn[:2]) == ["JC", "", "", ""]
    assert known(*turn) == ["JC", "", "", ""]
    assert known(*turn, "draw_stock") == ["JC", "", "", ""]
    assert known(*turn[:2], "discard JC") == ["", "", "", ""]


@pytest.mark.parametrize("viewer", EVERYBODY)
def test_passes_are_counted_for_all(viewer: Viewer) -> None:
    seen = view(played(position(hands=["2C", "3C"], pile="KD"), "pass", "pass"), viewer)
    assert (seen.passes, seen.turn, seen.stock_size) == (2, 2, 0)


def test_a_card_from_the_stock_is_known_to_nobody() -> None:
    game = played(TAKEN, "draw_stock")
    assert view(game, SPECTATOR).known_cards == (0, 0, 0, 0)
    assert view(game, NORTH).hand == TAKEN.hands[0] | cards("8C")


@pytest.mark.parametrize("viewer", EVERYBODY)
def test_a_game_that_waits_has_no_deal(viewer: Viewer) -> None:
    game = opened(players=("north", None, "south", "west"))
    seen = view(game, viewer)
    assert (seen.status, seen.deal) == ("waiting", 0)
    assert (seen.dealer, seen.turn, seen.phase, seen.hand) == (None, None, None, None)
    assert (seen.hand_sizes, seen.stock_size, seen.pile, seen.melds) == ((0,) * 4, 0, b"", ())
    assert (seen.passes, seen.table_points, seen.totals) == (0, (0, 0), (0, 0))
    assert (seen.known_cards, seen.must_use, seen.legal_actions) == ((0, 0, 0, 0), None, None)
    dealt = view(advance(game, Seat(1), SeatTaken("east")), viewer)
    assert (dealt.status, dealt.deal, dealt.hand_sizes) == ("playing", 1, (7, 7, 7, 7))


@pytest.mark.parametrize("viewer", EVERYBODY)
def test_a_game_that_is_over_shows_the_last_deal_as_it_ended(viewer: Viewer) -> None:
    game = closed(closed(opened(), (0, 0)), (10, 20))
    seen = view(game, viewer)
    assert (seen.status, seen.deal, seen.phase, seen.turn) == ("finished", 2, "over", None)
    assert seen.legal_actions is None
    assert seen.secret == SECRET
    assert seen.result is not None
    assert (seen.result.winner, seen.totals, len(seen.ledgers)) == ("B", (10, 20), 2)


def test_a_game_that_was_given_up_is_over_too() -> None:
    seen = view(advance(at(TAKEN), Seat(1), Forfeit("B")), NORTH)
    assert (seen.status, seen.phase, seen.turn) == ("finished", "over", None)
    assert (seen.must_use, seen.legal_actions) == (None, None)
