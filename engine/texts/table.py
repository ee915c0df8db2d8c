"""Melding and laying off."""

from typing import Final

from engine.texts.chapter import Chapter, Rule

TABLE: Final = Chapter(
    "Playing to the table",
    (
        Rule(
            "R-19",
            "Melding",
            "Once you have drawn you may put down melds from your hand, as many as you have, or "
            "none at all.",
        ),
        Rule(
            "R-20",
            "Laying off",
            "You may also add cards to a meld that lies on the table, whoever began it: an "
            "opponent, your partner or yourself. A set must still be a set afterwards and a run a "
            "run, so 7S fits 7H 7D 7C, and 8S does not.",
        ),
        Rule(
            "R-21",
            "Where a card that is laid off lies",
            "A card added to a meld of your own team is put to that meld. One that you add to an "
            "opponent's meld stays in front of you, and you say which meld it belongs to. Here "
            "the number of the meld says it in both cases.",
        ),
        Rule(
            "G-18",
            "A card between two runs",
            "With 3S 4S 5S and 7S 8S 9S on the table, 6S fits both. It goes to the meld that you "
            "name; the runs do not grow together, and each can still grow at its free end.",
        ),
        Rule(
            "G-19",
            "Every lay-off names its meld",
            "A card may fit a set as well as a run, so a lay-off always tells the number of one "
            "meld on the table. The choice is final: the card cannot be moved later.",
        ),
        Rule(
            "G-20",
            "What lies, lies",
            "Cards on the table are not taken back, rearranged or moved between melds, and a set "
            "of four is not split to free one of them. An action that was accepted stands.",
        ),
        Rule(
            "G-21",
            "Several cards laid off at once",
            "One lay-off may add several cards to one meld, at one end or at both: 4H and 8H "
            "together go on 5H 6H 7H. What counts is the meld that results, and either all the "
            "cards are added or none.",
        ),
        Rule(
            "G-22",
            "Laying off on cards laid off",
            "A card that was laid off is part of the meld for everybody. When someone has put 8C "
            "on 5C 6C 7C, the next card to fit above is 9C. Each card still scores for the team "
            "that played it.",
        ),
        Rule(
            "G-23",
            "You need no meld of your own",
            "You may lay off before you or your partner have melded anything.",
        ),
        Rule(
            "G-24",
            "No least worth, no greatest number",
            "A first meld needs no certain number of points, and there is no limit to the melds "
            "of a turn.",
        ),
        Rule(
            "G-25",
            "Laying off on a fresh meld",
            "You may add to a meld in the very turn in which you laid it.",
        ),
        Rule(
            "G-26",
            "Nobody has to meld",
            "You may keep melds in your hand, discard a card that would fit the table, and not go "
            "out though you could. The one card that must be played is a card you took from the "
            "pile.",
        ),
    ),
)
