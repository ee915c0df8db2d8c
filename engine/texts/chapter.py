"""What a rule is, as a player reads it, and how rules stand together."""

from msgspec import Struct


class Rule(Struct, frozen=True):
    """A rule of the game (``R-…``), or a ruling where the game's rules leave a gap (``G-…``).

    The text tells the default of Persian Rummy; `options` are those of a ruleset that change it.
    """

    id: str
    title: str
    text: str
    options: tuple[str, ...] = ()


class Chapter(Struct, frozen=True):
    """Rules about one thing, in the order in which they are best read."""

    title: str
    rules: tuple[Rule, ...]
