"""What happens when the stock is gone."""

from typing import Final

from engine.texts.chapter import Chapter, Rule

STOCK: Final = Chapter(
    "When the stock is gone",
    (
        Rule(
            "R-26",
            "Take or pass",
            "When the stock has no card left, the player whose turn it is has two choices: take a "
            "card from the pile that can be played at once, or pass.",
        ),
        Rule(
            "G-62",
            "What may be taken then",
            "Any card of the pile, as deep as you like, under the same rules as before. The pile "
            "is not shuffled to make a new stock. Whoever draws the last card of the stock "
            "finishes the turn as usual.",
        ),
        Rule(
            "G-63",
            "A pass is the whole turn",
            "Who passes does not meld, lay off or discard. You may pass even if you could take a "
            "card.",
        ),
        Rule(
            "G-64",
            "A blocked deal",
            "Four passes in a row end the deal with nobody out; any card taken begins the count "
            "again. With stock_out set to first_pass, the first pass ends it.",
            ("stock_out",),
        ),
        Rule(
            "G-65",
            "The score of a blocked deal",
            "Cards on the table count and cards in hand are taken off as always, and nobody has "
            "the points for going out. Set blocked_hand_penalty to false to leave the hands out "
            "of it.",
            ("blocked_hand_penalty",),
        ),
        Rule(
            "G-66",
            "Nobody is passed over",
            "The referee never passes for a player who has nothing to take, because that would "
            "tell the others what the hand does not hold. A pass is always the player's own.",
        ),
        Rule(
            "G-67",
            "Every deal comes to an end",
            "The stock only shrinks, each card taken puts one on the table for good, and passes "
            "run out after four: with jokers and hands of seven a deal has at most 255 turns. "
            "With top_discard set to free, cards could be taken for ever, so twelve turns in a "
            "row with no card from the stock and none to the table block the deal.",
            ("top_discard",),
        ),
    ),
)
