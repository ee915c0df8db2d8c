"""What the cards are worth, and who wins."""

from typing import Final

from engine.texts.chapter import Chapter, Rule

SCORING: Final = Chapter(
    "Scoring",
    (
        Rule(
            "R-27",
            "Cards on the table count for you",
            "At the end of a deal each team gets the points of all the cards that its two players "
            "put on the table.",
        ),
        Rule(
            "R-28",
            "Cards in hand count against you",
            "The points of the cards that both partners still hold are taken off. Where "
            "blocked_hand_penalty is false, hands are not counted in a deal that was blocked.",
            ("blocked_hand_penalty",),
        ),
        Rule(
            "R-29",
            "Points for going out",
            "The team whose player went out gets 25 points more. The option go_out_bonus sets "
            "another number.",
            ("go_out_bonus",),
        ),
        Rule(
            "R-30",
            "What a card is worth",
            "A joker is worth 20, an ace 15, a king, queen or jack 10, and the cards from 2 to 9 "
            "what they show; for the ten see G-11. Where an ace may stand below a two, "
            "ace_low_value says what it is worth there.",
            ("ace_low_value",),
        ),
        Rule(
            "R-31",
            "Four at once count double",
            "Four cards of one rank laid in a single meld are worth twice their points. JS JD JH "
            "JC in one go is 80; three jacks with the fourth added later are 40. The option "
            "quad_bonus says when, or whether, sets are doubled.",
            ("quad_bonus",),
        ),
        Rule(
            "R-32",
            "The end of the game",
            "A game is two deals, and the team with more points in all has won. After that nobody "
            "can act any more. With game_end a table plays another number of deals, or until a "
            "team has reached a number of points.",
            ("game_end",),
        ),
        Rule(
            "G-11",
            "The ten",
            "A ten is worth 10 points, on the table and in the hand. TS TH TD is 30.",
        ),
        Rule(
            "G-50",
            "What at once means",
            "All four cards have to be in one meld action. Three jacks and then the fourth laid "
            "off in the same turn are 40; with quad_bonus set to same_turn they are 80 if the "
            "same player did both. With none, no set is doubled.",
            ("quad_bonus",),
        ),
        Rule(
            "G-51",
            "Any rank can be doubled",
            "Doubling is not for jacks only: four twos at once are 16, four aces 120, four jokers "
            "160. A run is never doubled, however long it is.",
        ),
        Rule(
            "G-52",
            "A card scores for who played it",
            "A card that was laid off counts for the team of the player who laid it, not for the "
            "team whose meld it joined. When you put 8S on an opponent's 5S 6S 7S, you get 8 and "
            "they keep 18.",
        ),
        Rule(
            "G-53",
            "A fourth card from the other team",
            "If you lay three jacks and an opponent adds the fourth, you have 30 and they have 10.",
        ),
        Rule(
            "G-54",
            "Four with the card taken",
            "When you hold JS JD JH, take JC from the pile and lay all four together, they count "
            "double. You may also lay only three that include JC.",
        ),
        Rule(
            "G-55",
            "Four from the pile",
            "A set of four counts double no matter where its cards came from, even if all of them "
            "were taken from the pile in that turn.",
        ),
        Rule(
            "G-56",
            "Melds kept in hand",
            "Cards in hand count against you at their plain worth, whether they would make a meld "
            "or not, and they are never doubled. Four aces held at the end cost 60.",
        ),
        Rule(
            "G-57",
            "Once, and only for going out",
            "The points for going out are given once in a deal. A blocked deal has nobody who "
            "went out, so nobody gets them. Set go_out_bonus to anything from 0 to 1000.",
            ("go_out_bonus",),
        ),
        Rule(
            "G-58",
            "Scores below zero",
            "A team can lose points in a deal and be below zero in all.",
        ),
        Rule(
            "G-59",
            "Equal totals",
            "A game that ends with equal totals is drawn. With tie_break set to extra_deal, "
            "further deals are played until one team is ahead after a deal; after fifty deals an "
            "equal game is drawn all the same.",
            ("tie_break",),
        ),
        Rule(
            "G-60",
            "Deal and game",
            "A deal lasts from one shuffle to the moment someone goes out or play is blocked; a "
            "game is made of deals. The option game_end takes a number of deals or a target of "
            "points, and no game has more than fifty deals.",
            ("game_end",),
        ),
        Rule(
            "G-61",
            "Totals change between deals",
            "Points are added to the totals only when a deal is over. No game is won in the "
            "middle of a deal, however many points lie on the table.",
        ),
    ),
)
