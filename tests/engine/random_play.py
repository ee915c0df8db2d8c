"""Random play that gets around: seats differ in temper, so that games end in every way."""

from random import Random

from engine.actions import Action, Discard, DrawDiscard, DrawStock, LayOff, Meld, Pass, cards_named
from engine.cards import PACK_SIZE, Card, Seat, each, in_order
from engine.deal import deal
from engine.melds import SETS_OF
from engine.ruleset import Ruleset
from engine.shuffle import NO_SEEDS, pack
from engine.state import State

Temper = dict[type, float]

EVEN: Temper = {}
EAGER: Temper = {Meld: 30, LayOff: 30, DrawDiscard: 5, Pass: 0.2}
HOARDER: Temper = {Meld: 0.02, LayOff: 0.02, DrawDiscard: 20, Pass: 0.1}
SHY: Temper = {Meld: 0.01, LayOff: 0.01, DrawDiscard: 0.01, Pass: 5}
DIGGER: Temper = {Meld: 3, LayOff: 3, DrawDiscard: 50}
TEMPERS = (EVEN, EAGER, EAGER, HOARDER, SHY, DIGGER)


def tempers(chance: Random) -> tuple[Temper, ...]:
    """A temper for each seat; now and then the whole table shares one."""
    if chance.random() < 0.5:
        return (chance.choice(TEMPERS),) * 4
    return tuple(chance.choice(TEMPERS) for _ in range(4))


def choose(legal: list[Action], temper: Temper, chance: Random) -> Action:
    """One of the legal actions: first what kind of action, then which; often the largest meld."""
    kinds = list({type(one): None for one in legal})
    kind = chance.choices(kinds, [temper.get(one, 1.0) for one in kinds])[0]
    those = [one for one in legal if type(one) is kind]
    if kind in (Meld, LayOff) and chance.random() < 0.5:
        return max(those, key=lambda one: len(cards_named(one)))
    return chance.choice(those)


def shuffled(ruleset: Ruleset, chance: Random) -> bytes:
    """A pack in random order; every other time a clumsy one, which deals sets and runs."""
    cards = pack(chance.randbytes(32), NO_SEEDS, 1, ruleset.jokers)
    return cards if chance.random() < 0.5 else _clumsy(cards, ruleset, chance)


def _clumsy(cards: bytes, ruleset: Ruleset, chance: Random) -> bytes:
    by_rank = chance.random() < 0.5
    order = sorted(cards, key=lambda one: (one % 14, one) if by_rank else (one, 0))
    for _ in range(chance.randrange(5, 40)):
        one, other = chance.randrange(len(order)), chance.randrange(len(order))
        order[one], order[other] = order[other], order[one]
    start = chance.randrange(len(order))
    order = order[start:] + order[:start]
    size = ruleset.hand_size
    hands = [order[seat * size : (seat + 1) * size] for seat in range(4)]
    dealt = [hands[seat][turn] for turn in range(size) for seat in range(4)]
    return bytes(dealt + order[4 * size :])


def fresh_deal(ruleset: Ruleset, chance: Random) -> State:
    """The first turn of a random deal."""
    return deal(ruleset, shuffled(ruleset, chance), 1, Seat(chance.randrange(4)))


def wild_action(state: State, chance: Random) -> Action:
    """Any action at all: sensible, nearly sensible, or nonsense."""
    hand = list(each(state.hand))
    anything = [Card(one) for one in range(PACK_SIZE)]
    some = [*chance.sample(hand, min(len(hand), chance.randrange(5))), *chance.sample(anything, 1)]
    if chance.random() < 0.5 and len(some) > 1:
        some.pop()
    if chance.random() < 0.1:
        some.append(chance.choice(some))
    named = in_order(some)
    match chance.randrange(8):
        case 0:
            return DrawStock()
        case 1:
            return Pass()
        case 2:
            return DrawDiscard(chance.choice(anything))
        case 3:
            return Discard(chance.choice(hand or anything))
        case 4:
            return Discard(chance.choice(anything))
        case 5:
            return Meld(named)
        case 6:
            same = SETS_OF[chance.randrange(14)][-1]
            return Meld(in_order(each(same)))
        case _:
            return LayOff(named, chance.randrange(len(state.melds) + 2))
