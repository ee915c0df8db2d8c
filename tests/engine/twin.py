"""The slow and obvious twin: one deal, judged and played on card codes, lists and dicts.

It is written from the rules alone and imports nothing of the engine, so that the two can be
held against each other. An action is a tuple: ("draw_stock",), ("draw_discard", "9D"),
("meld", cards), ("lay_off", cards, meld id), ("discard", "3H"), ("pass",).
"""

from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

from tests.engine.twin_cards import (
    kind_of,
    possible_lay_offs,
    possible_melds,
    run_order,
    whole_pack,
)

Rules = dict[str, Any]
TwinAction = tuple[Any, ...]

PERSIAN: Rules = {
    "quad_bonus": "single_lay",
    "stock_out": "all_pass",
    "pickup_use": "meld_or_layoff",
    "top_discard": "must_use",
    "go_out_by_discard": False,
    "go_out_bonus": 25,
    "game_end": {"deals": 2},
    "tie_break": "draw",
    "jokers": 4,
    "ace_in_runs": "high",
    "ace_low_value": 15,
    "dealer_rotation": "left",
    "blocked_hand_penalty": True,
    "hand_size": 7,
}
PARTNERSHIP: Rules = PERSIAN | {
    "quad_bonus": "none",
    "stock_out": "first_pass",
    "go_out_by_discard": True,
    "go_out_bonus": 0,
    "game_end": {"target": 500},
    "tie_break": "extra_deal",
    "jokers": 0,
    "ace_in_runs": "high_or_low",
    "ace_low_value": 1,
}
IDLE_TURNS_THAT_BLOCK = 12


@dataclass
class TwinMeld:
    """A meld on the table: who played each card, and what is special about it."""

    kind: str
    played: dict[str, int]
    doubled: bool = False
    low_ace: bool = False
    laid_this_turn: bool = False


@dataclass
class Twin:
    """A deal in progress."""

    rules: Rules
    hands: list[set[str]]
    stock: list[str]
    pile: list[str]
    turn: int
    dealer: int = 3
    deal: int = 1
    phase: str = "draw"
    melds: dict[int, TwinMeld] = field(default_factory=dict)
    must_use: str | None = None
    barred: str | None = None
    passes: int = 0
    idle_turns: int = 0
    stirred: bool = False
    turn_no: int = 1
    ended: str | None = None
    out_seat: int | None = None
    known: list[set[str]] = field(default_factory=lambda: [set(), set(), set(), set()])

    # ------------------------------------------------------------------ questions

    def usable(self, card: str) -> bool:
        """Could the seat to act play this card of the pile at once, with all that lies on it?"""
        lifted = self.pile[self.pile.index(card) :]
        held = self.hands[self.turn] | set(lifted)
        near = {other for other in held if other[0] == card[0] or other[1] == card[1]}
        ace = self.rules["ace_in_runs"]
        if any(card in meld for meld in possible_melds(near, ace)):
            return True
        if self.rules["pickup_use"] == "new_meld_only":
            return False
        return any(
            card in group
            for meld in self.melds.values()
            for group in possible_lay_offs(meld.played, near, ace)
        )

    def may_be_kept(self, card: str) -> bool:
        """The house rule: the top card need not be played while there is stock."""
        return bool(self.rules["top_discard"] == "free" and self.stock and card == self.pile[-1])

    def violation(self, seat: int, action: TwinAction) -> str | None:
        """The first law that the action breaks, in the rulebook's order, or None."""
        name = action[0]
        if self.phase == "over":
            return "game_over"
        if seat != self.turn:
            return "not_your_turn"
        if self.phase == "draw" and name in ("meld", "lay_off", "discard"):
            return "draw_first"
        if self.phase == "play" and name in ("draw_stock", "draw_discard", "pass"):
            return "already_drawn"
        if name == "discard":
            return self.fault_of_discard(action[1])
        if name == "draw_stock":
            return None if self.stock else "stock_empty"
        if name == "pass":
            return "pass_not_allowed" if self.stock else None
        if name == "draw_discard":
            return self.fault_of_take(action[1])
        if name == "meld":
            return self.fault_of_meld(list(action[1]))
        return self.fault_of_lay_off(list(action[1]), action[2])

    def fault_of_discard(self, card: str) -> str | None:
        hand = self.hands[self.turn]
        if self.must_use is not None:
            return "must_use_pickup"
        if card not in hand:
            return "card_not_in_hand"
        if card == self.barred and len(hand) > 1:
            return "must_use_pickup"
        return None

    def fault_of_take(self, card: str) -> str | None:
        if card not in self.pile:
            return "card_not_in_pile"
        if self.may_be_kept(card) or self.usable(card):
            return None
        return "pickup_unusable"

    def fault_of_cards(self, cards: list[str]) -> str | None:
        if len(set(cards)) != len(cards):
            return "duplicate_card"
        if not set(cards) <= self.hands[self.turn]:
            return "card_not_in_hand"
        return None

    def fault_of_meld(self, cards: list[str]) -> str | None:
        fault = self.fault_of_cards(cards)
        if fault:
            return fault
        if kind_of(cards, self.rules["ace_in_runs"]) is None:
            return "bad_meld"
        if self.must_use is not None and self.must_use not in cards:
            return "must_use_pickup"
        return None

    def fault_of_lay_off(self, cards: list[str], meld_id: int) -> str | None:
        if meld_id not in self.melds:
            return "no_such_meld"
        fault = self.fault_of_cards(cards)
        if fault:
            return fault
        meld = self.melds[meld_id]
        if not cards or kind_of([*meld.played, *cards], self.rules["ace_in_runs"]) != meld.kind:
            return "bad_lay_off"
        if self.must_use is None:
            return None
        if self.must_use not in cards or self.rules["pickup_use"] == "new_meld_only":
            return "must_use_pickup"
        return None

    def candidates(self) -> Iterator[TwinAction]:
        """Everything that the seat to act might hope for: a little more than is legal."""
        hand, ace = sorted(self.hands[self.turn]), self.rules["ace_in_runs"]
        yield ("draw_stock",)
        yield ("pass",)
        if self.phase == "draw":
            for card in self.pile:
                yield ("draw_discard", card)
            return
        for cards in possible_melds(hand, ace):
            yield ("meld", tuple(sorted(cards)))
        for meld_id, meld in self.melds.items():
            for cards in possible_lay_offs(meld.played, hand, ace):
                yield ("lay_off", tuple(sorted(cards)), meld_id)
        for card in hand:
            yield ("discard", card)

    def every_subset(self) -> Iterator[TwinAction]:
        """All groups of cards of the hand, as melds and as lay-offs: for small hands only."""
        hand = sorted(self.hands[self.turn])
        for size in range(1, len(hand) + 1):
            for cards in combinations(hand, size):
                yield ("meld", cards)
                for meld_id in self.melds:
                    yield ("lay_off", cards, meld_id)

    def legal(self) -> list[TwinAction]:
        """All that the seat to act may do; empty once the deal is over."""
        return [one for one in self.candidates() if self.violation(self.turn, one) is None]

    # ------------------------------------------------------------------ steps

    def after(self, action: TwinAction) -> "Twin":
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
