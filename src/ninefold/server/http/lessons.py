"""Lessons: five steps for each game, each a position on the real board and a move to find there.

Their sentences are in ``messages.py``: ``lesson.GAME.STEP`` is what a step says, ``lesson.GAME.STEP.done`` what it says
when a right move was played. The games of nine boards share one lesson.
"""

from __future__ import annotations

from typing import NamedTuple

from ninefold.core.game import Game
from ninefold.core.messages import Message
from ninefold.games import find_game
from ninefold.server.hosting.view import text_doc
from ninefold.server.http.learning import position_after
from ninefold.server.http.models import LessonDoc, LessonStepDoc


class LessonStep(NamedTuple):
    """A position, and the moves that are right there; none if any legal move is."""

    position: str
    right: str = ""


_EMPTY = "." * 9
_DRAWING = "   "  # in what is drawn with signs, for terminals
_BOARDS = (
    LessonStep(f"{_EMPTY * 9} X *"),
    LessonStep(f"{_EMPTY * 4}..X......{_EMPTY * 4} O 9"),
    LessonStep(f"..X.X....{_EMPTY}O........{_EMPTY}O........{_EMPTY * 4} X 7", "71"),
    LessonStep(f"..X.X.X..{_EMPTY}O........X........O.....X..{_EMPTY}...OO....{_EMPTY * 2} O *", "16"),
    LessonStep(f"XXX......XXX......O...XX...OOO......O..O.....O........O........{_EMPTY * 2} X 9", "94"),
)
LESSONS: dict[str, tuple[LessonStep, ...]] = {
    "classic": (
        LessonStep(".../.../... X"),
        LessonStep("XX./OO./... X", "3"),
        LessonStep("XX./.O./... O", "3"),
        LessonStep("X../.O./..X O", "2 4 6 8"),
        LessonStep("XOX/.../O.. X", "9"),
    ),
    "agents": (
        LessonStep(".../.../... O"),
        LessonStep("O.X/.X./O.. O", "[1,0]"),
        LessonStep("O../OX./... X", "[2,0]"),
        LessonStep("O.X/.../X.O O", "[1,1]"),
        LessonStep("XX./.OO/..O X", "[0,2]"),
    ),
    "swap-nine": (
        LessonStep(".../.../... X"),
        LessonStep(".../.X./... O", "2x5 4x5 6x5 8x5"),
        LessonStep("O../.../... X first=O", "2 4"),
        LessonStep("XO./.X./... O", "4x1 4x5"),
        LessonStep("XOX/OOO/XO. X", "9x6 9x8"),
    ),
    "squared": _BOARDS,
    "ultimate": _BOARDS,
}


def lesson(game_id: str) -> LessonDoc:
    """The lesson of a game, with every position as it is drawn."""
    game = find_game(game_id)
    steps = [_step(game, number, step) for number, step in enumerate(LESSONS.get(game.id, ()), 1)]
    return {
        "game": game.id,
        "title": game.title,
        "rules": [" ".join(part.split()) for part in game.rules.split("\n\n") if _DRAWING not in part],
        "advice": list(game.advice),
        "steps": steps,
    }


def _step(game: Game, number: int, step: LessonStep) -> LessonStepDoc:
    code = f"lesson.{'boards' if game.picture.boards else game.id}.{number}"
    return {
        "say": text_doc(Message(code)),
        "done": text_doc(Message(f"{code}.done")),
        "right": step.right.split(),
        "start": position_after(game, game.parse(step.position)),
    }
