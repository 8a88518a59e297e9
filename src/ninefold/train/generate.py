"""Rows of training data in a folder: files of labelled games, which can be resumed."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from ninefold.analysis.engine import Engine, load_network, rule_set
from ninefold.core.errors import NotAllowed, quoted
from ninefold.games import find_game
from ninefold.train.labels import MEMORY, GamePlan, labelled_game
from ninefold.train.rows import ROW, TrainingRows, row, write_rows

LARGEST_VALUE = 30_000  # a forced win is as good as this
GAMES_IN_FILE = 40
PLAN = "plan.json"


def play_games(plan: GamePlan, numbers: Sequence[int]) -> TrainingRows:
    """The rows of the games with these numbers. The same plan and number give the same game everywhere."""
    engine = Engine(MEMORY, 1, network=Path(plan.network) if plan.network else None, learned=bool(plan.network))
    return np.concatenate([np.array(list(_rows(plan, number, engine)), ROW) for number in numbers])


def _rows(plan: GamePlan, number: int, engine: Engine) -> Iterator[tuple[object, ...]]:
    for position, line, result in labelled_game(plan, number, engine):
        yield row(position, max(-LARGEST_VALUE, min(LARGEST_VALUE, line.score)), result)


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
        return GamePlan(**{**fields, "options": tuple((name, value) for name, value in fields["options"])})
    except OSError:
        raise NotAllowed("no_rows", folder=quoted(str(folder), 100)) from None
    except (ValueError, TypeError, KeyError, RecursionError):
        raise NotAllowed("no_rows.damaged", file=quoted(str(folder / PLAN), 100)) from None


def missing_shards(folder: Path, shards: int) -> list[int]:
    """The numbers of the files that are not there yet."""
    return [shard for shard in range(shards) if not _shard_file(folder, shard).exists()]


def play_shard(plan: GamePlan, shard: int) -> tuple[int, TrainingRows]:
    """The number of a file, and its rows. They are written by who asked for them, who may be on another machine."""
    return shard, play_games(plan, range(shard * GAMES_IN_FILE, (shard + 1) * GAMES_IN_FILE))


def write_shard(folder: Path, shard: int, rows: TrainingRows) -> None:
    write_rows(_shard_file(folder, shard), rows)


def _shard_file(folder: Path, shard: int) -> Path:
    return folder / f"rows-{shard:05}.npy"
