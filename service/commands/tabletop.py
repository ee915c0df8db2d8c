"""The demo as it is printed: in colour on a terminal, plain in a pipe."""

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from service.commands.card_text import (
    ENDS,
    KINDS,
    TEAM_STYLES,
    card_text,
    cards_text,
    player_text,
)
from service.commands.players import NAMES, Entry, Ledger, Turn, View


class Tabletop:
    """Prints a game as it goes."""

    def __init__(self, console: Console) -> None:
        self._console = console

    def open(self, game: str, seed: int, url: str) -> None:
        """Tell what is about to be played, and where."""
        self._line(Text(f"Game {game} at {url}, seed {seed}", style="bold"))

    def turn(self, turn: Turn) -> None:
        """One line for a turn; the table too if the turn ended a deal."""
        line = Text(f"{turn.entries[0]['ply']:>4}  ").append(_player(turn.seat)).append("  ")
        line.append_text(Text("; ").join(_deed(entry) for entry in turn.entries))
        ended = turn.entries[-1]["deal_ended"]
        if ended is None:
            line.append(f"  ({_left(turn)})", style="dim")
        self._line(line)
        if ended is not None:
            self._melds(ended)

    def close(self, view: View, ledgers: list[Ledger]) -> None:
        """The ledger of each deal, and who won."""
        for ledger in ledgers:
            self._ledger(ledger)
        totals = view["result"]["totals"]
        winner = view["result"]["winner"]
        line = Text(
            "A draw" if winner is None else f"Team {winner} wins", style=TEAM_STYLES.get(winner, "")
        )
        self._line(line.append(f": A {totals['A']}, B {totals['B']}"))

    def _line(self, line: Text) -> None:
        self._console.print(line, soft_wrap=True)

    def _melds(self, ledger: Ledger) -> None:
        how = ENDS[ledger["ended"]]
        self._line(Text(f"The table at the end of deal {ledger['deal']}: {how}", style="bold"))
        table = Table(box=box.SIMPLE_HEAD)
        for heading in ("meld", "cards"):
            table.add_column(heading)
        melds: dict[int, list[str]] = {}
        for item in ledger["items"]:
            if item["kind"] == "melded":
                melds.setdefault(item["meld"], []).extend(item["cards"])
        for number, cards in sorted(melds.items()):
            table.add_row(str(number), cards_text(cards))
        self._console.print(table)

    def _ledger(self, ledger: Ledger) -> None:
        scores = ledger["scores"]
        self._line(Text(f"Deal {ledger['deal']}", style="bold"))
        table = Table(box=box.SIMPLE_HEAD, show_footer=True)
        table.add_column("player", footer=_score("A", scores))
        table.add_column("for", footer=_score("B", scores))
        table.add_column("meld", justify="right")
        table.add_column("cards")
        table.add_column("points", justify="right")
        table.add_column("rule")
        for item in ledger["items"]:
            table.add_row(
                _player(item["seat"]),
                KINDS[item["kind"]],
                "" if item["meld"] is None else str(item["meld"]),
                cards_text(item["cards"]),
                str(item["points"]),
                item["rule"],
            )
        self._console.print(table)


def _score(team: str, scores: dict[str, int] | None) -> Text:
    told = "" if scores is None else f" {scores[team]}"
    return Text(f"{team}{told}", style=TEAM_STYLES[team])


def _player(seat: int) -> Text:
    return player_text(NAMES[seat], seat, width=5)


def _deed(entry: Entry) -> Text:
    action = entry["action"]
    match action["type"]:
        case "draw_stock":
            return Text("draws ").append_text(card_text(entry["drawn"]))
        case "draw_discard":
            return Text("takes ").append_text(card_text(action["card"]))
        case "meld":
            return Text("melds ").append_text(cards_text(action["cards"]))
        case "lay_off":
            return (
                Text("lays ")
                .append_text(cards_text(action["cards"]))
                .append(f" on {action['meld']}")
            )
        case "discard":
            return Text("discards ").append_text(card_text(action["card"]))
        case _:
            return Text("passes")


def _left(turn: Turn) -> str:
    held = turn.view["seats"][turn.seat]["hand_size"]
    return f"holds {held}, stock {turn.view['stock_size']}, pile {len(turn.view['pile'])}"
