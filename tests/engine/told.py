"""Positions for tests: random ones out of real games, and ones written down in card notation."""

from collections.abc import Iterator
from random import Random

from msgspec.structs import replace

from engine.cards import SEATS, Card, Seat, card
from engine.game import Game, Opening, advance, open_game
from engine.judging.position import Hand, Position, full_position, told_melds
from engine.play import apply, legal_actions
from engine.ruleset import PERSIAN, Ruleset
from engine.state import State
from tests.engine.random_play import choose, fresh_deal, tempers
from tests.engine.rulesets import CHOSEN
from tests.engine.tables import position as state_of


def random_game(name: str, chance: Random) -> Iterator[Game]:
    """Every ply of a random game under the ruleset of this name."""
    preset, options = CHOSEN[name]
    seats = tempers(chance)
    game = open_game(
        Opening(
            preset=preset,
            options=options,
            players=("n", "e", "s", "w"),
            secret=chance.randbytes(32),
            dealer=Seat(chance.randrange(4)),
        )
    )
    yield game
    while game.result is None:
        assert game.state is not None
        seat = game.state.turn
        game = advance(game, seat, choose(legal_actions(game.state), seats[seat], chance))
        yield game


def random_states(ruleset: Ruleset, chance: Random) -> Iterator[State]:
    """Every state of a random deal, its end included."""
    seats = tempers(chance)
    state = fresh_deal(ruleset, chance)
    yield state
    while state.phase != "over":
        state = apply(state, state.turn, choose(legal_actions(state), seats[state.turn], chance))
        yield state


def written(ruleset: Ruleset = PERSIAN, **told: object) -> Position:
    """A partial position in card notation, as `tables.position` takes it.

    A hand may hold `??`, or be a count, and so may the stock be one; `laid` numbers the melds of
    this turn, and whatever else a position has may be given as it is.
    """
    # Whatever was told of hands.
    hands = [told_hand(hand) for hand in told.pop("hands", ())]  # type: ignore[attr-defined]
    hands += [()] * (4 - len(hands))
    stock, laid = told.pop("stock", ""), told.pop("laid", None)
    changes = {name: told.pop(name) for name in ("idle_turns", "partial", "turn") if name in told}
    state = state_of(
        ruleset=ruleset,
        stock=stock if isinstance(stock, str) else "",
        **told,  # type: ignore[arg-type]  # any keyword of `Position`
    )
    position = replace(
        full_position(state, (0, 0)),
        hands=tuple(hands),
        partial=True,
        turn=None if state.phase == "over" else Seat(0),
        # Numbers of melds, or nothing said.
        melds=told_melds(state.melds, laid),  # type: ignore[arg-type]
        idle_turns=None,
        **({} if isinstance(stock, str) else {"stock": stock}),
    )
    return replace(position, **changes)


def told_hand(written_: object) -> Hand:
    """`4S ??` or a count."""
    if isinstance(written_, int):
        return written_
    return tuple(None if word == "??" else card(word) for word in str(written_).split())


def blanked(position: Position, seats: tuple[Seat, ...], chance: Random) -> Position:
    """The position with the stock and the hands of these seats told as counts or half."""
    a, b, c, d = (
        _blank(position.hands[seat], chance) if seat in seats else position.hands[seat]
        for seat in SEATS
    )
    stock = position.stock if isinstance(position.stock, int) else len(position.stock)
    return replace(position, hands=(a, b, c, d), stock=stock)


def _blank(hand: Hand, chance: Random) -> Hand:
    assert not isinstance(hand, int)
    if chance.random() < 0.5:
        return len(hand)
    share = chance.random()
    mixed: list[Card | None] = [one if chance.random() < share else None for one in hand]
    chance.shuffle(mixed)
    return tuple(mixed)
