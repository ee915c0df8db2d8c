"""Openings: from what a client sends to how the engine opens a game."""

import secrets
from collections.abc import Iterator

from msgspec import UNSET

from engine import game as play
from engine.cards import Seat, card
from engine.ruleset import Ruleset
from engine.shuffle import SECRET_SIZE, is_pack
from service.http.problems import Fault, Problem
from service.wire.opening import Opening
from service.wording.choices import Choice, choice_of, contradiction, faults_of


def to_engine(sent: Opening) -> play.Opening:
    """The opening that was asked for, with a fresh secret where no chance was given.

    Raises `unsupported` for what this service has not, `malformed` for an option of a wrong type,
    and `contradiction` with all that cannot be together.
    """
    _refuse_unsupported(sent)
    choice = choice_of(sent.ruleset)
    _refuse_contradictions(sent, choice)
    a, b, c, d = (player.name or None for player in sent.players)
    packs = tuple(bytes(card(code) for code in pack) for pack in sent.packs or ()) or None
    given = bytes.fromhex(sent.secret) if sent.secret else None
    return play.Opening(
        preset=choice.preset,
        options=choice.options,
        team_formation=sent.team_formation or "assigned",
        dealer=Seat(sent.dealer or 0),
        visibility=sent.visibility or "public",
        players=(a, b, c, d),
        secret=None if packs else given or secrets.token_bytes(SECRET_SIZE),
        packs=packs,
        given=bool(packs or given),
        organiser_sees_all=sent.organiser_sees_all or False,
        require_if_match=sent.require_if_match or False,
    )


def _refuse_unsupported(sent: Opening) -> None:
    if sent.clock is not UNSET:
        raise Problem("unsupported", "This service has no clocks: leave the member clock out.")
    if any(player.kind == "house" for player in sent.players):
        raise Problem("unsupported", "This service has no house players: name a client instead.")


def _refuse_contradictions(sent: Opening, choice: Choice) -> None:
    faults = faults_of(choice)
    # Which packs there should be hangs on the options, so it is judged once they are right.
    at_odds = [] if faults else list(_packs_at_odds(sent, choice.ruleset))
    faults += [*_members_at_odds(sent), *at_odds]
    if faults:
        raise contradiction(faults)


def _members_at_odds(sent: Opening) -> Iterator[Fault]:
    is_draw = sent.team_formation == "draw"
    if is_draw and sent.dealer is not UNSET:
        yield Fault("/dealer", "Who draws the lowest card deals first: leave the dealer out.")
    if sent.packs is UNSET:
        return
    if sent.secret is not UNSET:
        yield Fault("/packs", "Packs and a secret exclude each other.")
    if is_draw:
        yield Fault("/packs", "With given packs the teams are assigned.")


def _packs_at_odds(sent: Opening, ruleset: Ruleset) -> Iterator[Fault]:
    if sent.packs is UNSET:
        return
    if ruleset.game_end.deals is None or ruleset.tie_break != "draw":
        yield Fault("/packs", "Given packs need a fixed number of deals, with tie_break draw.")
    elif len(sent.packs) != ruleset.game_end.deals:
        yield Fault("/packs", f"There are {ruleset.game_end.deals} deals, so give as many packs.")
    for index, pack in enumerate(sent.packs):
        if not is_pack(bytes(card(code) for code in pack), ruleset.jokers):
            detail = f"A pack holds each of its {ruleset.pack_size} cards once."
            yield Fault(f"/packs/{index}", detail)
