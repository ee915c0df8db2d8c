"""A table of the game as it is printed: who holds what, what lies where, and who played it."""

from collections.abc import Iterator

from rich import box
from rich.table import Table
from rich.text import Text

from engine.cards import CODES, SEATS, TEAMS, Points, Seat, Team, codes, left_of, team_of
from engine.game import Game
from engine.scoring import Item, Ledger, table_points
from engine.state import State, TableMeld
from service.commands.card_text import KINDS, TEAM_STYLES, cards_text, player_text
from service.commands.screen import printable
from service.wording.cards import as_they_lie, ordered_codes


class Names:
    """What the players are called."""

    def __init__(self, game: Game) -> None:
        self._names = [printable(name or f"seat {at}") for at, name in enumerate(game.names)]
        self.width = max(len(name) for name in self._names)

    def text(self, seat: Seat, *, aligned: bool = False) -> Text:
        """A player; with `aligned` all take the same room."""
        return player_text(self._names[seat], seat, self.width if aligned else 0)


def dealt(state: State, names: Names) -> Iterator[Text]:
    """The hands in the order of play, and what else is not on the table."""
    seat = left_of(state.dealer)
    for _ in SEATS:
        yield _row(names.text(seat, aligned=True), cards_text(codes(state.hands[seat])))
        seat = left_of(seat)
    yield _row(_label("pile", names), cards_text(ordered_codes(state.pile)))
    yield _row(_label("stock", names), cards_text(ordered_codes(state.stock)))


def _label(word: str, names: Names) -> Text:
    return Text(f"{word:<{names.width}}", style="dim")


def _row(head: Text, rest: Text) -> Text:
    return Text("  ").append_text(head).append("  ").append_text(rest)


def melds(state: State, names: Names) -> Table:
    """The melds on the table, with who played what."""
    table = Table(box=box.SIMPLE_HEAD)
    for heading in ("meld", "", "cards", "played by"):
        table.add_column(heading)
    for meld in state.melds:
        table.add_row(
            str(meld.id),
            f"{meld.kind}{', counts double' if meld.doubled else ''}",
            cards_text(CODES[card] for card in as_they_lie(meld.cards, meld.low_ace)),
            Text("; ").join(_shares(meld, names)),
        )
    return table


def _shares(meld: TableMeld, names: Names) -> Iterator[Text]:
    for seat in SEATS:
        if mine := meld.credit[seat]:
            yield (
                names.text(seat)
                .append(" ")
                .append_text(cards_text(CODES[card] for card in as_they_lie(mine, meld.low_ace)))
            )


def to_act(state: State, names: Names) -> Text:
    """Whose turn it is, and what for."""
    told = Text(f"Deal {state.deal}, dealt by ").append_text(names.text(state.dealer))
    if state.phase == "over":
        return told.append("; it is over")
    verb = "draw" if state.phase == "draw" else "play"
    told.append("; ").append_text(names.text(state.turn)).append(f" is to {verb}")
    if state.must_use is not None:
        told.append(f" {CODES[state.must_use]}, which came from the pile")
    if state.passes:
        told.append(f" after {state.passes} passes in a row")
    return told


def points(told: Points) -> Text:
    """The points of both teams."""
    by_team = dict(zip(TEAMS, told, strict=True))
    return Text(", ").join(_team_points(team, by_team[team]) for team in TEAMS)


def _team_points(team: Team, number: int) -> Text:
    return Text(f"{team} {number}", style=TEAM_STYLES[team])


def standing(game: Game, state: State) -> Text:
    """What lies on the table, and what the teams have from the deals before."""
    told = Text("on the table ").append_text(points(table_points(state)))
    return told.append("; from deals that are over ").append_text(points(game.totals))


def account(ledger: Ledger, names: Names) -> Table:
    """The ledger of a deal, line by line."""
    table = Table(box=box.SIMPLE_HEAD)
    for heading in ("team", "player", "for", "meld", "cards"):
        table.add_column(heading)
    table.add_column("points", justify="right")
    for item in ledger.items:
        table.add_row(*_cells(item, names))
    return table


def _cells(item: Item, names: Names) -> tuple[Text | str, ...]:
    return (
        Text(team_of(item.seat), style=TEAM_STYLES[team_of(item.seat)]),
        names.text(item.seat),
        KINDS[item.kind],
        "" if item.meld is None else str(item.meld),
        cards_text(codes(item.cards)),
        str(item.points),
    )
