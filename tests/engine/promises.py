"""What holds at every ply of every game, whoever plays: the promises, as one function."""

import msgspec

from engine.cards import ALL_CARDS, JOKERS, NO_CARDS, Cards, each, mask_of
from engine.game import Game
from engine.melds import RANK_CARDS, kind_of
from engine.play import MOST_IDLE_TURNS
from engine.ruleset import Ruleset
from engine.scoring import Ledger, table_points, worth_of
from engine.state import State, TableMeld

FACE_VALUE = {56: 476, 52: 396}
_GAME = msgspec.msgpack.Decoder(Game)
_STATE = msgspec.msgpack.Decoder(State)


def hold(state: State) -> None:
    """The promises about a state by itself."""
    conserved(state)
    if state.phase == "draw":
        assert state.pile, "the pile is empty at the start of a turn"
    if state.must_use is not None:
        assert state.phase == "play"
        assert state.hand >> state.must_use & 1, "the card to use is not in the hand"
    if state.phase == "play":
        assert state.hand, "nothing can be discarded"
    if state.passes:
        assert not state.stock, "somebody passed beside a stock"
    assert (state.ended is None) == (state.phase != "over")
    assert (state.out_seat is None) == (state.ended != "out")
    if state.out_seat is not None:
        assert not state.hands[state.out_seat]
    for hand, known in zip(state.hands, state.known, strict=True):
        assert known & ~hand == 0, "a card is known that is not there"
    melds_are_sound(state)
    assert state.turn_no <= most_turns(state.ruleset)
    assert _STATE.decode(msgspec.msgpack.encode(state)) == state


def conserved(state: State) -> None:
    """Every card of the pack lies in exactly one place."""
    places = [*state.hands, mask_of(state.stock), mask_of(state.pile)]
    places += [credit for meld in state.melds for credit in meld.credit]
    everything, count = 0, 0
    for some in places:
        everything |= some
        count += some.bit_count()
    size = state.ruleset.pack_size
    assert count == size == everything.bit_count()
    assert len(state.stock) == mask_of(state.stock).bit_count()
    assert len(state.pile) == mask_of(state.pile).bit_count()
    assert everything == (ALL_CARDS if size == 56 else ALL_CARDS & ~JOKERS)
    assert worth_of(Cards(everything)) == FACE_VALUE[size]


def melds_are_sound(state: State) -> None:
    """Each meld is one, no rank has two sets, and a doubled four is one seat's."""
    ranks = []
    for number, meld in enumerate(state.melds, start=1):
        assert meld.id == number
        assert kind_of(meld.cards, state.ruleset) == meld.kind
        if meld.kind == "set":
            ranks += [rank for rank, four in enumerate(RANK_CARDS) if four & meld.cards]
        if meld.doubled:
            assert meld.kind == "set"
            assert meld.cards.bit_count() == 4
            assert sum(1 for credit in meld.credit if credit) == 1
        if meld.low_ace:
            assert meld.kind == "run"
            assert state.ruleset.ace_in_runs == "high_or_low"
            assert meld.cards & RANK_CARDS[12]
            assert meld.cards & RANK_CARDS[0]
    assert len(ranks) == len(set(ranks)), "two sets of one rank"


def most_turns(ruleset: Ruleset) -> int:
    """No deal is longer: a card from the stock, a card to the table, or three passes between.

    Where the top card is free there may be idle turns in between as well, but not twelve in a row.
    """
    usual = (ruleset.pack_size - 1 - 4 * ruleset.hand_size) + 56 + 172
    return usual * MOST_IDLE_TURNS if ruleset.top_discard == "free" else usual


def hold_between(before: State, after: State) -> None:
    """The promises about a step within a deal."""
    assert before.stock.endswith(after.stock), "the stock grew"
    assert len(after.melds) - len(before.melds) in (0, 1)
    for old, new in zip(before.melds, after.melds, strict=False):
        assert_no_smaller(old, new)
    assert after.turn_no - before.turn_no in (0, 1)
    if len(after.pile) > len(before.pile):
        assert after.pile[:-1] == before.pile
    else:
        assert before.pile.startswith(after.pile)


def assert_no_smaller(old: TableMeld, new: TableMeld) -> None:
    """A meld never loses a card, a credit, its kind, its double or the place of its ace."""
    assert old.kind == new.kind
    assert all(was & ~now == 0 for was, now in zip(old.credit, new.credit, strict=True))
    assert new.doubled or not old.doubled
    if old.cards & RANK_CARDS[12]:
        assert new.low_ace == old.low_ace


def account_is_right(state: State, account: Ledger) -> None:
    """Both teams' scores add up to table and bonus without the hands, and items say how."""
    assert account.scores is not None
    ruleset = state.ruleset
    hands = sum(worth_of(hand) for hand in state.hands)
    if state.ended == "blocked" and not ruleset.blocked_hand_penalty:
        hands = 0
    bonus = ruleset.go_out_bonus if state.ended == "out" else 0
    assert sum(account.scores) == sum(table_points(state)) - hands + bonus
    for team in (0, 1):
        items = [item.points for item in account.items if item.seat % 2 == team]
        assert sum(items) == account.scores[team]
    assert account.hands == state.hands
    named = NO_CARDS
    for item in account.items:
        if item.kind != "doubled":
            assert named & item.cards == 0, "a card counts twice"
            named = Cards(named | item.cards)
    on_table = mask_of([one for meld in state.melds for one in each(meld.cards)])
    if hands or state.ended == "out":
        assert named == on_table | mask_of([one for hand in state.hands for one in each(hand)])


def survives_the_codec(game: Game) -> None:
    """What is stored and read again is the same game."""
    assert _GAME.decode(msgspec.msgpack.encode(game)) == game
