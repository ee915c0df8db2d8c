"""Random games of every ruleset, with all promises checked at every ply.

`TEST_PLIES` says how many plies are played in all (200,000 in the ordinary run).
"""

import os
from itertools import cycle
from random import Random

import pytest

from engine.actions import Action
from engine.cards import Seat, left_of
from engine.game import Entry, Game, Opening, advance, entry, fold, open_game
from engine.play import IllegalAction, apply, legal_actions
from engine.rules import violation
from engine.state import State
from tests.engine.promises import account_is_right, hold, hold_between, survives_the_codec
from tests.engine.random_play import choose, shuffled, tempers, wild_action
from tests.engine.rulesets import CHOSEN, RULESETS

PLIES = int(os.environ.get("TEST_PLIES", "200000"))
CHUNKS = 20


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_every_promise_at_every_ply(chunk: int) -> None:
    chance = Random(f"promises {chunk}")
    names = list(RULESETS)
    chance.shuffle(names)
    played = 0
    for name in cycle(names):
        played += play_a_game(name, chance, PLIES // CHUNKS - played)
        if played >= PLIES // CHUNKS:
            break
    assert played >= PLIES // CHUNKS


def play_a_game(name: str, chance: Random, most: int) -> int:
    """Play a game to its end, or to so many plies, and say how many they were."""
    opening = opened(name, chance)
    game = open_game(opening)
    log: list[Entry] = []
    seats = tempers(chance)
    while game.result is None and game.ply < most:
        state = game.state
        assert state is not None
        hold(state)
        legal = legal_actions(state)
        assert legal, "nobody can do anything"
        refusal_changes_nothing(state, wild_action(state, chance))
        chosen = choose(legal, seats[state.turn], chance)
        log.append(entry(game, state.turn, chosen, 0))
        game = step(game, state, chosen)
    assert fold(opening, log) == game
    survives_the_codec(game)
    return game.ply


def opened(name: str, chance: Random) -> Opening:
    preset, options = CHOSEN[name]
    ruleset = RULESETS[name]
    given = ruleset.game_end.deals is not None and ruleset.tie_break == "draw"
    deals = ruleset.game_end.deals or 0
    return Opening(
        preset=preset,
        options=options,
        dealer=Seat(chance.randrange(4)),
        players=("north", "east", "south", "west"),
        secret=None if given else chance.randbytes(32),
        packs=tuple(shuffled(ruleset, chance) for _ in range(deals)) if given else None,
    )


def step(game: Game, before: State, chosen: Action) -> Game:
    """One ply, with the promises about steps, ends of deals and ends of games."""
    after = advance(game, before.turn, chosen)
    assert after.ply == game.ply + 1
    played = apply(before, before.turn, chosen)
    hold_between(before, played)
    assert after.state is not None
    if played.phase != "over":
        assert after.state == played
        return after
    hold(played)
    assert legal_actions(played) == []
    assert len(after.ledgers) == len(game.ledgers) + 1
    account_is_right(played, after.ledgers[-1])
    scores = after.ledgers[-1].scores
    assert scores is not None
    assert after.totals == (game.totals[0] + scores[0], game.totals[1] + scores[1])
    if after.result is None:
        assert (after.state.deal, after.state.phase) == (before.deal + 1, "draw")
        assert after.state.turn == left_of(after.state.dealer)
    else:
        assert after.state == played
    return after


def refusal_changes_nothing(state: State, wild: Action) -> None:
    """What is refused leaves everything as it was; what is not refused was in the list."""
    broken = violation(state, state.turn, wild)
    if broken is None:
        assert wild in legal_actions(state)
        return
    hands, melds, pile = state.hands, state.melds, state.pile
    with pytest.raises(IllegalAction) as refusal:
        apply(state, state.turn, wild)
    assert refusal.value.violation is broken
    assert (state.hands, state.melds, state.pile) == (hands, melds, pile)
