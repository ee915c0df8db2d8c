"""What can be wrong with the cards of a position: every card of the pack lies in one place."""

from collections.abc import Iterator

from engine.cards import CODES, SEATS, Card, Cards, bit, codes
from engine.fault import Fault, Path, written
from engine.judging.position import Position, size_of
from engine.judging.table import whole_pack
from engine.ruleset import Ruleset


def card_faults(position: Position, ruleset: Ruleset) -> Iterator[Fault]:
    """Cards that are not in the pack, that lie in two places, or in none; sizes that cannot be."""
    pack, first_at = whole_pack(ruleset), dict[Card, Path]()
    for path, card in named_cards(position):
        if not bit(card) & pack:
            yield Fault(path, f"{CODES[card]} is not in this pack: there are no jokers")
        elif card in first_at:
            yield Fault(path, f"{CODES[card]} lies at {written(first_at[card])} too")
        else:
            first_at[card] = path
    unplaced = Cards(pack & ~sum(bit(card) for card in first_at))
    yield from _sum_faults(position, ruleset, unplaced)
    if not position.partial:
        yield from _stock_faults(position, ruleset)
        yield from _hand_faults(position, ruleset)


def named_cards(position: Position) -> Iterator[tuple[Path, Card]]:
    """Every card that is named, and where."""
    for seat, hand in enumerate(position.hands):
        for at, card in enumerate(() if isinstance(hand, int) else hand):
            if card is not None:
                yield ("hands", seat, at), card
    if not isinstance(position.stock, int):
        yield from ((("stock", at), Card(card)) for at, card in enumerate(position.stock))
    yield from ((("pile", at), Card(card)) for at, card in enumerate(position.pile))
    for number, meld in enumerate(position.melds):
        for at, one in enumerate(meld.cards):
            yield ("melds", number, "cards", at, "card"), one.card


def stock_size(position: Position) -> int:
    """How many cards are left to draw."""
    return position.stock if isinstance(position.stock, int) else len(position.stock)


def _sum_faults(position: Position, ruleset: Ruleset, unplaced: Cards) -> Iterator[Fault]:
    """All cards together are the pack; where some may be missing they are no more than that."""
    named = sum(1 for _ in named_cards(position))
    total = sum(map(size_of, position.hands)) + stock_size(position)
    total += len(position.pile) + sum(len(meld.cards) for meld in position.melds)
    counted = total - named
    wrong = []
    if total > ruleset.pack_size or (total < ruleset.pack_size and not position.partial):
        wrong.append(f"there are {total} cards, and the pack has {ruleset.pack_size}")
    if unplaced.bit_count() > counted and not position.partial:
        wrong.append(_missing(unplaced, counted))
    if wrong:
        yield Fault((), "; ".join(wrong))


def _missing(unplaced: Cards, counted: int) -> str:
    if counted:
        return f"{unplaced.bit_count() - counted} cards are neither named nor counted"
    return f"missing: {' '.join(codes(unplaced))}"


def _stock_faults(position: Position, ruleset: Ruleset) -> Iterator[Fault]:
    most = ruleset.pack_size - 1 - 4 * ruleset.hand_size
    if stock_size(position) > most:
        yield Fault(("stock",), f"the stock never has more than {most} cards")


def _hand_faults(position: Position, ruleset: Ruleset) -> Iterator[Fault]:
    """While nothing lies on the table nobody can have got rid of a card but by the discard."""
    if position.melds:
        return
    sizes, dealt = [size_of(hand) for hand in position.hands], ruleset.hand_size
    for seat in SEATS:
        is_acting = position.phase == "play" and seat == position.turn
        has_taken = is_acting and position.must_use is not None
        least = dealt + is_acting
        # A team may have given up in the middle of a turn.
        may_have_more = has_taken or (position.phase == "over" and sizes[seat] == max(sizes))
        if sizes[seat] < least or (sizes[seat] > least and not may_have_more):
            more = " or more" if has_taken else ""
            yield Fault(
                ("hands", seat),
                f"while no meld lies on the table this hand has {least} cards{more}",
            )
    if position.phase == "over" and sum(size > dealt for size in sizes) > 1:
        yield Fault(("hands",), f"only one hand can have more than {dealt} cards without a meld")
