"""Games of the engine against itself, in which every position is labelled by a search of fixed depth."""

from __future__ import annotations

from random import Random
from typing import NamedTuple

from ninefold.analysis.engine import Engine, PvLine
from ninefold.core.position import Position
from ninefold.games import find_game

MEMORY = 16 << 20  # bytes of the engine's table


class GamePlan(NamedTuple):
    """What is played: a rule set, how variety comes into the games, and how deeply positions are searched."""

    game: str
    options: tuple[tuple[str, str], ...]
    depth: int = 8
    least_opening: int = 4  # random plies at the start of a game
    most_opening: int = 8
    random_moves: float = 0.1  # the share of moves that are random after them
    seed: int = 1
    network: str = ""  # the file of the network that labels; without one the hand-crafted evaluation does


class LabelledPosition(NamedTuple):
    """A position, the line that a search has found there, and the result of its game for the side to move."""

    position: Position
    line: PvLine
    result: int


def labelled_game(plan: GamePlan, number: int, engine: Engine) -> list[LabelledPosition]:
    """The positions of the game with this number. The same plan, number and network give the same game everywhere."""
    random = Random(f"{plan.seed}-{number}")
    position = find_game(plan.game).begin(dict(plan.options))
    for _ in range(random.randint(plan.least_opening, plan.most_opening)):
        position = position.play(random.choice(position.moves()))
    engine.clear()
    searched = []
    while position.outcome is None:
        line = engine.search(position, depth=plan.depth).lines[0]
        searched.append((position, line))
        is_random = random.random() < plan.random_moves
        position = position.play(random.choice(position.moves()) if is_random else line.move)
    winner = position.outcome.winner
    return [
        LabelledPosition(found, line, 0 if winner is None else 1 if winner is found.turn else -1)
        for found, line in searched
    ]
