"""A table at which the engine and the slow twin play the same deal, and must agree on all of it."""

import pytest

from engine.cards import Seat, card
from engine.notation import action, text
from engine.play import IllegalAction, apply, legal_actions
from engine.rules import offending_cards, violation
from engine.scoring import ledger, table_points
from engine.state import State
from tests.engine.tables import listed, outline, position, twin_action_of, twin_of, written
from tests.engine.twin_scoring import ledger as twin_ledger
from tests.engine.twin_scoring import sums, table_items


class Table:
    """Actions are written as people write them; every answer is the engine's and the twin's."""

    def __init__(self, **position_: object) -> None:
        # Any keyword of `position`.
        self.state: State = position(**position_)  # type: ignore[arg-type]
        self.twin = twin_of(self.state)

    def play(self, *lines: str) -> "Table":
        """Play these actions one after the other, each legal, each by the seat to act."""
        for line in lines:
            chosen = action(line)
            self._assert_same_list()
            assert violation(self.state, self.state.turn, chosen) is None, line
            if line.split()[0] != "pass":
                assert chosen in legal_actions(self.state), line
            self.twin = self.twin.after(twin_action_of(chosen))
            self.state = apply(self.state, self.state.turn, chosen)
            assert outline(twin_of(self.state)) == outline(self.twin), line
            self._assert_same_list()
        return self

    def refused(self, line: str, why: str, *, seat: int | None = None) -> "Table":
        """The action is refused for this reason, and nothing has changed."""
        chosen = action(line)
        by = self.state.turn if seat is None else Seat(seat)
        before = self.state
        with pytest.raises(IllegalAction) as refusal:
            apply(before, by, chosen)
        assert refusal.value.violation == why, line
        assert self.twin.violation(by, twin_action_of(chosen)) == why, line
        assert by != self.state.turn or chosen not in legal_actions(self.state), line
        assert self.state == before
        return self

    def offending(self, line: str) -> str:
        """The cards that a refusal of this action points at."""
        chosen = action(line)
        broken = violation(self.state, self.state.turn, chosen)
        assert broken is not None, line
        return listed(bytes(offending_cards(self.state, chosen, broken)))

    def hand(self, seat: int) -> str:
        return written(self.state.hands[seat])

    @property
    def pile(self) -> str:
        return listed(self.state.pile)

    def meld(self, number: int) -> str:
        return written(self.state.melds[number - 1].cards)

    def credit(self, number: int, seat: int) -> str:
        return written(self.state.melds[number - 1].credit[seat])

    @property
    def must_use(self) -> str | None:
        return None if self.state.must_use is None else listed(bytes([self.state.must_use]))

    @property
    def where(self) -> tuple[int, str]:
        """Whose turn it is, and in which phase."""
        return self.state.turn, self.state.phase

    def ended(self) -> tuple[str | None, int | None]:
        """How the deal ended, and who went out."""
        return self.state.ended, self.state.out_seat

    @property
    def takes(self) -> str:
        """The cards that may be taken from the pile, from the bottom to the top."""
        lines = (text(one) for one in legal_actions(self.state))
        found = [line.split()[1] for line in lines if line.startswith("draw_discard")]
        return " ".join(sorted(found, key=lambda code: self.state.pile.index(card(code))))

    def legal(self, verb: str) -> set[str]:
        """All legal actions of one kind, as people write them."""
        lines = (text(one) for one in legal_actions(self.state))
        return {line for line in lines if line.split()[0] == verb}

    @property
    def table_points(self) -> tuple[int, int]:
        """What lies on the table, for team A and team B."""
        points = table_points(self.state)
        by_twin = sums(table_items(self.twin))
        assert tuple(points) == (by_twin["A"], by_twin["B"])
        return points

    @property
    def scores(self) -> tuple[int, int]:
        """What the deal brought team A and team B."""
        points = ledger(self.state).scores
        by_twin = sums(twin_ledger(self.twin))
        assert points is not None
        assert tuple(points) == (by_twin["A"], by_twin["B"])
        return points

    def _assert_same_list(self) -> None:
        mine = sorted(twin_action_of(one) for one in legal_actions(self.state))
        assert mine == sorted(self.twin.legal())
