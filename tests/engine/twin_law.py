"""The twin's law: what may be done, and the first thing that is wrong with what may not."""

from collections.abc import Iterator
from itertools import combinations

from tests.engine.twin_cards import kind_of, possible_lay_offs, possible_melds
from tests.engine.twin_state import TwinAction, TwinState


class TwinLaw(TwinState):
    """A position that knows what is legal in it."""

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
