"""Nobody sees what it may not know: change all that, and not a byte of what it is shown changes.

At plies of random games the cards that a viewer cannot know (other hands but for the known cards,
the stock, what was left of earlier stocks, the packs still to come) change places in the packs. The
same log is folded over them; the view, the log and every refusal stay the same byte for byte.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random

import msgspec
import pytest
from msgspec.structs import replace

from engine.cards import SEATS, Card, Cards, Seat, each, mask_of
from engine.game import Entry, Forfeit, Game, Opening, SeatTaken, advance, entry, fold, open_game
from engine.play import legal_actions
from engine.rules import offending_cards, violation
from engine.state import State
from engine.view import ORGANISER, SPECTATOR, Viewer, hashes, seen_entry, view
from tests.engine.random_play import choose, shuffled, tempers, wild_action
from tests.engine.rulesets import CHOSEN, RULESETS

VIEWERS = [*(Viewer("seat", seat) for seat in SEATS), SPECTATOR, ORGANISER]
DEALS_WATCHED = 2


@dataclass
class Told:
    """A game as it went: its log, and what was left of the stock of each deal that ended."""

    game: Game
    log: list[Entry] = field(default_factory=list)
    left_over: list[Cards] = field(default_factory=list)


@pytest.mark.parametrize("sees_all", [False, True])
@pytest.mark.parametrize("name", RULESETS)
def test_what_a_viewer_cannot_know_changes_nothing_that_it_sees(name: str, sees_all: bool) -> None:
    chance = Random(f"secrecy {name} {sees_all}")
    told = Told(open_game(opening_of(name, chance, sees_all)))
    seats = tempers(chance)
    phases = set()
    while told.game.result is None and len(told.game.ledgers) < DEALS_WATCHED:
        state = told.game.state
        assert state is not None
        phases.add(state.phase)
        unchanged(told, chance.choice(VIEWERS), chance)
        chosen = choose(legal_actions(state), seats[state.turn], chance)
        played(told, state, entry(told.game, state.turn, chosen, 0))
        if told.game.state is not None and told.game.state.deal > state.deal:
            all_unchanged(told, chance)
    all_unchanged(told, chance)
    assert phases == {"draw", "play"}


@pytest.mark.parametrize("plies", [0, 1, 40])
def test_a_forfeit_shows_the_hands_and_nothing_more(plies: int) -> None:
    chance = Random(f"forfeit {plies}")
    told = Told(open_game(opening_of("persian", chance, sees_all=False)))
    for _ in range(plies):
        state = told.game.state
        assert state is not None
        chosen = chance.choice(legal_actions(state))
        played(told, state, entry(told.game, state.turn, chosen, 0))
    assert told.game.state is not None
    played(told, told.game.state, Entry(0, Seat(1), Forfeit("B")))
    assert told.game.result is not None
    all_unchanged(told, chance)


def test_a_seat_that_waits_learns_nothing_of_the_packs() -> None:
    chance = Random("waiting")
    opening = replace(opening_of("persian", chance, sees_all=True), players=("n", None, "s", "w"))
    told = Told(open_game(opening))
    all_unchanged(told, chance)
    told.log.append(Entry(0, Seat(1), SeatTaken("e", "00ff")))
    told.game = fold(opening, told.log)
    assert told.game.status == "playing"
    all_unchanged(told, chance)


@pytest.mark.parametrize("viewer", VIEWERS, ids=lambda viewer: f"{viewer.kind} {viewer.seat}")
def test_the_secret_is_told_when_the_game_is_over_and_not_before(viewer: Viewer) -> None:
    chance = Random("secret")
    secret = chance.randbytes(32)
    game = open_game(Opening(players=("n", "e", "s", "w"), secret=secret, organiser_sees_all=True))
    while game.result is None:
        assert game.state is not None
        assert secret not in msgspec.msgpack.encode(view(game, viewer))
        game = advance(game, game.state.turn, chance.choice(legal_actions(game.state)))
    assert view(game, viewer).secret == secret


def test_the_viewer_that_sees_all_does_see_the_hands() -> None:
    """The property above would catch a leak: this viewer's bytes do change."""
    chance = Random("leak")
    told = Told(open_game(opening_of("persian", chance, sees_all=True)))
    other = fold(*another_world(told, SPECTATOR, chance))
    assert shown(told.game, [], ORGANISER) != shown(other, [], ORGANISER)
    assert shown(told.game, [], SPECTATOR) == shown(other, [], SPECTATOR)


@pytest.mark.parametrize("seat", SEATS)
def test_who_may_see_a_drawn_card(seat: Seat) -> None:
    game = open_game(opening_of("persian", Random("drawn"), sees_all=True))
    assert game.state is not None
    one = entry(game, game.state.turn, legal_actions(game.state)[0], 0)
    assert one.drawn is not None
    after = advance(game, one.seat, one.step)
    seen = seen_entry(after, Viewer("seat", seat), 1, one).drawn
    assert seen == (one.drawn if seat == one.seat else None)
    assert seen_entry(after, SPECTATOR, 1, one).drawn is None
    assert seen_entry(after, ORGANISER, 1, one).drawn is None


# --- how it is checked ---


def opening_of(name: str, chance: Random, sees_all: bool) -> Opening:
    preset, options = CHOSEN[name]
    ruleset = RULESETS[name]
    return Opening(
        preset=preset,
        options=options,
        dealer=Seat(chance.randrange(4)),
        players=("n", "e", "s", "w"),
        packs=tuple(
            shuffled(ruleset, chance)
            for _ in range(max(ruleset.game_end.deals or 0, DEALS_WATCHED + 1))
        ),
        organiser_sees_all=sees_all,
    )


def played(told: Told, before: State, one: Entry) -> None:
    """One more entry; the rest of the stock is kept in mind where it ends a deal."""
    told.log.append(one)
    told.game = advance(told.game, one.seat, one.step)
    if len(told.game.ledgers) > len(told.left_over):
        told.left_over.append(mask_of(before.stock))


def all_unchanged(told: Told, chance: Random) -> None:
    for viewer in VIEWERS:
        unchanged(told, viewer, chance)


def unchanged(told: Told, viewer: Viewer, chance: Random) -> None:
    """The viewer is shown the same in another world that it cannot tell from this one."""
    opening, log = another_world(told, viewer, chance)
    other = fold(opening, log)
    assert shown(told.game, told.log, viewer) == shown(other, log, viewer)
    here, there = told.game.state, other.state
    if here is not None and holder_of_a_use(here) not in (None, viewer.seat):
        mixed = replace(told.game, state=with_a_mixed_hand(here, chance))
        if not (viewer == ORGANISER and opening.organiser_sees_all):
            assert shown(told.game, told.log, viewer) == shown(mixed, told.log, viewer)
    if here is None or there is None or viewer.seat is None:
        return
    for _ in range(4):
        wild = wild_action(replace(here, turn=viewer.seat), chance)
        broken = violation(here, viewer.seat, wild)
        assert broken == violation(there, viewer.seat, wild)
        if broken and viewer.seat == here.turn:
            assert offending_cards(here, wild, broken) == offending_cards(there, wild, broken)


def shown(game: Game, log: list[Entry], viewer: Viewer) -> bytes:
    """Every byte that the viewer gets: the view, the log from its beginning, and its hashes."""
    seen = [seen_entry(game, viewer, ply, one) for ply, one in enumerate(log, start=1)]
    return msgspec.msgpack.encode((view(game, viewer), seen, list(hashes(game, log))))


def another_world(told: Told, viewer: Viewer, chance: Random) -> tuple[Opening, list[Entry]]:
    """Other packs, and the same log over them, that look the same to this viewer."""
    packs = list(told.game.opening.packs or ())
    ended = len(told.left_over)
    for number, left in enumerate(told.left_over):
        packs[number] = shaken(packs[number], left, chance)
    if told.game.result is None and told.game.state is not None:
        hidden = hidden_from(told.game, told.game.state, viewer)
        packs[ended] = shaken(packs[ended], hidden, chance)
        ended += 1
    for number in range(ended, len(packs)):
        packs[number] = shaken(packs[number], mask_of(packs[number]), chance)
    opening = replace(told.game.opening, packs=tuple(packs))
    return opening, list(retold(opening, told.log))


def hidden_from(game: Game, state: State, viewer: Viewer) -> Cards:
    """The cards of which this viewer cannot know where they lie."""
    hidden = mask_of(state.stock)
    if viewer == ORGANISER and game.opening.organiser_sees_all:
        return hidden
    for seat in SEATS:
        if seat != viewer.seat and seat != holder_of_a_use(state):
            hidden = Cards(hidden | state.hands[seat] & ~state.known[seat])
    return hidden


def holder_of_a_use(state: State) -> Seat | None:
    """The seat that everybody knows to hold what goes with the card it took."""
    return None if state.must_use is None else state.turn


def with_a_mixed_hand(state: State, chance: Random) -> State:
    """The seat to act has changed all that is not known of its hand for cards of the stock."""
    hidden = Cards(state.hand & ~state.known[state.turn])
    pool = [*each(hidden), *each(mask_of(state.stock))]
    chance.shuffle(pool)
    size = hidden.bit_count()
    hand = Cards(state.hand & ~hidden | mask_of(pool[:size]))
    hands = tuple(hand if seat == state.turn else state.hands[seat] for seat in SEATS)
    return replace(state, hands=hands, stock=bytes(pool[size:]))


def shaken(pack: bytes, hidden: Cards, chance: Random) -> bytes:
    """The pack with these cards in each other's places."""
    before = list(each(hidden))
    moved = dict(zip(before, chance.sample(before, len(before)), strict=True))
    return bytes(moved.get(Card(one), Card(one)) for one in pack)


def retold(opening: Opening, log: list[Entry]) -> Iterator[Entry]:
    """The log again, with the cards that the draws bring in this world."""
    game = open_game(opening)
    for one in log:
        yield entry(game, one.seat, one.step, one.at)
        game = advance(game, one.seat, one.step)
