"""Rendering of environments: the board as text, or as pixels for a video."""

from __future__ import annotations

from functools import lru_cache
from typing import cast

import numpy as np
import numpy.typing as npt

from ninefold.core.game import Game
from ninefold.core.messages import text
from ninefold.core.position import BoardOfBoards, Position, Side
from ninefold.core.rendering import picture

RENDER_MODES = ["human", "ansi", "rgb_array"]
CELL, GAP = 16, 4  # pixels
_COLOURS = {Side.X: (0, 114, 178), Side.O: (213, 94, 0)}  # as in svg.py

Image = npt.NDArray[np.uint8]


def checked_mode(mode: str | None) -> str | None:
    if mode not in (None, *RENDER_MODES):
        raise ValueError(text("envs.render_mode", mode=repr(mode), modes=" ".join(RENDER_MODES)))
    return mode


def render(mode: str | None, game: Game, position: Position) -> str | Image | None:
    """Render the board: printed, as text, or as pixels."""
    if mode == "rgb_array":
        return pixels(game, position)
    if mode == "human":
        print(f"{picture(game, position)}\n")
    return picture(game, position) if mode == "ansi" else None


def pixels(game: Game, position: Position) -> Image:
    """Crosses and circles on cells of sixteen pixels, with gaps between boards; a dead board has its owner's colour."""
    if not game.picture.boards:
        return _board(position.cells)
    side, owners = 3 * CELL, cast("BoardOfBoards", position).owners
    image = np.zeros((3 * side + 2 * GAP, 3 * side + 2 * GAP, 3), np.uint8)
    for board in range(9):
        top, left = (side + GAP) * (board // 3), (side + GAP) * (board % 3)
        owned = [_COLOURS[Side[name]] for name in owners[board] if name in Side.__members__]
        tint = np.mean(owned, axis=0) if owned else np.full(3, 255 - 95 * bool(owners[board]))
        painted = _board(position.cells[9 * board : 9 * board + 9])
        image[top : top + side, left : left + side] = 0.7 * painted + 0.3 * tint
    return image


def _board(cells: tuple[Side | None, ...]) -> Image:
    rows = [np.concatenate([_cell(mark) for mark in cells[row : row + 3]], axis=1) for row in (0, 3, 6)]
    return np.concatenate(rows, axis=0)


@lru_cache
def _cell(mark: Side | None) -> Image:
    """A cell with its mark: the pixels near a cross or a circle."""
    away = np.abs(np.arange(CELL) - (CELL - 1) / 2)
    down, right = np.meshgrid(away, away, indexing="ij")
    image = np.full((CELL, CELL, 3), 255, np.uint8)
    near = np.abs(down - right) < 1.5 if mark is Side.X else np.abs(np.hypot(down, right) - CELL * 0.3) < 1.2
    if mark is not None:
        image[near & (np.maximum(down, right) < CELL * 0.4)] = _COLOURS[mark]
    image[[0, -1], :] = image[:, [0, -1]] = 120
    return image
