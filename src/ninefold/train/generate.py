"""Games of the engine against itself, in which every position is labelled by a search of fixed depth."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import NamedTuple

import numpy as np

from ninefold.analysis.engine import Engine, load_network, rule_set
from ninefold.core.errors import NotAllowed, quoted
from ninefold.games import find_game
from ninefold.train.rows import ROW, TrainingRows, row, write_rows

MEMORY = 16 << 20  # bytes of the engine's table
LARGEST_VALUE = 30_000  # a forced win is as good as this
GAMES_IN_FILE = 40
PLAN = "plan.json"


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


def play_games(plan: GamePlan, numbers: Sequence[int]) -> TrainingRows:
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


def begin_folder(folder: Path, plan: GamePlan) -> None:
    """Make a folder for the rows of a plan, or refuse one that has those of another."""
    rules = rule_set(find_game(plan.game).begin(dict(plan.options)))
    if plan.network:
        load_network(Path(plan.network), rules)
    folder.mkdir(parents=True, exist_ok=True)
    described = json.dumps(plan._asdict()) + "\n"
    file = folder / PLAN
    if not file.exists():
        file.write_text(described, encoding="utf-8")
    elif file.read_text(encoding="utf-8") != described:
        raise NotAllowed("no_rows.plan", folder=quoted(str(folder), 100))


def read_plan(folder: Path) -> GamePlan:
    """The plan of the rows in a folder."""
    try:
        fields = json.loads((folder / PLAN).read_text(encoding="utf-8"))
    except OSError:
        raise NotAllowed("no_rows", folder=quoted(str(folder), 100)) from None
    return GamePlan(**{**fields, "options": tuple((name, value) for name, value in fields["options"])})


def missing_shards(folder: Path, shards: int) -> list[int]:
    """The numbers of the files that are not there yet."""
    return [shard for shard in range(shards) if not _shard_file(folder, shard).exists()]


def generate_shard(folder: Path, plan: GamePlan, shard: int) -> int:
    """Write a file of rows; returns how many there are."""
    rows = play_games(plan, range(shard * GAMES_IN_FILE, (shard + 1) * GAMES_IN_FILE))
    write_rows(_shard_file(folder, shard), rows)
    return len(rows)


def _shard_file(folder: Path, shard: int) -> Path:
    return folder / f"rows-{shard:05}.npy"
