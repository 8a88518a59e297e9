"""The inputs of the network: the state of every board as the side to move sees it, and the board it is sent to.

A state is a number. A live board has that of its pattern of marks; a dead board has only an owner. The symmetries of
the square turn states into others, by tables.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ninefold.core import grid
from ninefold.train.rows import TrainingRows

IntArray = Any  # of NumPy

FILLINGS = 3**9
POWERS = 3 ** np.arange(9)
EMPTY, MINE, THEIRS = range(3)

# The cells of every filling: a digit in base 3 for each.
CELLS = np.arange(FILLINGS)[:, None] // POWERS % 3


def _has_line(side: int) -> IntArray:
    return np.array(grid.HAS_LINE)[(np.equal(CELLS, side) << np.arange(9)).sum(1)]


_MINE, _THEIRS = _has_line(MINE), _has_line(THEIRS)
_DEAD = _MINE | _THEIRS | (CELLS > 0).all(1)
LIVE_FILLINGS = np.flatnonzero(~_DEAD)
LIVE = len(LIVE_FILLINGS)  # states of live boards: 11,093
WON, LOST, DRAWN = LIVE, LIVE + 1, LIVE + 2
STATES = LIVE + 3
STATE_OF_FILLING = np.where(_MINE, WON, np.where(_THEIRS, LOST, DRAWN))
STATE_OF_FILLING[LIVE_FILLINGS] = np.arange(LIVE)
_TERNARY = ((np.arange(512)[:, None] >> np.arange(9) & 1) * POWERS).sum(1)


class Inputs(NamedTuple):
    """Of many positions: the state of each board, and the board the side to move is sent to, or 9."""

    states: IntArray  # (N, 9)
    board: IntArray  # (N,)


def inputs(rows: TrainingRows) -> Inputs:
    is_o = rows["turn"][:, None] == 1
    mine = np.where(is_o, rows["o"], rows["x"])
    theirs = np.where(is_o, rows["x"], rows["o"])
    return Inputs(STATE_OF_FILLING[_TERNARY[mine] + 2 * _TERNARY[theirs]], rows["board"].astype(np.int64))


SYMMETRIES = np.argsort(grid.SYMMETRIES)  # the cell that comes to each place
# The state that each state becomes, by symmetry.
STATE_UNDER = np.array(
    [
        np.concatenate([STATE_OF_FILLING[(CELLS[LIVE_FILLINGS][:, cells] * POWERS).sum(1)], [WON, LOST, DRAWN]])
        for cells in SYMMETRIES
    ]
)
# The place to which each board comes, by symmetry; a free choice stays one.
BOARD_UNDER = np.array([[*goes, 9] for goes in grid.SYMMETRIES])
