"""Many games between strategies, on the engine alone, and how they came out.

Each game follows from the seed and its number, whatever other games are played beside it: so the
games of a plan can be played in parts, by as many processes as there are, and the tallies added.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from hashlib import sha256
from math import sqrt
from random import Random
from typing import Final, TypeVar

from msgspec import Struct

from engine.cards import SEATS, Seat
from engine.game import Game, Opening, advance, open_game
from engine.strategies import STRATEGIES
from engine.view import Viewer, view

NAME: Final = "persian-rummy-simulation/1"
_SPREADS: Final = ("totals_a", "totals_b", "scores_a", "scores_b", "plies", "turns")


class Plan(Struct, frozen=True, kw_only=True):
    """Which games are played: by which rules, which strategy at each seat, and from which seed."""

    preset: str = "persian"
    options: Mapping[str, object] = {}
    strategies: tuple[str, str, str, str] = ("random", "random", "random", "random")
    seed: str = "0"


Key = TypeVar("Key", int, str)


def _sum(ours: Mapping[Key, int], theirs: Mapping[Key, int]) -> dict[Key, int]:
    """Both counts together, in order."""
    return dict(sorted((Counter(ours) + Counter(theirs)).items()))


class Spread(Struct, frozen=True):
    """How a number came out: how often each value."""

    counts: Mapping[int, int] = {}

    def __add__(self, other: "Spread") -> "Spread":
        return Spread(_sum(self.counts, other.counts))

    @property
    def size(self) -> int:
        """How many there are."""
        return sum(self.counts.values())

    @property
    def mean(self) -> float:
        """The mean; 0 where there are none."""
        return sum(value * count for value, count in self.counts.items()) / (self.size or 1)

    @property
    def deviation(self) -> float:
        """The standard deviation."""
        mean = self.mean
        square = sum((value - mean) ** 2 * count for value, count in self.counts.items())
        return sqrt(square / (self.size or 1))

    def at(self, share: float) -> int:
        """The least value that so great a share is not above; share 0 is the least, 1 the most."""
        wanted, seen = share * self.size, 0
        for value, count in sorted(self.counts.items()):
            seen += count
            if seen >= wanted:
                return value
        raise ValueError("nothing was counted")


class Tally(Struct, frozen=True, kw_only=True):
    """How games came out.

    `won` counts games by winner, A, B or drawn, `ended` deals by their end. `totals` are by team
    and game, `scores` by team and deal, `plies` by game, `turns` by deal.
    """

    games: int = 0
    won: Mapping[str, int] = {}
    ended: Mapping[str, int] = {}
    totals_a: Spread = Spread()
    totals_b: Spread = Spread()
    scores_a: Spread = Spread()
    scores_b: Spread = Spread()
    plies: Spread = Spread()
    turns: Spread = Spread()

    def __add__(self, other: "Tally") -> "Tally":
        return Tally(
            games=self.games + other.games,
            won=_sum(self.won, other.won),
            ended=_sum(self.ended, other.ended),
            totals_a=self.totals_a + other.totals_a,
            totals_b=self.totals_b + other.totals_b,
            scores_a=self.scores_a + other.scores_a,
            scores_b=self.scores_b + other.scores_b,
            plies=self.plies + other.plies,
            turns=self.turns + other.turns,
        )


def simulate(plan: Plan, numbers: Iterable[int]) -> Tally:
    """Play the games of these numbers and tell how they came out."""
    won, ended = Counter[str](), Counter[str]()
    spreads = {name: Counter[int]() for name in _SPREADS}
    games = 0
    for number in numbers:
        game, turns = play(plan, number)
        assert game.result is not None
        games += 1
        won[game.result.winner or "drawn"] += 1
        ended.update(account.ended for account in game.ledgers)
        spreads["turns"].update(turns)
        spreads["plies"][game.ply] += 1
        for team, name in enumerate("ab"):
            spreads[f"totals_{name}"][game.totals[team]] += 1
            spreads[f"scores_{name}"].update(one.scores[team] for one in game.ledgers if one.scores)
    told = {name: Spread(_sum(counts, {})) for name, counts in spreads.items()}
    return Tally(games=games, won=_sum(won, {}), ended=_sum(ended, {}), **told)


def play(plan: Plan, number: int) -> tuple[Game, list[int]]:
    """Game `number` of a plan as it ended, and how many turns each deal had.

    The first dealer changes from game to game.
    """
    chance = Random(f"{NAME}|{plan.seed}|{number}|play")  # noqa: S311 - repeatable, not secret
    game = open_game(opening(plan, number))
    viewers = [Viewer("seat", seat) for seat in SEATS]
    turns: list[int] = []
    while game.result is None:
        assert game.state is not None
        seat, turn_no = game.state.turn, game.state.turn_no
        strategy = STRATEGIES[plan.strategies[seat]]
        game = advance(game, seat, strategy(view(game, viewers[seat]), chance))
        if len(game.ledgers) > len(turns):
            turns.append(turn_no)
    return game, turns


def opening(plan: Plan, number: int) -> Opening:
    """How game `number` of a plan opens."""
    a, b, c, d = plan.strategies
    return Opening(
        preset=plan.preset,
        options=plan.options,
        dealer=Seat(number % len(SEATS)),
        players=(a, b, c, d),
        secret=sha256(f"{NAME}|{plan.seed}|{number}".encode()).digest(),
        given=True,
    )
