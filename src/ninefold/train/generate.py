"""Games of the engine against itself, in which every position is labelled by a search of fixed depth."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import NamedTuple

import numpy as np

from ninefold.analysis.engine import Engine, native_position
from ninefold.core.errors import NotAllowed
from ninefold.games import find_game
from ninefold.train.rows import ROW, Rows, row, write_rows

MEMORY = 16 << 20  # bytes of the engine's table
LARGEST_VALUE = 30_000  # a forced win is as good as this


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


def play_games(plan: GamePlan, numbers: Sequence[int]) -> Rows:
    """The rows of the games with these numbers. The same plan and number give the same game everywhere."""
    engine = Engine(MEMORY, 1, network=Path(plan.network) if plan.network else None, learned=bool(plan.network))
    return np.concatenate([np.array(list(_play(plan, number, engine)), ROW) for number in numbers])


def _play(plan: GamePlan, number: int, engine: Engine) -> Iterator[tuple[object, ...]]:
    random = Random(f"{plan.seed}-{number}")
    position = find_game(plan.game).begin(dict(plan.options))
    for _ in range(random.randint(plan.least_opening, plan.most_opening)):
        position = position.play(random.choice(position.moves()))
    engine.clear()
    labelled = []
    while position.outcome is None:
        line = engine.search(position, depth=plan.depth).lines[0]
        value = max(-LARGEST_VALUE, min(LARGEST_VALUE, line.score))
        labelled.append((position, value))
        is_random = random.random() < plan.random_moves
        position = position.play(random.choice(position.moves()) if is_random else line.move)
    winner = position.outcome.winner
    for labelled_position, value in labelled:
        yield row(labelled_position, value, 0 if winner is None else 1 if winner is labelled_position.turn else -1)


def shard_numbers(shard: int, games: int) -> range:
    """The numbers of the games in a file."""
    return range(shard * games, (shard + 1) * games)


def shard_file(folder: Path, shard: int) -> Path:
    return folder / f"rows-{shard:05}.npy"


def check_rules(game: str, options: dict[str, str]) -> None:
    """Refuse a game that the engine does not play."""
    position = find_game(game).begin(options)
    try:
        native_position(position)
    except NotAllowed:
        raise NotAllowed("no_engine.game") from None


def missing_shards(folder: Path, shards: int) -> list[int]:
    return [shard for shard in range(shards) if not shard_file(folder, shard).exists()]


def generate_shard(folder: Path, plan: GamePlan, shard: int, games: int) -> int:
    """Write a file of rows; returns how many there are."""
    rows = play_games(plan, shard_numbers(shard, games))
    write_rows(shard_file(folder, shard), rows)
    return len(rows)
