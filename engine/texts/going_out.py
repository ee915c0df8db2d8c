"""How a deal is won, and what an empty hand means."""

from typing import Final

from engine.texts.chapter import Chapter, Rule

GOING_OUT: Final = Chapter(
    "Going out",
    (
        Rule(
            "R-24",
            "The last card goes to the table",
            "A deal ends when a player has put every card of the hand on the table. The last one "
            "has to be melded or laid off; with go_out_by_discard set to true it may also be "
            "discarded.",
            ("go_out_by_discard",),
        ),
        Rule(
            "R-25",
            "Discarding the last card",
            "A player who discards the last card of the hand has not gone out, and the deal goes "
            "on. With go_out_by_discard set to true the deal is over.",
            ("go_out_by_discard",),
        ),
        Rule(
            "G-42",
            "Going out needs no discard",
            "The deal stops the moment your last card reaches the table. Nothing is discarded "
            "then.",
        ),
        Rule(
            "G-43",
            "Playing on without cards",
            "A player who has discarded the last card holds an empty hand and stays in the deal. "
            "Where go_out_by_discard is true this cannot happen, because that discard ends the "
            "deal.",
            ("go_out_by_discard",),
        ),
        Rule(
            "G-44",
            "One card left",
            "With a single card left after melding you have two choices. Lay it off, if it fits, "
            "and you are out; or discard it and go on with an empty hand, unless "
            "go_out_by_discard is true and that ends the deal as well. It cannot be kept.",
            ("go_out_by_discard",),
        ),
        Rule(
            "G-45",
            "The turn of an empty hand",
            "A player without cards is not skipped. Draw from the stock: lay that card off and "
            "you are out, or discard it and wait for the next turn. Take from the pile if those "
            "cards alone can play the one you choose, and pass if the stock is gone.",
        ),
        Rule(
            "G-46",
            "Out with the card taken",
            "If playing the card that you took from the pile empties your hand, you are out on "
            "the spot, and your team has the points for it.",
        ),
        Rule(
            "G-47",
            "Out in one turn",
            "You may go out in your first turn, with all your cards at once. It earns nothing "
            "more than going out at any other time.",
        ),
        Rule(
            "G-48",
            "Nothing after that",
            "Once someone is out, nobody plays another card. Melds that the partner or the "
            "opponents still hold count against them.",
        ),
    ),
)
