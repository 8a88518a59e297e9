"""What happened in a match, told line by line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ninefold.core.game import Game
from ninefold.core.position import Position
from ninefold.core.rendering import picture
from ninefold.match.actions import ANSWERS, Event
from ninefold.match.claims import LineCheck, checklist
from ninefold.match.match import Match
from ninefold.match.state import Setup, State, apply

_SIMPLE = {
    "confirm": "confirms.",
    "withdraw": "withdraws the claim.",
    "accept": "accepts.",
    "decline": "declines.",
    "resign": "resigns.",
    "leave": "leaves.",
}


def followed(setup: Setup, events: Iterable[Event], state: State | None = None) -> Iterator[tuple[Event, State]]:
    """Every event, and the state after it; ``state`` is the one before them, None for the beginning."""
    state = state or State(setup.start)
    for event in events:
        state = apply(setup, state, event)
        yield event, state


def tell_event(setup: Setup, after: State, event: Event) -> str:
    """One event, and what it led to, in words."""
    action, game = event.action, setup.game
    who = setup.label(event.seat) if event.seat else "The referee"
    if isinstance(action.move, int):
        claim = "" if action.cells is None else f", and claims victory with {game.naming.say(action.cells)}"
        return f"{who}: {game.name(action.move)}{claim}"
    match action.kind:
        case "claim":
            return f"{who} claims victory with {game.naming.say(action.cells or ())}."
        case "dispute":
            return f"{who} disputes: {action.text}"
        case "say":
            return f"{who} says: {action.text}"
        case "settle":
            return _tell_settlement(game, after)
        case "offer":
            return f"{who} offers {'a draw' if action.text == 'draw' else 'to take back a move'}."
        case "take_back":
            return f"{who} takes back {'one move' if action.number == 1 else f'{action.number} moves'}."
    return f"{who} {_SIMPLE[action.kind]}" if action.kind in _SIMPLE else ""  # other endings tell themselves


def _tell_settlement(game: Game, after: State) -> str:
    if after.verdict is None:
        return ""
    why = after.verdict.sentence(game.naming, after.position.cells)
    answer = f"The referee: the claim is {'true' if after.verdict.true else 'false'}. {why}"
    return f"{answer}\n{tell_checklist(game, after.position)}"


def tell_claim(match: Match) -> list[str]:
    """The last claim with its answer and the verdict, for somebody who was not there; nothing where there is none."""
    told: list[str] = []
    for event, state in followed(match.setup, match.played):
        if event.action.cells is not None:
            told = []
        if event.action.cells is not None or event.action.kind in (*ANSWERS, "settle"):
            told.append(tell_event(match.setup, state, event))
    return told


def tell_result(setup: Setup, state: State) -> str:
    """How a match ended; a full board that the referee settled by himself is shown with all its lines."""
    if state.result is None:
        return ""
    sentence = state.result.sentence(setup.game)
    unclaimed = state.result.by == "rules" and state.claimed_at < len(state.moves)
    if not setup.has_claims or not unclaimed:
        return sentence
    return f"The referee checks the full board.\n{tell_checklist(setup.game, state.position)}\n{sentence}"


def tell_checklist(game: Game, position: Position) -> str:
    """The eight lines, each with its cells, its marks and what is to be said of it."""
    rows = []
    for check in checklist(position.cells):
        marks = " ".join("_" if mark is None else mark.name for mark in check.marks)
        rows.append(f"  {check.name:<13} {game.naming.say(check.cells)}  {marks}  {finding(check)}")
    return "\n".join(rows)


def finding(check: LineCheck) -> str:
    """What is to be said of a line."""
    if check.holder is not None:
        return f"three {check.holder}"
    return "broken" if check.broken else "not three"


def tell_match(match: Match) -> Iterator[str]:
    """A match from its first board to its last, as it was finally played."""
    setup, position = match.setup, match.setup.start
    yield f"{setup.game.title}: {setup.label(1)} and {setup.label(2)}"
    yield f"\n{picture(setup.game, position)}\n"
    for event, state in followed(setup, match.played):
        before, position = position, state.position
        if line := tell_event(setup, state, event):
            yield line
        if position != before:
            last = setup.game.effects(before, state.moves[-1]).cells
            yield f"\n{picture(setup.game, position, last=last)}\n"
    yield tell_result(setup, match.state) if match.asked is None else f"{setup.label(match.asked)} is to act."
