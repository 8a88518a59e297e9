"""Golden playthroughs: one random game of each game, every state in it, as text to read and to review.

python tests/playthrough.py     writes tests/golden/ anew
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

from ninefold.core.game import Effects, Game
from ninefold.core.position import Position
from ninefold.core.rendering import picture
from ninefold.games import all_games

GOLDEN = Path(__file__).parents[1] / "golden"
# Chosen so that the games show something: the last cell wins (classic), the line that came first wins over a second one
# (agents), the player who just moved loses by a drawn board (squared), nobody gets a line (ultimate).
SEEDS = {"classic": 3, "agents": 2, "squared": 11, "ultimate": 9}
ANY_SEED = 1


def playthrough(game: Game) -> str:
    """A random game of a fixed seed, from the start to the outcome."""
    seed = SEEDS.get(game.id, ANY_SEED)
    rng = random.Random(seed)
    lines = [f"# {game.title}: a random game, seed {seed}"]
    position = game.begin()
    for ply in range(len(position.cells) + 1):
        lines += [f"\n## {ply}", *_state(game, position)]
        if position.outcome:
            break
        moves = position.moves()
        move = moves[int(rng.random() * len(moves))]
        lines += _move(game, position, move)
        position = position.play(move)
    return "\n".join(lines) + "\n"


def _state(game: Game, position: Position) -> Iterator[str]:
    yield str(position)
    yield ""
    yield picture(game, position)
    yield ""
    if position.outcome:
        yield game.describe(position.outcome)
        yield f"reason: {position.outcome.reason}"
        return
    yield f"{position.turn} to move"
    yield f"legal: {' '.join(game.name(move) for move in position.moves())}"


def _move(game: Game, position: Position, move: int) -> Iterator[str]:
    yield f"\n{position.turn} plays {game.name(move)}"
    yield from (f"  {effect}" for effect in _effects(game, game.effects(position, move)))


def _effects(game: Game, effects: Effects) -> Iterator[str]:
    for place, mark in effects.cells.items():
        yield f"{_cell(game, place)} becomes {mark}"
    for board, owner in effects.boards.items():
        yield f"board {game.naming.name(board)} goes to {owner}"
    yield f"open next: {game.naming.format(effects.opens) or 'nothing'}"


def _cell(game: Game, place: int) -> str:
    board = game.naming.name(place // 9) if game.picture.boards else ""
    return board + game.naming.name(place % 9)


def golden_file(game: Game) -> Path:
    return GOLDEN / f"{game.id}.txt"


def main() -> None:
    GOLDEN.mkdir(exist_ok=True)
    for game in all_games().values():
        golden_file(game).write_text(playthrough(game), encoding="utf-8", newline="\n")
        print(f"wrote {golden_file(game)}")


if __name__ == "__main__":
    main()
