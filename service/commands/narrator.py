"""A game told as it goes, a line for each ply, and a table where a deal begins or ends."""

from rich.text import Text

from engine.actions import Action, Discard, DrawDiscard, DrawStock, LayOff, Meld, Pass
from engine.cards import CODES, SEATS, codes, team_of
from engine.game import Forfeit, Game, SeatTaken
from engine.play import apply
from engine.scoring import Ledger
from engine.state import State
from service.commands import table_text
from service.commands.card_text import ENDS, TEAM_STYLES, card_text, cards_text
from service.commands.replay import Played
from service.commands.rules import rules_text
from service.commands.screen import Screen
from service.commands.table_text import Names
from service.wording.cards import ordered_codes


class Narrator:
    """Prints a game."""

    def __init__(self, screen: Screen) -> None:
        self._screen = screen

    def begin(self, game: Game) -> None:
        """The rules, the players, and the first deal if it is dealt."""
        opening, names = game.opening, Names(game)
        self._screen.line(f"Rules: {rules_text(opening.preset, opening.options)}", "bold")
        for seat in SEATS:
            line = Text(f"Seat {seat}, team {team_of(seat)}: ").append_text(names.text(seat))
            self._screen.line(line)
        if game.state:
            self._deal(game, game.state)

    def play(self, played: Played) -> None:
        """One ply, and what it led to."""
        before, after = played.before, played.after
        names, seat = Names(after), played.entry.seat
        line = Text(f"{after.ply:>5}  ").append_text(names.text(seat, aligned=True)).append("  ")
        line.append_text(deed(played))
        if not isinstance(played.entry.step, SeatTaken | Forfeit):
            line.append_text(_left(played))
        self._screen.line(line)
        if len(after.ledgers) > len(before.ledgers):
            self._end(after, state_after(played))
        if after.state and after.result is None and _is_new_deal(before, after):
            self._deal(after, after.state)
        if after.result:
            self._result(after)

    def table(self, game: Game, state: State) -> None:
        """All that lies on the table, and in the hands."""
        names = Names(game)
        self._screen.line(table_text.to_act(state, names))
        for line in table_text.dealt(state, names):
            self._screen.line(line)
        if state.melds:
            self._screen.console.print(table_text.melds(state, names))
        self._screen.line(table_text.standing(game, state))

    def _deal(self, game: Game, state: State) -> None:
        names = Names(game)
        self._screen.line("")
        dealer = names.text(state.dealer)
        self._screen.line(Text(f"Deal {state.deal}, dealt by ", "bold").append_text(dealer))
        for line in table_text.dealt(state, names):
            self._screen.line(line)

    def _end(self, game: Game, state: State) -> None:
        names, ledger = Names(game), game.ledgers[-1]
        self._screen.line("")
        self._screen.line(_how(ledger, names))
        if state.melds:
            self._screen.console.print(table_text.melds(state, names))
        if ledger.scores is not None:
            self._screen.console.print(table_text.account(ledger, names))
            line = Text("Scores: ").append_text(table_text.points(ledger.scores))
            self._screen.line(line.append("; totals: ").append_text(table_text.points(game.totals)))

    def _result(self, game: Game) -> None:
        result = game.result
        assert result is not None
        told = f"Team {result.winner} wins" if result.winner else "A draw"
        line = Text("\n").append(told, TEAM_STYLES.get(result.winner or "", "bold"))
        line.append(" by forfeit" if result.reason == "forfeit" else "").append(": ")
        self._screen.line(line.append_text(table_text.points(result.totals)))


def state_after(played: Played) -> State:
    """The deal right after a step: the game itself goes on to the next deal at once."""
    state = played.before.state
    assert state is not None
    step = played.entry.step
    return state if isinstance(step, SeatTaken | Forfeit) else apply(state, played.entry.seat, step)


def deed(played: Played) -> Text:
    """What was done, in words."""
    match played.entry.step:
        case SeatTaken():
            return Text("sits down")
        case Forfeit(team):
            return Text(f"gives up for team {team}")
        case action:
            assert played.before.state is not None
            return _action(action, played.before.state, state_after(played))


def _action(action: Action, before: State, after: State) -> Text:
    match action:
        case DrawStock():
            return Text("draws ").append_text(card_text(CODES[before.stock[0]]))
        case DrawDiscard(card):
            more = before.pile[before.pile.index(card) + 1 :]
            told = Text("takes ").append_text(card_text(CODES[card]))
            return told.append(" with ").append_text(_cards(more)) if more else told
        case Meld(cards):
            laid = after.melds[-1]
            told = Text("melds ").append_text(_cards(bytes(cards))).append(f" as meld {laid.id}")
            return told.append(", which counts double") if laid.doubled else told
        case LayOff(cards, number):
            lying = next(meld for meld in before.melds if meld.id == number)
            told = Text("lays ").append_text(_cards(bytes(cards))).append(f" on meld {number}, ")
            return told.append_text(cards_text(codes(lying.cards)))
        case Discard(card):
            return Text("discards ").append_text(card_text(CODES[card]))
        case Pass():
            return Text("passes")


def _cards(listed: bytes) -> Text:
    return cards_text(ordered_codes(listed))


def _left(played: Played) -> Text:
    """What the player holds now, and what the next one may choose from."""
    state = state_after(played)
    held = " ".join(codes(state.hands[played.entry.seat])) or "no card"
    is_last = isinstance(played.entry.step, Discard | Pass)
    rest = f"; stock {len(state.stock)}, pile {len(state.pile)}" if is_last else ""
    return Text(f"  (holds {held}{rest})", style="dim")


def _is_new_deal(before: Game, after: Game) -> bool:
    return before.state is None or len(after.ledgers) > len(before.ledgers)


def _how(ledger: Ledger, names: Names) -> Text:
    line = Text(f"The end of deal {ledger.deal}: ", style="bold")
    if ledger.out_seat is not None:
        line.append_text(names.text(ledger.out_seat)).append(" ")
    return line.append(ENDS[ledger.ended])
