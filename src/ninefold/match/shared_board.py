"""The shared board: one document, the only source of truth for all who play."""

from __future__ import annotations

from collections.abc import Sequence

from ninefold.match.actions import ANSWERS
from ninefold.match.claims import checklist
from ninefold.match.match import Match
from ninefold.match.summary import history


def shared_board(match: Match) -> dict[str, object]:
    """The document of a match, in any game. Cells are numbered 0 to 8, row by row."""
    winner = match.result.outcome.winner if match.result else None
    return {
        "board": nested([" " if mark is None else mark.name for mark in match.position.cells]),
        "move_history": [{"side": str(side), "move": name, "path": list(path)} for side, name, path in history(match)],
        "next_player": None if match.result else str(match.position.turn),
        "game_status": match.status,
        "winner": None if winner is None else str(winner),
        "ended_by": match.result.by if match.result else None,
        "claim": _claim(match),
        "seats": [
            {"seat": number, "side": str(side), "name": name, "player": player}
            for number, (side, name, player) in enumerate(match.setup.seats, 1)
        ],
        "version": match.version,
    }


def nested(marks: Sequence[str]) -> list[object]:
    """Nine marks as a 3x3 array; eighty-one as nine of those."""
    if len(marks) == 9:
        return [list(marks[row : row + 3]) for row in (0, 3, 6)]
    return [nested(marks[start : start + 9]) for start in range(0, len(marks), 9)]


def _claim(match: Match) -> dict[str, object] | None:
    """The pending claim, or the last one with the referee's verdict, and what he sees on all eight lines."""
    pending, verdict = match.state.pending, match.state.verdict
    claim = pending or (verdict.claim if verdict else None)
    if claim is None:
        return None
    return {
        "side": str(claim.side),
        "cells": list(claim.cells),
        "answer": _answer(match),
        "verdict": None if pending or not verdict else verdict.reason,
        "lines": [
            {"line": name, "cells": list(cells), "marks": ["" if mark is None else mark.name for mark in marks]}
            for name, cells, marks in checklist(match.position.cells)
        ],
    }


def _answer(match: Match) -> dict[str, object] | None:
    """What the last claim was answered, by whom and why; None when nobody did, or nobody yet."""
    for _, seat, action in reversed(match.events):
        if action.kind in ANSWERS:
            return {"seat": seat, "kind": action.kind, "text": action.text}
        if action.cells is not None:
            break  # the claim itself
    return None
