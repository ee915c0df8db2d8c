"""The parts of a turn, from the draw to the discard."""

from typing import Final

from engine.texts.chapter import Chapter, Rule

TURN: Final = Chapter(
    "The turn",
    (
        Rule(
            "R-14",
            "Draw, play, discard",
            "A turn has three parts, always in this order: draw, then put down melds and lay off "
            "if you like, then discard.",
        ),
        Rule(
            "R-15",
            "Who begins",
            "The player at the dealer's left has the first turn of a deal.",
        ),
        Rule(
            "R-22",
            "The discard",
            "You end your turn by putting one card of your hand face up on top of the pile.",
        ),
        Rule(
            "R-23",
            "An open pile",
            "The cards of the pile overlap, so that everyone can see each of them and the order "
            "in which they came.",
        ),
        Rule(
            "G-27",
            "Nothing is played before the draw",
            "Until you have drawn you can neither meld nor lay off nor discard.",
        ),
        Rule(
            "G-28",
            "The draw is a duty",
            "As long as the stock has cards you must draw: one from the stock, or from the pile "
            "if you can use the card. Only when the stock is gone may you pass.",
        ),
        Rule(
            "G-39",
            "One draw in a turn",
            "You draw once, from the stock or from the pile, never from both. After the draw it "
            "is also too late to pass.",
        ),
        Rule(
            "G-40",
            "Nobody calls out",
            "Some tables let a player claim a discard out of turn by calling. That is not played "
            "here: a card of the pile waits for the next player to act.",
        ),
        Rule(
            "G-41",
            "One discard, no more and no less",
            "Each turn in which you drew and did not go out ends with exactly one discard. You "
            "cannot end such a turn with your hand as it is.",
        ),
    ),
)
