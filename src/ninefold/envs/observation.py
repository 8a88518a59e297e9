"""What PettingZoo and Gymnasium share: ids, spaces, observations with their action masks, and refusals."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from ninefold.core.errors import Unreadable, quoted
from ninefold.core.game import Game
from ninefold.core.integers import as_integer
from ninefold.core.position import Position, Side
from ninefold.envs import needs
from ninefold.envs.planes import planes_of, shape_of
from ninefold.games import rule_sets

with needs():
    from gymnasium import spaces

VERSION = 0
SIDES = ("X", "O", "toss")
Observation = dict[str, npt.NDArray[np.int8]]


def ids() -> dict[str, Game]:
    """The rule sets by the ids they are registered with."""
    return {f"ninefold/{name}-v{VERSION}": game for name, game in rule_sets().items()}


def observation_space(game: Game) -> spaces.Space[Any]:
    return spaces.Dict(
        observation=spaces.Box(0, 1, shape_of(game), np.int8), action_mask=spaces.Box(0, 1, (len(game.paths),), np.int8)
    )


def observe(game: Game, position: Position, side: Side, over: bool) -> Observation:
    """The observation of a side. Its mask is empty while it is the other side's turn, and full when the game is over,
    so that code that divides by its sum does not divide by zero."""
    planes, mask = _observed(game, position, side)
    return {"observation": planes.copy(), "action_mask": np.ones_like(mask) if over else mask.copy()}


@lru_cache(maxsize=50_000)
def _observed(game: Game, position: Position, side: Side) -> tuple[npt.NDArray[np.int8], npt.NDArray[np.int8]]:
    mask = np.zeros(len(game.paths), np.int8)
    if side is position.turn:
        mask[list(position.moves())] = 1
    return planes_of(game, position, side).astype(np.int8), mask


def forfeits(game: Game, position: Position, action: Any) -> str:
    """The reason why an action is illegal; "" if it is legal. An action that is not an integer is an error."""
    move = as_integer("action", action)
    if move in position.moves():
        return ""
    path = game.paths[move] if 0 <= move < len(game.paths) else (-1,)
    return str(position.why_not(path, game.naming))


def checked_side(side: str) -> str:
    if side not in SIDES:
        raise Unreadable("no_such_side", side=quoted(str(side)), sides=" ".join(SIDES))
    return side
