"""Positions of a big game that the engine has labelled: made in parts that can be resumed, then put together.

No position is there twice, not even turned or turned over. Whole games belong to a split, so that the positions of a
test game, which are alike, are in no other split.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from functools import partial
from hashlib import blake2b
from itertools import count
from math import ceil
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ninefold.analysis.engine import Engine
from ninefold.arena.executors import in_processes
from ninefold.core.errors import NotAllowed
from ninefold.core.grid import SYMMETRIES
from ninefold.core.position import Position
from ninefold.games import find_game
from ninefold.games.squared import Squared
from ninefold.train.labels import MEMORY, GamePlan, LabelledPosition, labelled_game

if TYPE_CHECKING:
    import pyarrow as pa

GAMES_IN_PART = 40
ROWS_OF_PART = 1_700  # about, until some have been made
SPLITS = ("train", "validation", "test")
_HELD_OUT = {48: "validation", 49: "test"}  # of every 50 games
_KEY = "key"  # equal for positions that are symmetric to each other; only in parts
_ROW_GROUP = 1 << 16


def split_of(game: int) -> str:
    """The split of the game with this number."""
    return _HELD_OUT.get(game % 50, "train")


def schema() -> pa.Schema:
    import pyarrow as pa

    return pa.schema(
        [
            ("position", pa.string()),
            ("turn", pa.string()),
            ("ply", pa.int8()),
            ("moves", pa.list_(pa.int8())),
            ("score", pa.int16()),
            ("is_proven", pa.bool_()),
            ("distance", pa.int16()),
            ("best_move", pa.int8()),
            ("best_move_text", pa.string()),
            ("result", pa.int8()),
            ("game", pa.int32()),
        ]
    )


def game_rows(plan: GamePlan, number: int, engine: Engine) -> list[dict[str, Any]]:
    """The rows of the game with this number."""
    return [_row(plan, number, labelled) for labelled in labelled_game(plan, number, engine)]


def _row(plan: GamePlan, number: int, labelled: LabelledPosition) -> dict[str, Any]:
    position, line, result = labelled
    return {
        "position": str(position),
        "turn": position.turn.name,
        "ply": sum(mark is not None for mark in position.cells),
        "moves": list(position.moves()),
        "score": line.score,
        "is_proven": line.proven,
        "distance": line.plies_to_end,
        "best_move": line.move,
        "best_move_text": find_game(plan.game).name(line.move),
        "result": result,
        "game": number,
        _KEY: position_key(position),
    }


def position_key(position: Position) -> int:
    """A number that is the same for positions that are symmetric to each other, and hardly ever for others."""
    if not isinstance(position, Squared):
        raise NotAllowed("no_engine.game")
    images = map(position.transform, range(len(SYMMETRIES)))
    first = min((image.x, image.o, -1 if image.board is None else image.board) for image in images)
    return int.from_bytes(blake2b(repr(first).encode(), digest_size=8).digest(), signed=True)


def make_part(folder: Path, plan: GamePlan, part: int) -> int:
    """Play and label the games of a part and write them, as a whole or not at all; returns the number of rows."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    engine = Engine(MEMORY, 1)
    games = range(part * GAMES_IN_PART, (part + 1) * GAMES_IN_PART)
    rows = [row for number in games for row in game_rows(plan, number, engine)]
    file = part_file(folder, part)
    draft = file.with_suffix(f".{os.getpid()}")
    table = pa.Table.from_pylist(rows, schema().append(pa.field(_KEY, pa.int64())))
    pq.write_table(table, draft, compression="zstd", write_page_checksum=True)
    draft.replace(file)
    return len(rows)


def part_file(folder: Path, part: int) -> Path:
    return folder / f"{part:06}.parquet"


def make_parts(folder: Path, plan: GamePlan, positions: int, workers: int | None, show: Callable[[int], None]) -> None:
    """Make the parts that are missing until they hold so many distinct positions; ``show`` is told how many there are.
    Closing the generator of an interrupted run cancels what has not begun."""
    folder.mkdir(parents=True, exist_ok=True)
    _remove_damaged(folder)
    while True:
        parts, distinct = _distinct_count(folder, positions)
        show(distinct)
        if distinct == positions:
            return
        needed = ceil((positions - distinct) / (distinct / parts if distinct else ROWS_OF_PART))
        numbers = range(parts, parts + needed)
        missing = [part for part in numbers if not part_file(folder, part).exists()]
        with closing(in_processes(partial(make_part, folder, plan), missing, workers)) as made:
            for rows in made:
                distinct = min(positions, distinct + rows)
                show(distinct)


def _remove_damaged(folder: Path) -> None:
    """Remove parts that cannot be read, as a crash of the machine leaves them; they are made again."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    for file in folder.glob("*.parquet"):
        try:
            pq.read_table(file, page_checksum_verification=True)
        except (pa.ArrowException, OSError):
            file.unlink()


def _distinct_count(folder: Path, positions: int) -> tuple[int, int]:
    """How many parts there are from the first on without a gap, and their distinct positions, up to a number."""
    rows = [table.num_rows for table in distinct_parts(folder, positions, [_KEY])]
    return len(rows), sum(rows)


def distinct_parts(folder: Path, positions: int, columns: list[str] | None = None) -> Iterator[pa.Table]:
    """The parts in their order, without positions that came before, and only so many rows in all."""
    import pyarrow.parquet as pq

    seen: set[int] = set()
    for part in count():
        file = part_file(folder, part)
        if len(seen) == positions or not file.exists():
            return
        table = pq.read_table(file, columns=columns)
        keep = []
        for key in table[_KEY].to_pylist():
            keep.append(key not in seen and len(seen) < positions)
            if keep[-1]:
                seen.add(key)
        yield table.filter(keep)


def write_splits(parts: Path, folder: Path, positions: int) -> dict[str, int]:
    """Write a file for every split, from the parts; returns how many rows each has."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    folder.mkdir(parents=True, exist_ok=True)
    rows = dict.fromkeys(SPLITS, 0)
    with ExitStack() as files:
        writers = {
            split: files.enter_context(pq.ParquetWriter(folder / f"{split}.parquet", schema(), compression="zstd"))
            for split in SPLITS
        }
        waiting: dict[str, list[pa.Table]] = {split: [] for split in SPLITS}

        def write(split: str) -> None:
            writers[split].write_table(pa.concat_tables(waiting[split]))
            waiting[split] = []

        for table in distinct_parts(parts, positions):
            splits = [split_of(game) for game in table["game"].to_pylist()]
            for split in SPLITS:
                found = table.filter([one == split for one in splits]).drop_columns([_KEY])
                rows[split] += found.num_rows
                waiting[split].append(found)
                if sum(one.num_rows for one in waiting[split]) >= _ROW_GROUP:
                    write(split)
        for split in SPLITS:
            if waiting[split]:
                write(split)
    return rows
