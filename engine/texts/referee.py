"""What the referee does, and what it leaves to the players."""

from typing import Final

from engine.texts.chapter import Chapter, Rule

REFEREE: Final = Chapter(
    "The referee",
    (
        Rule(
            "G-70",
            "A refused action changes nothing",
            "There are no penalties for a wrong action. It is refused, everything stays as it "
            "was, and the same player is still to act.",
        ),
        Rule(
            "G-71",
            "The cards must be there",
            "You can play only cards that are in your hand, and each of them once: 4S 4S 4D names "
            "a card twice. The order in which you list cards means nothing.",
        ),
        Rule(
            "G-72",
            "Clocks and giving up",
            "Time limits, lost connections and giving up are matters of the table, not rules of "
            "play. Whoever must act for an absent player always can: draw from the stock or else "
            "pass, play a card that was taken, and discard.",
        ),
        Rule(
            "G-73",
            "Talk at the table",
            "What partners tell each other, and cards shown by accident, are beyond this referee.",
        ),
        Rule(
            "G-74",
            "No stakes",
            "The referee counts points and nothing else. It knows no money and no stakes.",
        ),
    ),
)
