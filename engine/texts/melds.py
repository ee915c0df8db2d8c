"""What a set is, and what a run is."""

from typing import Final

from engine.texts.chapter import Chapter, Rule

MELDS: Final = Chapter(
    "Sets and runs",
    (
        Rule(
            "R-03",
            "Jokers stand for nothing else",
            "A joker is a card of its own and replaces no other card. Jokers can only be melded "
            "with each other, as a set of three or four, and never stand in a run: X1 X2 X3 is a "
            "meld, KS KD X1 and QS KS X1 are none.",
        ),
        Rule(
            "R-04",
            "The order of the ranks",
            "From low to high the ranks are 2 3 4 5 6 7 8 9 T J Q K A, where T is the ten. The "
            "ace is the top card; tables that set ace_in_runs to high_or_low also let it stand "
            "below the two.",
            ("ace_in_runs",),
        ),
        Rule(
            "R-10",
            "Two kinds of meld",
            "Cards come to the table as melds, and a meld is either a set or a run. No group of "
            "cards is both, so nobody needs to say which of the two is meant.",
        ),
        Rule(
            "R-11",
            "A set",
            "A set is three or four cards of one rank. 4S 4D 4H is a set and so is 4S 4D 4H 4C; "
            "two fours alone are not.",
        ),
        Rule(
            "R-12",
            "A run",
            "A run is at least three neighbouring cards of one suit, without a gap. JS QS KS AS "
            "is a run; 3S 4S 6S has a gap and QS KS AH has two suits, so neither is one.",
        ),
        Rule(
            "R-13",
            "The ace in a run",
            "In a run the ace comes after the king and nowhere else. QS KS AS is a run; AS 2S 3S "
            "is one only where ace_in_runs is set to high_or_low.",
            ("ace_in_runs",),
        ),
        Rule(
            "G-12",
            "No run goes round the corner",
            "A run ends at the ace: KS AS 2S is never a run, and a two cannot be laid off on an "
            "ace above a king. With ace_in_runs set to high_or_low an ace may also begin a run, "
            "as in AS 2S 3S; an ace that would fit at both ends counts as high.",
            ("ace_in_runs",),
        ),
        Rule(
            "G-13",
            "The longest run",
            "A run can grow to all thirteen cards of its suit, from the two to the ace. It can be "
            "laid in one go or card by card.",
        ),
        Rule(
            "G-14",
            "The largest set",
            "A set has three cards or four. The pack has no fifth card of a rank, and four jokers "
            "are all there are.",
        ),
        Rule(
            "G-15",
            "One set of each rank",
            "Two sets of the same rank would need six cards, so no deal ever sees them. When "
            "three kings lie as a set, only the fourth king can be added; it may go into a run "
            "instead.",
        ),
        Rule(
            "G-16",
            "A set of jokers",
            "Three jokers make a set, and the fourth may join it later. X1 X2 X3 is worth 60, "
            "four are worth 80, and all four laid at once 160.",
        ),
        Rule(
            "G-17",
            "Several runs of one suit",
            "A suit may have more than one run on the table, even side by side, such as 3S 4S 5S "
            "and 6S 7S 8S. They stay two melds and are never joined.",
        ),
    ),
)
