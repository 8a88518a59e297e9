"""What the screen of a match says: the question that is asked now, and the keys that answer it."""

from __future__ import annotations

from typing import NamedTuple

from ninefold.core.grid import CELLS, NUMPAD
from ninefold.core.position import Path
from ninefold.match import move_input
from ninefold.match.match import Match
from ninefold.terminal.tui.bars import Key
from ninefold.terminal.tui.board import CLAIMED
from ninefold.terminal.tui.history_view import Seen
from ninefold.terminal.tui.tables import RECONNECTING, Table


class Situation(NamedTuple):
    """Everything that decides what is asked and what can be done."""

    table: Table
    seen: Seen
    way: Path = ()  # chosen so far
    digits: str = ""  # typed so far
    picked: frozenset[int] | None = None  # cells of a claim that is being made
    placed: int | None = None  # the cell of the move that goes with it
    analyzing: bool = False
    numpad: bool = False
    cursor: int | None = None

    @property
    def match(self) -> Match:
        return self.seen.match

    @property
    def is_offered(self) -> bool:
        """Whether an offer waits for an answer from here."""
        offer = self.match.state.offer
        return offer is not None and not self.match.state.pending and 3 - offer[0] in self.table.seats

    @property
    def answers_claim(self) -> bool:
        return self.match.state.pending is not None and self.table.to_act is not None

    @property
    def withdraws(self) -> bool:
        claim = self.match.state.pending
        return claim is not None and self.match.setup.seat(claim.side) in self.table.seats

    @property
    def may_claim(self) -> bool:
        match = self.match
        return match.setup.has_claims and not match.state.pending and not match.result and bool(self.table.seats)

    @property
    def is_live(self) -> bool:
        """Whether a move can be chosen now."""
        match = self.match
        mine = self.table.to_act is not None and self.table.to_act == match.to_act
        return self.seen.is_latest and mine and not (match.result or match.state.pending or self.table.is_sending)


def prompt(now: Situation) -> str:
    match, table = now.match, now.table
    if now.picked is not None and not table.is_sending:
        return _claim_prompt(now, now.picked)
    if not now.seen.is_latest:
        return "You are looking back. The end key returns to the game."
    if match.result:
        return match.result.sentence(match.game)
    if table.is_sending:
        lost = "It is sent when the connection is back ..."
        return lost if table.connection.endswith(RECONNECTING) else "Sending ..."
    if now.is_offered and match.state.offer:
        return f"{match.setup.label(match.state.offer[0])} offers {_offered(match)}. Do you accept?"
    if table.to_act is None:
        return table.waits_for
    if match.state.pending:
        named = match.game.naming.format(match.state.pending.cells)
        return f"{match.setup.label(table.to_act)}, is {named} a line of {match.state.pending.side}?"
    return question(match, table.to_act, now.way) + (f" {now.digits}_" if now.digits else "")


def _offered(match: Match) -> str:
    seat, what = match.state.offer or (1, "")
    if what == "draw":
        return "a draw"
    many = match.state.plies_back(match.setup.side(seat))
    return "to take back a move" if many == 1 else f"to take back {many} moves"


def question(match: Match, seat: int, way: Path) -> str:
    """The game's own question for the next choice."""
    game = match.game
    start = way or move_input.begun(game, match.position)
    step = game.steps[min(len(start), len(game.steps) - 1)].question
    choices, _ = game.choices(match.position, start)
    text = step.format(
        player=match.setup.label(seat), choices=game.naming.format(choices), chosen=game.naming.format(start)
    )
    return text.rstrip(": ")


def _claim_prompt(now: Situation, picked: frozenset[int]) -> str:
    naming = now.match.game.naming
    named = naming.format(sorted(picked)) or "no cell yet"
    with_move = "" if now.placed is None else f"place {naming.name(now.placed)}, and claim "
    asked = "Pick the three cells of your line" if len(picked) < CLAIMED else "Claim this line"
    return f"{asked}: {with_move}{named}"


def one_after_the_other(sentences: list[str]) -> str:
    """In one text; what players said themselves may lack its full stop."""
    *before, last = sentences
    return " ".join([*(one if one.endswith((".", "!", "?")) else f"{one}." for one in before), last])


LEAVE = Key("e", "leave", "screen.leave")
RULES = Key("?", "rules", "screen.rules")
LOOK_BACK = Key(", .", "look back", "screen.step(-1)")


def keys(now: Situation) -> list[Key]:
    """The most important ones first; the rest is on the page with the rules."""
    if now.picked is not None:
        return _claiming_keys(now)
    if not now.seen.is_latest:
        steps = [Key(",", "back", "screen.step(-1)"), Key(".", "on", "screen.step(1)")]
        return [*steps, Key("home", "first", "screen.first"), Key("end", "latest", "screen.latest"), LEAVE]
    analysis = [Key("a", "close analysis" if now.analyzing else "analysis", "screen.analysis")]
    if now.match.result:
        again = [Key("g", "once more", "screen.again")] if now.table.seats else []
        return [*again, LOOK_BACK, *analysis, RULES, LEAVE]
    more = _online_deeds(now) if now.table.is_online else analysis
    return [*_answers(now), *_choices(now), *_deeds(now), RULES, LEAVE, *more, LOOK_BACK, *_labels(now)]


def _labels(now: Situation) -> list[Key]:
    """Where cells can be called otherwise."""
    if now.table.match.game.naming == NUMPAD:
        return []
    return [Key("l", "digits" if now.numpad else "numpad", "screen.labels")]


def _answers(now: Situation) -> list[Key]:
    found = []
    if now.is_offered:
        found = [Key("y", "accept", "screen.answer(True)"), Key("n", "decline", "screen.answer(False)")]
    elif now.answers_claim:
        found = [Key("y", "confirm", "screen.answer(True)"), Key("n", "dispute", "screen.answer(False)")]
    return [*found, *([Key("w", "withdraw", "screen.withdraw")] if now.withdraws else [])]


def _choices(now: Situation) -> list[Key]:
    if not now.is_live:
        return []
    if now.way and now.match.game.choices(now.seen.position, now.way)[1] is not None:
        placed = move_input.square_at(now.match.game, now.way) == now.cursor
        take = Key("enter", "take none" if placed else "take this one")
        return [Key("arrows", "choose"), take, Key("esc", "back", "screen.back")]
    if now.way:
        return [Key(_digits(now), "cell"), Key("esc", "another board", "screen.back")]
    return [Key(f"{_digits(now)}, arrows enter", "play")]


def _digits(now: Situation) -> str:
    """The digits that name a cell, from the first to the last."""
    digits = sorted(move_input.digits_of(now.match.game.naming, cell) for cell in CELLS)
    return f"{digits[0]}-{digits[-1]}"


def _deeds(now: Situation) -> list[Key]:
    """Of who has a seat here."""
    if not now.table.seats:
        return []
    claim = [Key("c", "claim", "screen.claim")] if now.may_claim else []
    hint = [] if now.table.no_hint else [Key("h", "hint", "screen.hint")]
    return [*claim, Key("u", "take back" if now.table.is_online else "undo", "screen.undo"), *hint]


def _online_deeds(now: Situation) -> list[Key]:
    talk = Key("s", "say", "screen.say")
    return [talk, Key("d", "draw", "screen.offer_draw"), Key("r", "resign", "screen.resign")] if now.table.seats else []


def _claiming_keys(now: Situation) -> list[Key]:
    """First the cells, then what makes the claim; the way out at any time."""
    seats = now.table.seats
    out = Key("esc", "not now", "screen.back")
    place = [Key("m", "move here", "screen.place")] if now.table.to_act in seats else []
    if len(now.picked or ()) < CLAIMED:
        return [Key("1-8", "pick a line"), Key("arrows enter", "pick a cell"), out, *place]
    if len(seats) > 1:
        claims = [Key(side.lower(), f"{side} claims it", f"screen.claim_for('{side}')") for side in "XO"]
    else:
        claims = [Key("enter", "claim it", "screen.claim")]
    return [*claims, Key("1-8", "a line"), out, *place, Key("space", "a cell")]
