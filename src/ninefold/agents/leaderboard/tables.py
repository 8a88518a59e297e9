"""Tables as CSV, JSON lines and Parquet."""

from __future__ import annotations

import csv
import json
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING

from ninefold.agents.leaderboard.rows import Row, TableName
from ninefold.core.errors import NotAllowed
from ninefold.match.files import write_text

if TYPE_CHECKING:
    import pyarrow as pa

_RISKY = ("=", "+", "-", "@", "\t", "\r")  # a spreadsheet takes a text that begins so for a formula


def has_parquet() -> bool:
    return find_spec("pyarrow") is not None


def check_parquet() -> None:
    """Refuse to write Parquet where the package for it is not installed."""
    if not has_parquet():
        raise NotAllowed("no_parquet")


def csv_text(rows: Sequence[Row]) -> str:
    """Rows as CSV, with a head. Texts that a spreadsheet would take for a formula get an apostrophe in front."""
    out = StringIO()
    writer = csv.writer(out, lineterminator="\n")
    if rows:
        writer.writerow(rows[0])
    for row in rows:
        writer.writerow([_safe(value) for value in row.values()])
    return out.getvalue()


def _safe(value: object) -> object:
    return f"'{value}" if isinstance(value, str) and value.startswith(_RISKY) else value


def write_csv(folder: Path, tables: Mapping[TableName, Sequence[Row]]) -> None:
    for name, rows in tables.items():
        write_text(str(folder / f"{name}.csv"), csv_text(rows))


def write_json_lines(folder: Path, tables: Mapping[TableName, Sequence[Row]]) -> None:
    for name, rows in tables.items():
        write_text(str(folder / f"{name}.jsonl"), "".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows))


def write_parquet(folder: Path, tables: Mapping[TableName, Sequence[Row]]) -> None:
    check_parquet()
    import pyarrow.parquet as pq

    for name, rows in tables.items():
        pq.write_table(_arrow(rows), folder / f"{name}.parquet", compression="zstd")


def _arrow(rows: Sequence[Row]) -> pa.Table:
    import pyarrow as pa

    kinds = {int: pa.int64(), float: pa.float64(), str: pa.string()}
    names = list(rows[0]) if rows else []
    fields = [(name, kinds[_kind([row[name] for row in rows])]) for name in names]
    return pa.Table.from_pylist([dict(row) for row in rows], schema=pa.schema(fields))


def _kind(values: Sequence[object]) -> type:
    """The type of a column: whole numbers among others become floats."""
    found = {type(value) for value in values if value is not None}
    return float if float in found else int if found == {int} else str
