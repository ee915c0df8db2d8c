"""Golden games: whole games as text that a card player can read, kept beside this file.

`python -m tests.engine.playthroughs` writes them again from the table below. A file holds all that
is needed to play it again: preset, options and secret at its head, and each turn in notation.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any, Final

from engine.cards import CODES, Points, team_of
from engine.game import Game, Opening, advance, open_game
from engine.notation import action, text
from engine.play import legal_actions
from engine.scoring import Ledger
from engine.state import State, TableMeld
from tests.engine.random_play import EAGER, choose
from tests.engine.tables import listed, written

FOLDER: Final = Path(__file__).parent / "playthroughs"
NAMES: Final = ("north", "east", "south", "west")
STEP: Final = " · "

GAMES: Final[dict[str, tuple[str, dict[str, Any], int]]] = {
    "persian": ("persian", {}, 390),
    "persian-blocked": ("persian", {}, 139),
    "persian-extra-deal": ("persian", {"tie_break": "extra_deal", "game_end": {"deals": 1}}, 1202),
    "persian-free-top": ("persian", {"top_discard": "free", "dealer_rotation": "winner"}, 33),
    "persian-house-rules": (
        "persian",
        {"pickup_use": "new_meld_only", "stock_out": "first_pass", "blocked_hand_penalty": False},
        191,
    ),
    "persian-long-hands": ("persian", {"hand_size": 10, "quad_bonus": "same_turn"}, 95),
    "partnership-500": ("partnership-500", {"game_end": {"target": 150}}, 209),
    "partnership-500-fixed": (
        "partnership-500",
        {"game_end": {"deals": 2}, "ace_low_value": 15, "dealer_rotation": "fixed"},
        286,
    ),
}
"""Preset, options and seed of each game; the seeds were looked for, so that much happens."""


def played(name: str) -> str:
    """The text of a game of the table above, played by eager hands."""
    preset, options, seed = GAMES[name]
    chance = Random(seed)
    opening = Opening(preset=preset, options=options, players=NAMES, secret=chance.randbytes(32))
    game = open_game(opening)
    moves = []
    while game.result is None:
        assert game.state is not None
        chosen = choose(legal_actions(game.state), EAGER, chance)
        moves.append(text(chosen))
        game = advance(game, game.state.turn, chosen)
    return told(opening, iter(moves))


def played_again(golden: str) -> str:
    """The text that the moves of a golden game give now."""
    lines = golden.splitlines()
    head = dict(line.split(": ", 1) for line in lines[:3])
    opening = Opening(
        preset=head["preset"],
        options=json.loads(head["options"]),
        players=NAMES,
        secret=bytes.fromhex(head["secret"]),
    )
    turns = (line[16:] for line in lines if line.startswith("turn"))
    return told(opening, (one.split(" [")[0] for turn in turns for one in turn.split(STEP)))


def told(opening: Opening, moves: Iterator[str]) -> str:
    """A whole game in words."""
    assert opening.secret is not None
    lines = [f"preset: {opening.preset}", f"options: {json.dumps(opening.options)}"]
    lines += [f"secret: {opening.secret.hex()}", ""]
    game = open_game(opening)
    while game.result is None:
        assert game.state is not None
        lines += deal_told(game.state)
        deal = game.state.deal
        while game.result is None and game.state.deal == deal:
            before = game
            game, steps = turn_played(game, moves)
            lines += turn_told(before, game, steps)
            assert game.state is not None
        lines += ledger_told(game.ledgers[-1], game.totals)
    winner = game.result.winner
    lines.append("The game is drawn." if winner is None else f"Team {winner} wins the game.")
    return "\n".join(lines) + "\n"


def turn_played(game: Game, moves: Iterator[str]) -> tuple[Game, list[str]]:
    """The game after one seat's turn, and the turn step by step."""
    now = game.state
    assert now is not None
    deal, turn_no = now.deal, now.turn_no
    steps = []
    while game.result is None and (now.deal, now.turn_no) == (deal, turn_no):
        line = next(moves)
        drawn = f" [{CODES[now.stock[0]]}]" if line == "draw_stock" else ""
        steps.append(line + drawn)
        game = advance(game, now.turn, action(line))
        now = game.state
        assert now is not None
    return game, steps


def deal_told(state: State) -> list[str]:
    """Who deals, and what everybody got."""
    lines = [f"=== Deal {state.deal}, {NAMES[state.dealer]} deals ===", ""]
    lines += [f"{name:8}{written(state.hands[seat])}" for seat, name in enumerate(NAMES)]
    return [*lines, f"up-card {listed(state.pile)}", f"stock   {listed(state.stock)}", ""]


def turn_told(before: Game, after: Game, steps: list[str]) -> list[str]:
    """One turn: what was done, and what it left in the hand, on the table and in the pile."""
    then, now = before.state, after.state
    assert then is not None
    assert now is not None
    lines = [f"turn {then.turn_no:<3} {NAMES[then.turn]:6} {STEP.join(steps)}"]
    if now.deal != then.deal or now.phase == "over":
        return lines
    lines.append(f"         hand   {written(now.hands[then.turn]) or 'no card: floats'}")
    if now.melds != then.melds:
        lines += [f"         table  {meld_told(meld)}" for meld in now.melds]
    lines.append(f"         pile   {listed(now.pile)}")
    return lines


def meld_told(meld: TableMeld) -> str:
    """`2: 5S 6S 7S east, 8S north`."""
    shares = [f"{written(some)} {NAMES[seat]}" for seat, some in enumerate(meld.credit) if some]
    marks = [" (doubled)"] * meld.doubled + [" (ace low)"] * meld.low_ace
    return f"{meld.id}: {', '.join(shares)}{''.join(marks)}"


def ledger_told(account: Ledger, totals: Points) -> list[str]:
    """The end of a deal: every item, the scores, and the totals after it."""
    ending = {"out": "goes out", "blocked": "Play is blocked", "forfeit": "The deal is given up"}
    how = ending[account.ended]
    if account.out_seat is not None:
        how = f"{NAMES[account.out_seat]} {how}".capitalize()
    lines = ["", f"{how}. The account of deal {account.deal}:"]
    for item in account.items:
        who = f"{team_of(item.seat)} {NAMES[item.seat]:6}"
        what = item.kind.replace("_", " ")
        where = f"meld {item.meld} " if item.meld else ""
        line = f"  {who} {what:9} {item.points:+5}  {where}{written(item.cards)}"
        lines.append(line.rstrip())
    assert account.scores is not None
    lines.append("  scores A {:+d}, B {:+d}".format(*account.scores))
    lines.append("  totals A {:+d}, B {:+d}".format(*totals))
    return [*lines, ""]


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name in GAMES:
        (FOLDER / f"{name}.txt").write_text(played(name))
