"""What PettingZoo and Gymnasium show: spaces, observations with their action masks, and pictures."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, cast

import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from ninefold.core import BoardOfBoards, Position, Side
from ninefold.envs.planes import planes_of, shape_of
from ninefold.game import Game
from ninefold.games import rule_sets
from ninefold.render import picture

VERSION = 0
RENDER_MODES = ["human", "ansi", "rgb_array"]
Observation = dict[str, npt.NDArray[np.int8]]

CELL = 16  # pixels
_COLOURS = {Side.X: (0, 114, 178), Side.O: (213, 94, 0)}  # as in svg.py


def ids() -> dict[str, Game]:
    """The rule sets by the ids they are registered with."""
    return {f"ninefold/{name}-v{VERSION}": game for name, game in rule_sets().items()}


def observation_space(game: Game) -> spaces.Dict:
    return spaces.Dict(
        observation=spaces.Box(0, 1, shape_of(game), np.int8), action_mask=spaces.Box(0, 1, (len(game.paths),), np.int8)
    )


def observe(game: Game, position: Position, side: Side) -> Observation:
    """What a side sees. Its mask is empty while it is the other's turn, and full when the game is over, so that nobody
    who divides by its sum divides by nothing."""
    planes, mask = _observed(game, position, side)
    return {"observation": planes.copy(), "action_mask": mask.copy()}


@lru_cache(maxsize=50_000)
def _observed(game: Game, position: Position, side: Side) -> tuple[npt.NDArray[np.int8], npt.NDArray[np.int8]]:
    mask = np.full(len(game.paths), position.outcome is not None, np.int8)
    if side is position.turn and position.outcome is None:
        mask[list(position.moves())] = 1
    return planes_of(game, position, side).astype(np.int8), mask


def forfeits(game: Game, position: Position, action: Any) -> str:
    """Why an action that is not legal is not; "" for one that is. What is no integer at all is an error."""
    if isinstance(action, bool) or not isinstance(action, int | np.integer):
        raise TypeError(f"An action is an integer, not {action!r}.")
    if int(action) in position.moves():
        return ""
    path = game.paths[action] if 0 <= action < len(game.paths) else (-1,)
    return str(position.why_not(path, game.naming))


def show(mode: str | None, game: Game, position: Position) -> str | npt.NDArray[np.uint8] | None:
    """The board: printed, as text, or as pixels."""
    if mode == "rgb_array":
        return pixels(game, position)
    if mode == "human":
        print(f"{picture(game, position)}\n")
    return picture(game, position) if mode == "ansi" else None


def pixels(game: Game, position: Position) -> npt.NDArray[np.uint8]:
    """Marks as on paper, on cells of sixteen pixels; boards stand apart, and a dead one in its owner's colour."""
    side = 3 * CELL
    if not game.picture.boards:
        return _board(position.cells)
    owners = cast("BoardOfBoards", position).owners
    image = np.zeros((3 * side + 8, 3 * side + 8, 3), np.uint8)
    for board in range(9):
        top, left = (side + 4) * (board // 3), (side + 4) * (board % 3)
        owned = [_COLOURS[Side[name]] for name in owners[board] if name in Side.__members__]
        tint = np.mean(owned, axis=0) if owned else np.full(3, 255 - 95 * bool(owners[board]))
        painted = _board(position.cells[9 * board : 9 * board + 9])
        image[top : top + side, left : left + side] = 0.7 * painted + 0.3 * tint
    return image


def _board(cells: tuple[Side | None, ...]) -> npt.NDArray[np.uint8]:
    rows = [np.concatenate([_cell(mark) for mark in cells[row : row + 3]], axis=1) for row in (0, 3, 6)]
    return np.concatenate(rows, axis=0)


@lru_cache
def _cell(mark: Side | None) -> npt.NDArray[np.uint8]:
    """A cell with its mark: the pixels near a cross or a circle."""
    away = np.abs(np.arange(CELL) - (CELL - 1) / 2)
    down, right = np.meshgrid(away, away, indexing="ij")
    image = np.full((CELL, CELL, 3), 255, np.uint8)
    near = np.abs(down - right) < 1.5 if mark is Side.X else np.abs(np.hypot(down, right) - CELL * 0.3) < 1.2
    if mark is not None:
        image[near & (np.maximum(down, right) < CELL * 0.4)] = _COLOURS[mark]
    image[[0, -1], :] = image[:, [0, -1]] = 120
    return image
