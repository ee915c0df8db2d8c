"""Taking cards from the pile, and what follows from it."""

from typing import Final

from engine.texts.chapter import Chapter, Rule

PILE: Final = Chapter(
    "Taking from the pile",
    (
        Rule(
            "R-16",
            "Stock or pile",
            "You draw one card from the stock, or you take a card from the pile. Any card of the "
            "pile may be chosen, not only the one on top.",
        ),
        Rule(
            "R-17",
            "All that lies above comes along",
            "Whoever takes a card from inside the pile takes every card above it too. From the "
            "pile 5C 9D JD, with JD on top, taking 9D brings 9D and JD.",
        ),
        Rule(
            "R-18",
            "The card taken is played at once",
            "The card that you chose, on top or deeper, has to go to the table straight away, in "
            "a new meld or laid off on an old one. With pickup_use set to new_meld_only it must "
            "be a new meld; with top_discard set to free the top card, taken alone, may be kept.",
            ("pickup_use", "top_discard"),
        ),
        Rule(
            "G-29",
            "The top card, too",
            "Even the top card alone may be taken only to be played at once. With top_discard set "
            "to free you may keep it as long as there is stock, but not throw it back in the same "
            "turn, unless it is your only card.",
            ("top_discard",),
        ),
        Rule(
            "G-30",
            "Laying off counts as playing",
            "The card taken may be laid off instead of melded: with 5S 6S 7S on the table, 8S can "
            "be taken. With pickup_use set to new_meld_only it cannot, unless it makes a new "
            "meld. For going out, laying off always counts.",
            ("pickup_use",),
        ),
        Rule(
            "G-31",
            "At once means next",
            "The first action after a take must play the card that you chose. Other melds wait "
            "until that is done, and so does the discard.",
        ),
        Rule(
            "G-32",
            "Playing it first costs nothing",
            "If the card can be played at all in this turn, one action can do it right away. With "
            "5H 6H 7H on the table, 8H in hand and 9H taken, lay off 8H and 9H together.",
        ),
        Rule(
            "G-33",
            "Which card must be played",
            "It is the deepest of the cards taken, the one that you named. You cannot reach below "
            "it for another.",
        ),
        Rule(
            "G-34",
            "Help from the pile itself",
            "The cards taken along may help to play the one you chose, even all by themselves. "
            "From the pile 6C 7C 8C 2D you may take 6C and meld 6C 7C 8C with no card of your "
            "own.",
        ),
        Rule(
            "G-35",
            "The other cards taken",
            "Cards that came along are yours like any others: meld them, lay them off, keep them, "
            "or discard one of them in the same turn.",
        ),
        Rule(
            "G-36",
            "Whoever discarded it",
            "It does not matter who put a card on the pile. You may take your own last discard, "
            "or the one that your partner has just made, if you can play it at once.",
        ),
        Rule(
            "G-37",
            "A take that cannot be used",
            "Whether the card could be played is looked at before any card moves. If it could "
            "not, nothing changes and you draw in another way. Only you are told, because the "
            "refusal says something about your hand.",
        ),
        Rule(
            "G-38",
            "Taking the whole pile",
            "You may take the pile down to its first card. It is then empty until your discard "
            "begins it again, so that each turn begins with at least one card in the pile.",
        ),
    ),
)
