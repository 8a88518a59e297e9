"""The shared board: one document, the only source of truth for all who play."""

from __future__ import annotations

from ninefold.core import Side
from ninefold.match import Match
from ninefold.state import State


def shared_board(match: Match) -> dict[str, object]:
    """The one document that all who play share, in any game."""
    game, state = match.game, match.state
    marks = [" " if mark is None else mark.name for mark in match.position.cells]
    winner = match.result.outcome.winner if match.result else None
    return {
        "board": _nested(marks),
        "move_history": [{"player": str(side), "move": game.name(move), "path": list(game.paths[move])}
                         for side, move in _movers(match)],
        "next_player": None if match.result else str(match.position.turn),
        "game_status": match.status,
        "winner": None if winner is None else str(winner),
        "ended_by": match.result.by if match.result else None,
        "claim": _claim(state),
        "seats": [{"player": number, "side": str(seat.side), "name": seat.name, "kind": seat.player}
                  for number, seat in enumerate(match.setup.seats, 1)],
        "version": match.version,
    }  # fmt: skip


def _claim(state: State) -> dict[str, object] | None:
    """The pending claim, or the last one with the referee's verdict on it."""
    if not state.pending and not state.last_claim:
        return None
    claim, verdict = (state.pending, None) if state.pending else state.last_claim or (None, None)
    assert claim is not None
    return {"player": str(claim.side), "cells": [list(divmod(cell, 3)) for cell in claim.cells], "verdict": verdict}


def _nested(marks: list[str]) -> list[object]:
    """Nine marks as a 3x3 array; eighty-one as nine of those."""
    if len(marks) == 9:
        return [marks[row : row + 3] for row in (0, 3, 6)]
    return [_nested(marks[start : start + 9]) for start in range(0, len(marks), 9)]


def _movers(match: Match) -> list[tuple[Side, int]]:
    moved = [event for event in match.played if event.action.kind == "move"]
    return [(match.setup.side(event.seat), move) for event, move in zip(moved, match.state.moves, strict=True)]
