"""Nobody is sent what it may not know: every body that the app gives is the same in another world.

A random game is played through the app while each viewer asks for everything it can, and sends
moves that are refused, late, repeated or only tried. No body names a card that its viewer cannot
know. Then the game is opened again with packs in which the cards hidden from one viewer at some
ply have changed places, and played the same; until that ply its viewer gets the same bytes, ids,
tokens and times apart.
"""

import re
from collections.abc import Iterator
from random import Random

import httpx
import pytest
from msgspec.structs import replace

from engine import game as play
from engine.actions import Action, DrawStock
from engine.cards import CODES, SEATS, Card, Cards, card, each, mask_of
from engine.game import Game
from engine.play import IllegalAction, legal_actions
from engine.ruleset import resolve
from engine.state import State
from engine.view import ORGANISER, SPECTATOR, Viewer
from tests.engine.random_play import choose, shuffled, tempers, wild_action
from tests.service.tables import Json, Table, Who, json_of, opened, opening, reordered

# What is shown is cut out of a game by the engine, wherever the game was read from.
pytestmark = pytest.mark.one_store

VIEWERS = [*(Viewer("seat", seat) for seat in SEATS), SPECTATOR, ORGANISER]
Packs = tuple[bytes, ...]
Move = tuple[int, Action]
Request = tuple[str, str, Json | None, dict[str, str]]
Told = tuple[Json | None, httpx.Response, str]
"""What was sent, what came back, and the same without ids and times."""
PLIES = 48
ASKED_EACH_PLY = 3
OTHER_WORLDS = 4

# Options; whether a deal must end within the plies played; whether the organiser sees all.
TABLES: dict[str, tuple[Json, bool, bool]] = {
    "short hands": ({"hand_size": 3}, True, False),
    "all seen": ({"hand_size": 4, "top_discard": "free"}, True, True),
    "long hands": ({"hand_size": 10, "go_out_by_discard": True}, False, False),
}
_CARD = re.compile(r"[2-9TJQKA][CDHS]|X[1-4]")


class Story:
    """A game as it is to be played: its packs, and what is sent ply by ply."""

    def __init__(self, options: Json, chance: Random) -> None:
        ruleset = resolve("persian", options)
        self.options = options
        self.packs: Packs = tuple(shuffled(ruleset, chance) for _ in range(2))
        self.moves: list[Move] = []
        self.games = [play.open_game(self.opening(self.packs))]
        seats = tempers(chance)
        while self.games[-1].result is None and len(self.games) <= PLIES:
            game = self.games[-1]
            assert game.state is not None
            chosen = choose(legal_actions(game.state), seats[game.state.turn], chance)
            self.moves.append((game.state.turn, chosen))
            self.games.append(play.advance(game, game.state.turn, chosen))

    def is_worth_playing(self, must_end: bool) -> bool:
        """Whether it has cards to hide, and one deal that ended where one must."""
        draws = sum(isinstance(action, DrawStock) for _, action in self.moves)
        ended = len(self.games[-1].ledgers)
        return draws >= PLIES // 6 and ended == must_end

    def opening(self, packs: Packs) -> play.Opening:
        names = ("north", "east", "south", "west")
        return play.Opening(players=names, options=self.options, packs=packs)


def who_is(viewer: Viewer) -> Who:
    if viewer.kind == "seat":
        return viewer.seat
    return None if viewer.kind == "spectator" else "organiser"


def requests(viewer: Viewer, game: Game, past: list[Move], seed: str) -> list[Request]:
    """Some of what a viewer can ask at a ply; it hangs on nothing that the viewer cannot know."""
    chance = Random(f"{seed} {viewer} {game.ply}")
    possible = list(_possible(viewer, game, past, chance))
    return chance.sample(possible, min(ASKED_EACH_PLY, len(possible)))


def _possible(viewer: Viewer, game: Game, past: list[Move], chance: Random) -> Iterator[Request]:
    for tail in ("", "/log", "/log?limit=3&after=1", "/score", "/record", "/legal-actions"):
        yield "GET", tail, None, {}
    yield "POST", "/seats", {"name": "x"}, {}
    if viewer.seat is None or game.state is None:
        return
    yield "POST", "/forfeit", {"team": "AB"[1 - viewer.seat % 2]}, {}
    mine = replace(game.state, turn=viewer.seat)
    for headers in ({}, {"If-Match": f'"{game.ply}"'}) * 2:
        wild = [wild_action(mine, chance) for _ in range(chance.choice((1, 1, 2)))]
        sent = {"actions": [json_of(one) for one in wild]}
        yield "POST", "/moves?dry_run=true", sent, headers
        if not _is_played(game, viewer, wild):
            yield "POST", "/moves", sent, headers
    if viewer.seat == game.state.turn:
        legal = chance.choice(legal_actions(game.state))
        yield "POST", "/moves?dry_run=true", {"actions": [json_of(legal)]}, {}
    yield "POST", "/moves", {"actions": [json_of("draw_stock"), json_of("pass")]}, {}
    yield "POST", "/moves", {"actions": [json_of("pass")]}, {"If-Match": f'"{game.ply + 1}"'}
    own = [ply for ply, (seat, _) in enumerate(past) if seat == viewer.seat]
    for ply in chance.sample(own, min(3, len(own))):
        again = {"actions": [reordered(json_of(past[ply][1]), chance)]}
        yield "POST", "/moves", again, {"If-Match": f'"{ply}"'}
        yield "POST", "/moves", {"actions": [json_of("pass")]}, {"If-Match": f'"{ply}"'}


def _is_played(game: Game, viewer: Viewer, actions: list[Action]) -> bool:
    """Whether the app would do these, and not just answer."""
    assert game.state is not None
    assert viewer.seat is not None
    if len(actions) > 1 and any(isinstance(one, DrawStock) for one in actions):
        return False
    try:
        for one in actions:
            game = play.advance(game, viewer.seat, one)
    except IllegalAction:
        return False
    return True


def plain(answer: httpx.Response, table: Table) -> str:
    """What was answered: status, version and body, without ids, tokens and times."""
    body = re.sub(r'"(instance|at)":"[^"]*"', r'"\1":""', answer.text)
    told = (answer.status_code, answer.headers.get("ETag"), answer.headers.get("Link"), body)
    return repr(told).replace(table.game, "GAME")


async def opened_as(http: httpx.AsyncClient, story: Story, packs: Packs, sees_all: bool) -> Table:
    listed = [[CODES[one] for one in each_pack] for each_pack in packs]
    body = opening(*listed, options=story.options, organiser_sees_all=sees_all)
    return await opened(http, body)


async def bodies(
    table: Table, story: Story, viewers: list[Viewer], plies: int, seed: str
) -> dict[Viewer, list[list[Told]]]:
    """All that each viewer was told, ply by ply, the answer to its own move first."""
    told: dict[Viewer, list[list[Told]]] = {viewer: [[]] for viewer in viewers}
    for ply in range(plies + 1):
        for viewer in viewers:
            for method, tail, body, headers in requests(
                viewer, story.games[ply], story.moves[:ply], seed
            ):
                answer = await table.ask(method, tail, who_is(viewer), body, headers)
                told[viewer][ply].append((body, answer, plain(answer, table)))
        if ply < plies:
            seat, action = story.moves[ply]
            answer = await table.send(seat, action)
            assert answer.status_code == 200, answer.text
            for viewer in viewers:
                own: list[Told] = (
                    [(None, answer, plain(answer, table))] if viewer.seat == seat else []
                )
                told[viewer].append(own)
    return told


# --- what a viewer cannot know ---


def hidden_from(state: State, viewer: Viewer, sees_all: bool) -> Cards:
    """The cards of which this viewer cannot know where they lie."""
    hidden = mask_of(state.stock)
    if not (viewer == ORGANISER and sees_all):
        for seat in SEATS:
            if seat != viewer.seat:
                hidden = Cards(hidden | state.hands[seat] & ~state.known[seat])
    return hidden


def with_hidden_cards_moved(
    story: Story, ply: int, viewer: Viewer, sees_all: bool, chance: Random
) -> Packs:
    """Packs that the viewer cannot tell from the story's at this ply."""
    packs = list(story.packs)
    game = story.games[ply]
    assert game.state is not None
    now = hidden_from(game.state, viewer, sees_all)
    if game.state.must_use is not None:
        # Everybody knows that its holder can use it, so the hand that goes with it stays.
        now = Cards(now & ~game.state.hands[game.state.turn])
    hidden = {game.state.deal - 1: now}
    for number in range(game.state.deal, len(packs)):
        hidden[number] = mask_of(packs[number])
    for ended, account in enumerate(game.ledgers):
        last = story.games[game.deal_ends[ended] - 1].state
        assert last is not None
        assert account.deal == last.deal
        hidden[ended] = mask_of(last.stock)
    for number, cards in hidden.items():
        before = list(each(cards))
        moved = dict(zip(before, chance.sample(before, len(before)), strict=True))
        packs[number] = bytes(moved.get(Card(one), Card(one)) for one in packs[number])
    return tuple(packs)


def cards_in(value: object, deal: int) -> Iterator[str]:
    """The cards of this deal in a body; other deals use the same codes for theirs."""
    match value:
        case str() if _CARD.fullmatch(value):
            yield value
        case list():
            for one in value:
                yield from cards_in(one, deal)
        case dict():
            if value.get("deal", deal) == deal:
                for one in value.values():
                    yield from cards_in(one, deal)


def no_hidden_card(
    game: Game, viewer: Viewer, sees_all: bool, body: Json | None, answer: httpx.Response
) -> None:
    if game.state is None or game.result is not None or not answer.content:
        return
    hidden = hidden_from(game.state, viewer, sees_all)
    named = set(cards_in(body, game.state.deal))
    told = set(cards_in(answer.json(), game.state.deal)) - named
    leaked = {code for code in told if hidden >> card(code) & 1}
    assert not leaked, f"{viewer} was told of {leaked} at ply {game.ply}: {answer.text}"


@pytest.mark.parametrize("name", TABLES)
async def test_no_body_hangs_on_a_hidden_card(http: httpx.AsyncClient, name: str) -> None:
    options, must_end, sees_all = TABLES[name]
    chance = Random(f"secrecy {name}")
    story = Story(options, chance)
    while not story.is_worth_playing(must_end):
        story = Story(options, chance)
    plies = len(story.moves)
    table = await opened_as(http, story, story.packs, sees_all)
    told = await bodies(table, story, VIEWERS, plies, name)
    for viewer in VIEWERS:
        for ply, here in enumerate(told[viewer]):
            for body, answer, _ in here:
                if not is_repeat(answer, ply):
                    no_hidden_card(story.games[ply], viewer, sees_all, body, answer)
    for viewer in chance.sample(VIEWERS, OTHER_WORLDS):
        ply = chance.choice((plies, chance.randrange(plies)))
        packs = with_hidden_cards_moved(story, ply, viewer, sees_all, chance)
        assert packs != story.packs
        other = await opened_as(http, story, packs, sees_all)
        same = await bodies(other, story, [viewer], ply, name)
        for here, there in zip(told[viewer][: ply + 1], same[viewer], strict=True):
            assert [text for *_, text in here] == [text for *_, text in there]


def is_repeat(answer: httpx.Response, ply: int) -> bool:
    """Whether it shows an earlier ply, in which other cards may have been hidden."""
    return answer.headers.get("ETag") not in (None, f'"{ply}"')
