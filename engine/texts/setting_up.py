"""Partners, seats, the pack and the deal."""

from typing import Final

from engine.texts.chapter import Chapter, Rule

SETTING_UP: Final = Chapter(
    "Setting up",
    (
        Rule(
            "R-01",
            "Four players, two teams",
            "Four play, two against two. Partners face each other: seats 0 and 2 are team A, "
            "seats 1 and 3 are team B.",
        ),
        Rule(
            "R-02",
            "The pack",
            "The pack holds 56 cards: the usual 52 in four suits, and four jokers, X1 to X4. With "
            "the option jokers at 0 it holds the 52 alone.",
            ("jokers",),
        ),
        Rule(
            "R-05",
            "Drawing for partners",
            "Players without fixed partners draw one card each from a whole pack. The two with "
            "the lowest cards play together against the other two. In this draw alone an ace is "
            "the lowest rank and a joker the highest.",
        ),
        Rule(
            "R-06",
            "The first dealer",
            "Whoever drew the lowest card of all deals first. That player would also keep the "
            "score; here the referee does.",
        ),
        Rule(
            "R-07",
            "The deal",
            "The pack is shuffled and each player is dealt seven cards. The option hand_size "
            "takes any number from 3 to 12.",
            ("hand_size",),
        ),
        Rule(
            "R-08",
            "The stock",
            "What is left after the deal lies face down as the stock. With hands of seven and one "
            "card turned up that is 27 cards; hand_size and jokers change the number.",
            ("jokers", "hand_size"),
        ),
        Rule(
            "R-09",
            "The first card of the pile",
            "The next card after the hands is turned face up and begins the pile, which is where "
            "discards go.",
        ),
        Rule(
            "G-01",
            "Equal cards in the draw for partners",
            "There are no ties. Equal ranks are ordered by suit, clubs below diamonds below "
            "hearts below spades, and jokers by their numbers. So AC is the lowest card there is "
            "and X4 the highest.",
        ),
        Rule(
            "G-02",
            "When no draw is needed",
            "Partners may be fixed beforehand: a game opened with assigned teams seats its "
            "players as they are listed. Seat 0 then deals first unless the opening names another "
            "dealer.",
        ),
        Rule(
            "G-03",
            "Seats after the draw",
            "The lowest card gets seat 0 and the second lowest seat 2, opposite. The third lowest "
            "gets seat 1, to the left of seat 0, and the highest seat 3.",
        ),
        Rule(
            "G-04",
            "Play goes to the left",
            "Turns pass clockwise: after seat 0 comes seat 1, then 2, then 3, then 0 again. "
            "Nobody acts out of turn, not even for a partner.",
        ),
        Rule(
            "G-05",
            "How the cards are dealt",
            "The referee shuffles and nobody cuts. Cards go out one at a time, beginning at the "
            "dealer's left; then one card is turned up, and the others are the stock in the order "
            "in which they lie. So a pack written down deals the same hands again.",
        ),
        Rule(
            "G-06",
            "A joker or an ace turned up",
            "The card that begins the pile may be any card, and a joker or an ace there changes "
            "nothing. It can be taken like every other card of the pile: by who can play it at "
            "once.",
        ),
        Rule(
            "G-07",
            "The next dealer",
            "After each deal the player at the dealer's left deals next, and the one at the new "
            "dealer's left begins. With dealer_rotation set to winner, the player who went out "
            "deals next, or after a blocked deal the one at the left; set to fixed, the dealer "
            "stays.",
            ("dealer_rotation",),
        ),
        Rule(
            "G-08",
            "What everybody may know",
            "Open to all are the pile in its order, the melds and who played each card, how many "
            "cards the stock and every hand hold, and whose turn it is. A hand is its player's "
            "alone: not even the partner sees it until the deal is scored, and the organiser only "
            "where the opening says so. The order of the stock is nobody's to know.",
        ),
    ),
)
