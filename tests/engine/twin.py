"""The slow and obvious twin of the engine: one deal, dealt, judged and played, step by step."""

from copy import deepcopy
from typing import Self

from tests.engine.twin_cards import kind_of, run_order, whole_pack
from tests.engine.twin_law import TwinLaw
from tests.engine.twin_state import Rules, TwinAction, TwinMeld

IDLE_TURNS_THAT_BLOCK = 12


class Twin(TwinLaw):
    """A deal in progress that can be played on."""

    def after(self, action: TwinAction) -> Self:
        """The deal after a legal action of the seat to act; this one stays as it is."""
        assert self.violation(self.turn, action) is None, action
        then = deepcopy(self)
        getattr(then, "step_" + action[0])(*action[1:])
        return then

    def step_draw_stock(self) -> None:
        self.hands[self.turn].add(self.stock.pop(0))
        self.stirred = True
        self.passes = 0
        self.phase = "play"

    def step_draw_discard(self, card: str) -> None:
        kept = self.may_be_kept(card)
        place = self.pile.index(card)
        taken = self.pile[place:]
        self.pile = self.pile[:place]
        self.hands[self.turn] |= set(taken)
        self.known[self.turn] |= set(taken)
        if kept:
            self.barred = card
        else:
            self.must_use = card
        self.passes = 0
        self.phase = "play"

    def step_pass(self) -> None:
        self.passes += 1
        if self.passes == 4 or self.rules["stock_out"] == "first_pass":
            self.end("blocked")
        else:
            self.next_turn()

    def step_meld(self, cards: tuple[str, ...]) -> None:
        ace = self.rules["ace_in_runs"]
        kind = kind_of(cards, ace)
        assert kind is not None
        meld = TwinMeld(kind, {}, laid_this_turn=True)
        self.melds[len(self.melds) + 1] = meld
        self.put_down(meld, cards)
        if kind == "set" and len(cards) == 4 and self.rules["quad_bonus"] != "none":
            meld.doubled = True
        self.end_if_out()

    def step_lay_off(self, cards: tuple[str, ...], meld_id: int) -> None:
        meld = self.melds[meld_id]
        self.put_down(meld, cards)
        if self.rules["quad_bonus"] == "same_turn" and meld.kind == "set" and meld.laid_this_turn:
            meld.doubled = True
        self.end_if_out()

    def put_down(self, meld: TwinMeld, cards: tuple[str, ...]) -> None:
        """Cards go from the hand to a meld; an ace is high or low from then on."""
        had_ace = any(card[0] == "A" for card in meld.played)
        meld.played |= dict.fromkeys(cards, self.turn)
        if meld.kind == "run" and not had_ace:
            order = run_order(meld.played, self.rules["ace_in_runs"])
            meld.low_ace = order is not None and order[0] == "A"
        self.hands[self.turn] -= set(cards)
        self.known[self.turn] -= set(cards)
        self.must_use = None
        if self.barred in cards:
            self.barred = None
        self.stirred = True

    def step_discard(self, card: str) -> None:
        self.hands[self.turn].remove(card)
        self.known[self.turn].discard(card)
        self.pile.append(card)
        if self.rules["go_out_by_discard"] and not self.hands[self.turn]:
            self.out_seat = self.turn
            self.end("out")
        else:
            self.next_turn()

    def next_turn(self) -> None:
        self.idle_turns = 0 if self.stirred else self.idle_turns + 1
        if self.idle_turns == IDLE_TURNS_THAT_BLOCK:
            self.end("blocked")
            return
        self.turn = (self.turn + 1) % 4
        self.turn_no += 1
        self.phase = "draw"
        self.must_use = self.barred = None
        self.stirred = False
        for meld in self.melds.values():
            meld.laid_this_turn = False

    def end_if_out(self) -> None:
        if not self.hands[self.turn]:
            self.out_seat = self.turn
            self.end("out")

    def end(self, how: str) -> None:
        self.ended = how
        self.phase = "over"
        self.barred = None
        for meld in self.melds.values():
            meld.laid_this_turn = False


def deal(rules: Rules, pack: list[str], number: int, dealer: int) -> Twin:
    """A fresh deal: one card at a time from the dealer's left, the up-card, the stock."""
    assert sorted(pack) == sorted(whole_pack(rules["jokers"]))
    hands: list[set[str]] = [set(), set(), set(), set()]
    cards = list(pack)
    for _ in range(rules["hand_size"]):
        for step in (1, 2, 3, 4):
            hands[(dealer + step) % 4].add(cards.pop(0))
    first = (dealer + 1) % 4
    up_card = cards.pop(0)
    return Twin(rules, hands, cards, [up_card], turn=first, dealer=dealer, deal=number)


def perft(twin: Twin, depth: int) -> int:
    """How many lines of exactly so many actions begin here; a deal that ended has none."""
    if depth == 0:
        return 1
    actions = twin.legal()
    if depth == 1:
        return len(actions)
    return sum(perft(twin.after(action), depth - 1) for action in actions)
