"""Rows of training data: positions of squared or ultimate with the value that a search has found, in files of NumPy."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from ninefold.analysis.engine import ANY_BOARD
from ninefold.core.errors import NotAllowed, quoted
from ninefold.core.position import Position
from ninefold.games.squared import Squared

ROW = np.dtype(
    [
        ("x", "<u2", 9),  # the cells of X, board by board
        ("o", "<u2", 9),
        ("board", "u1"),  # where the next mark must go, or 9
        ("turn", "u1"),  # 0 for X, 1 for O
        ("value", "<i2"),  # for the side to move, as the engine counts
        ("result", "i1"),  # of the game in which it came up, for the side to move: 1, 0 or -1
    ]
)

TrainingRows = np.ndarray  # of ROW


def row(position: Position, value: int, result: int) -> tuple[object, ...]:
    """A position with its labels, for an array of ``ROW``."""
    if not isinstance(position, Squared):
        raise NotAllowed("no_engine.game")
    board = ANY_BOARD if position.board is None else position.board
    return position.x, position.o, board, int(position.turn), value, result


def read_rows(folder: Path) -> TrainingRows:
    """All rows of a folder, file by file."""
    files = sorted(folder.glob("rows-*.npy"))
    if not files:
        raise NotAllowed("no_rows", folder=quoted(str(folder), 100))
    return np.concatenate([_read_file(file) for file in files])


def _read_file(file: Path) -> TrainingRows:
    try:
        rows: TrainingRows = np.load(file)
        if rows.dtype == ROW and rows.ndim == 1:
            return rows
    except (ValueError, EOFError):  # also what the file could only hold as a pickle
        pass
    raise NotAllowed("no_rows.damaged", file=quoted(str(file), 100))


def write_rows(file: Path, rows: TrainingRows) -> None:
    """Write a file as a whole or not at all."""
    part = file.with_suffix(".part")
    with part.open("wb") as opened:
        np.save(opened, rows)
    part.replace(file)
