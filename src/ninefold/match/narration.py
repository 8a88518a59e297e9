"""What happened in a match, in words, line by line."""

from __future__ import annotations

from collections.abc import Iterator

from ninefold.core.game import Game
from ninefold.core.messages import text
from ninefold.core.position import Position
from ninefold.core.rendering import picture
from ninefold.match.actions import ANSWERS, Event
from ninefold.match.claims import checklist
from ninefold.match.match import Match
from ninefold.match.state import Setup, State, steps
from ninefold.match.summary import last_changed

_WITHOUT_DETAILS = ("confirm", "withdraw", "accept", "decline", "resign", "leave")


def narrate(match: Match) -> Iterator[str]:
    """A match from its first board to its last, as it was finally played."""
    setup = match.setup
    yield text("match.title", game=setup.game.title, one=setup.label(1), two=setup.label(2))
    yield f"\n{picture(setup.game, setup.start)}\n"
    for before, event, after in steps(setup, match.played):
        if line := describe_event(setup, after, event):
            yield line
        if after.position != before.position:
            yield f"\n{picture(setup.game, after.position, last=last_changed(setup.game, after))}\n"
    if match.to_act is None:
        yield describe_result(setup, match.state)
    else:
        yield text("match.to_act", player=setup.label(match.to_act))


def describe_event(setup: Setup, after: State, event: Event) -> str:
    """One event, and what it led to; "" for an ending that the result describes."""
    action, game = event.action, setup.game
    who = setup.label(event.seat) if event.seat else text("event.referee")
    cells = None if action.cells is None else game.naming.format(action.cells)
    if isinstance(action.move, int):
        code = "event.move" if cells is None else "event.move_with_claim"
        return text(code, who=who, move=game.name(action.move), cells=cells)
    match action.kind:
        case "claim":
            return text("event.claim", who=who, cells=cells)
        case "dispute":
            return text("event.dispute", who=who, text=action.text)
        case "say":
            return text("event.say", who=who, text=action.text)
        case "settle":
            return _describe_settlement(game, after)
        case "offer":
            return text("event.offer.draw" if action.text == "draw" else "event.offer.take_back", who=who)
        case "take_back":
            player = setup.label(setup.seat(after.position.turn))  # who moves again
            return text("event.take_back", player=player, count=action.number)
    return text(f"event.{action.kind}", who=who) if action.kind in _WITHOUT_DETAILS else ""


def _describe_settlement(game: Game, after: State) -> str:
    if after.verdict is None:
        return ""
    why = after.verdict.sentence(game.naming)
    sentence = text("event.settle.true" if after.verdict.true else "event.settle.false", why=why)
    return f"{sentence}\n{describe_checklist(game, after.position)}"


def describe_last_claim(match: Match) -> list[str]:
    """The last claim with its answer and the verdict; nothing where there is none."""
    lines: list[str] = []
    for _, event, after in steps(match.setup, match.played):
        if event.action.cells is not None:
            lines = []
        if event.action.cells is not None or event.action.kind in (*ANSWERS, "settle"):
            lines.append(describe_event(match.setup, after, event))
    return lines


def describe_result(setup: Setup, state: State) -> str:
    """Tell how a match ended. A full board that was settled without a claim is shown with all its lines."""
    if state.result is None:
        return ""
    sentence = state.result.sentence(setup.game)
    unclaimed = state.result.by == "rules" and state.claimed_at < len(state.moves)
    if not setup.has_claims or not unclaimed:
        return sentence
    return f"{text('event.full_board')}\n{describe_checklist(setup.game, state.position)}\n{sentence}"


def describe_checklist(game: Game, position: Position) -> str:
    """The eight lines, each with its cells, its marks and what they amount to."""
    rows = []
    for check in checklist(position.cells):
        marks = " ".join("_" if mark is None else mark.name for mark in check.marks)
        rows.append(f"  {check.label:<13} {game.naming.format(check.cells)}  {marks}  {check.message}")
    return "\n".join(rows)
