"""Lessons: five steps for each game, each a position on the real board and a move to find there.

Their sentences are in ``server/messages.py``. The games of nine boards share one lesson.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from ninefold.core.game import Game
from ninefold.core.messages import Message
from ninefold.games import find_game
from ninefold.server.hosting.view import text_doc
from ninefold.server.http.learning import position_after
from ninefold.server.http.models import LessonDoc, LessonStepDoc


class LessonStep(NamedTuple):
    """What it says, what it says when it is done, its position, and the moves that are right there; none if any legal
    move is."""

    say: str
    done: str
    position: str
    right: str = ""


_EMPTY = "." * 9
_DRAWING = "   "  # in what is drawn with signs, for terminals
# What is typed in terminals: names of cells, and of options.
_NAMES = re.compile(r" \([\d ]+\)| \[\d,\d\]| Written down, .*| \(option \w+\)")
_CHOSEN_OPTION = re.compile(r"the option \w+=\w+")
_BOARDS = (
    LessonStep("lesson.boards.1", "lesson.boards.1.done", f"{_EMPTY * 9} X *"),
    LessonStep("lesson.boards.2", "lesson.boards.2.done", f"{_EMPTY * 4}..X......{_EMPTY * 4} O 9"),
    LessonStep(
        "lesson.boards.3", "lesson.boards.3.done", f"..X.X....{_EMPTY}O........{_EMPTY}O........{_EMPTY * 4} X 7", "71"
    ),
    LessonStep(
        "lesson.boards.4",
        "lesson.boards.4.done",
        f"..X.X.X..{_EMPTY}O........X........O.....X..{_EMPTY}...OO....{_EMPTY * 2} O *",
        "16",
    ),
    LessonStep(
        "lesson.boards.5",
        "lesson.boards.5.done",
        f"XXX......XXX......O...XX...OOO......O..O.....O........O........{_EMPTY * 2} X 9",
        "94",
    ),
)
LESSONS: dict[str, tuple[LessonStep, ...]] = {
    "classic": (
        LessonStep("lesson.classic.1", "lesson.classic.1.done", ".../.../... X"),
        LessonStep("lesson.classic.2", "lesson.classic.2.done", "XX./OO./... X", "3"),
        LessonStep("lesson.classic.3", "lesson.classic.3.done", "XX./.O./... O", "3"),
        LessonStep("lesson.classic.4", "lesson.classic.4.done", "X../.O./..X O", "2 4 6 8"),
        LessonStep("lesson.classic.5", "lesson.classic.5.done", "XOX/.../O.. X", "9"),
    ),
    "agents": (
        LessonStep("lesson.agents.1", "lesson.agents.1.done", ".../.../... O"),
        LessonStep("lesson.agents.2", "lesson.agents.2.done", "O.X/.X./O.. O", "[1,0]"),
        LessonStep("lesson.agents.3", "lesson.agents.3.done", "O../OX./... X", "[2,0]"),
        LessonStep("lesson.agents.4", "lesson.agents.4.done", "O.X/.../X.O O", "[1,1]"),
        LessonStep("lesson.agents.5", "lesson.agents.5.done", "XX./.OO/..O X", "[0,2]"),
    ),
    "swap-nine": (
        LessonStep("lesson.swap-nine.1", "lesson.swap-nine.1.done", ".../.../... X"),
        LessonStep("lesson.swap-nine.2", "lesson.swap-nine.2.done", ".../.X./... O", "2x5 4x5 6x5 8x5"),
        LessonStep("lesson.swap-nine.3", "lesson.swap-nine.3.done", "O../.../... X first=O", "2 4"),
        LessonStep("lesson.swap-nine.4", "lesson.swap-nine.4.done", "XO./.X./... O", "4x1 4x5"),
        LessonStep("lesson.swap-nine.5", "lesson.swap-nine.5.done", "XOX/OOO/XO. X", "9x6 9x8"),
    ),
    "squared": _BOARDS,
    "ultimate": _BOARDS,
}


def lesson(game_id: str) -> LessonDoc:
    """The lesson of a game, with every position as it is drawn."""
    game = find_game(game_id)
    steps = [_step(game, step) for step in LESSONS.get(game.id, ())]
    return {
        "game": game.id,
        "title": game.title,
        "rules": [_without_names(part) for part in game.rules.split("\n\n") if _DRAWING not in part],
        "advice": [_without_names(tip) for tip in game.advice],
        "steps": steps,
    }


def _without_names(paragraph: str) -> str:
    """A paragraph for the browser, where places and rules have words, not names that are typed."""
    return _CHOSEN_OPTION.sub("another rule", _NAMES.sub("", " ".join(paragraph.split())))


def _step(game: Game, step: LessonStep) -> LessonStepDoc:
    return {
        "say": text_doc(Message(step.say)),
        "done": text_doc(Message(step.done)),
        "right": step.right.split(),
        "start": position_after(game, game.parse(step.position)),
    }
