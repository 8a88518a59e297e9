"""Facts about a match that several readers need: the moves that stand, the cells changed last, seeds for players."""

from __future__ import annotations

from typing import NamedTuple

from ninefold.core.game import Game
from ninefold.core.position import Path, Side
from ninefold.match.match import Match
from ninefold.match.state import State


class PlayedMove(NamedTuple):
    side: Side
    name: str
    path: Path


def history(match: Match) -> list[PlayedMove]:
    """The moves that stand, in order."""
    sides = [match.setup.side(event.seat) for event in match.played if event.action.kind == "move"]
    game = match.game
    return [
        PlayedMove(side, game.name(move), game.paths[move]) for side, move in zip(sides, match.state.moves, strict=True)
    ]


def last_changed(game: Game, state: State) -> tuple[int, ...]:
    """The cells that the last move changed."""
    return tuple(game.effects(state.previous.position, state.moves[-1]).cells) if state.previous else ()


def player_seed(seed: int | None, number: int) -> int:
    """The seed of one of the two players of a match, from the match's own. They differ, so that two computers do not
    mirror each other. ``number`` is a seat, or in a tournament a side."""
    return 2 * (seed or 0) + number
