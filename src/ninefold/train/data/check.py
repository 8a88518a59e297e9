"""Whether the files of a data set are as they were written, and whether the rules agree with them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

from ninefold.analysis.engine import Engine
from ninefold.core.game import Game
from ninefold.core.messages import text
from ninefold.core.position import Position
from ninefold.train.data.folder import SUMS, DataPlan, described_files, digest, table_file
from ninefold.train.data.labelled import SPLITS, game_rows
from ninefold.train.labels import MEMORY

if TYPE_CHECKING:
    import pyarrow as pa

SAMPLE = 1_000  # rows of each split that are read through the rules
GAMES_AGAIN = 3  # games of each split that are played again

DataRow = Mapping[str, Any]


def faults(folder: Path, plan: DataPlan) -> Iterator[str]:
    """A sentence for each thing that is wrong."""
    import pyarrow.parquet as pq

    changed = list(_changed_files(folder, plan))
    yield from (text("data.fault.file", file=name) for name in changed)
    if changed:
        return
    for game in plan.solved:
        yield from _solved_faults(game, pq.read_table(table_file(folder, game)).to_pylist())
    for game in plan.labelled:
        tables = {split: pq.read_table(folder / game.id / f"{split}.parquet") for split in SPLITS}
        positions = [position for table in tables.values() for position in table["position"].to_pylist()]
        distinct = len(set(positions))
        if len(positions) != plan.positions or distinct != plan.positions:
            counts = {"distinct": distinct, "rows": len(positions), "expected": plan.positions}
            yield text("data.fault.count", game=game.id, **counts)
        for table in tables.values():
            yield from _labelled_faults(game, plan, table)


def _changed_files(folder: Path, plan: DataPlan) -> Iterator[str]:
    """The files that are missing or have another checksum; a file that the checksums leave out is one of them."""
    lines = (folder / SUMS).read_text(encoding="utf-8", errors="replace").splitlines()
    sums = {name: expected for expected, _, name in (line.partition("  ") for line in lines)}
    for name in described_files(folder, plan):
        if not (folder / name).is_file() or digest(folder / name) != sums.get(name):
            yield name


def _solved_faults(game: Game, rows: list[dict[str, Any]]) -> Iterator[str]:
    """Compare every position with the rules, and its value with those of the positions that follow."""
    value = {row["position"]: row["value"] for row in rows}
    for row in rows:
        position = game.parse(row["position"])
        outcome = position.outcome
        if outcome is not None:
            winner = outcome.winner
            expected = 0 if winner is None else 1 if winner is position.turn else -1
        else:
            expected = max(-value.get(str(position.play(move)), 2) for move in position.moves())
        if expected != row["value"] or not _fits(position, row):
            yield text("data.fault.rules", game=game.id, position=row["position"])


def _fits(position: Position, row: DataRow) -> bool:
    return (
        str(position) == row["position"]
        and position.turn.name == row["turn"]
        and list(position.moves()) == row["moves"]
        and set(row.get("best_moves", ())) <= set(row["moves"])
    )


def _labelled_faults(game: Game, plan: DataPlan, table: pa.Table) -> Iterator[str]:
    random = Random(plan.seed)
    sample = random.sample(range(table.num_rows), min(SAMPLE, table.num_rows))
    for row in table.take(sample).to_pylist():
        position = game.parse(row["position"])
        named = game.name(row["best_move"]) == row["best_move_text"] and row["best_move"] in row["moves"]
        if not named or not _fits(position, row):
            yield text("data.fault.rules", game=game.id, position=row["position"])
    numbers = sorted(set(table["game"].to_pylist()))
    engine = Engine(MEMORY, 1)
    for number in random.sample(numbers, min(GAMES_AGAIN, len(numbers))):
        again = {row["position"]: row for row in game_rows(plan.of_game(game.id), number, engine)}
        if not all(_same(row, again.get(row["position"], {})) for row in _of_game(table, number)):
            yield text("data.fault.labels", game=game.id, number=number)


def _of_game(table: pa.Table, number: int) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = table.filter([game == number for game in table["game"].to_pylist()]).to_pylist()
    return rows


def _same(stored: DataRow, again: DataRow) -> bool:
    return all(again.get(name) == value for name, value in stored.items())
