"""A report as JSON and as a table in a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ninefold.analysis.report.metrics import Figures, Report, Row
from ninefold.core.errors import Unreadable
from ninefold.core.text import clean

Document = dict[str, Any]

NAMES = (
    "matches", "points", "illegal moves", "unreadable", "refused claims", "false claims", "missed wins",
    "wrong confirms", "wrong disputes", "mistakes", "forfeits", "time used",
)  # fmt: skip
WIDTH = 80


def document(report: Report) -> Document:
    """The report for programs; every figure, also those that the table has no room for."""
    rows = [
        {"agent": row.agent, "side": row.side or None, "points": row.figures.points}
        | row.figures._asdict()
        | {"refused": dict(row.refused)}
        for row in report.rows
    ]
    return {"agents": rows, "judged_by": list(report.judges), "refusals_forgotten": report.forgotten}


def read_document(told: Mapping[str, Any]) -> Report:
    """A report that a server tells."""
    try:
        rows = tuple(_row(row) for row in told["agents"])
        return Report(rows, tuple(clean(str(one)) for one in told["judged_by"]), int(told["refusals_forgotten"]))
    except (LookupError, TypeError, ValueError, AttributeError):
        raise Unreadable("not_a_report", "That is no report of a referee.", "Ask a server of this version.") from None


def _row(told: Mapping[str, Any]) -> Row:
    figures = Figures(*(int(told[name]) for name in Figures._fields))
    refused = {clean(str(reason)): int(count) for reason, count in told["refused"].items()}
    return Row(clean(str(told["agent"])), clean(str(told["side"] or "")), figures, refused)


def table(report: Report, width: int = WIDTH) -> Iterator[str]:
    """A line for each figure and a column for each agent, as many beside each other as there is room for; then what has
    to be said about it."""
    columns = [(row.label, *_cells(row.figures)) for row in report.rows]
    first = max(map(len, NAMES))
    while columns:
        shown = [columns.pop(0)]
        while columns and first + sum(map(_size, [*shown, columns[0]])) <= width:
            shown.append(columns.pop(0))
        for name, *cells in zip(("", *NAMES), *shown, strict=True):
            yield f"{name:<{first}}" + "".join(
                f"{cell:>{_size(column)}}" for cell, column in zip(cells, shown, strict=True)
            )
        if columns:
            yield ""
    yield from notes(report)


def _size(column: tuple[str, ...]) -> int:
    return 2 + max(map(len, column))


def _cells(figures: Figures) -> tuple[str, ...]:
    mistakes = f"{figures.mistakes}/{figures.judged}" if figures.judged else "-"
    counts = (
        figures.illegal_moves, figures.unreadable, figures.refused_claims, figures.false_claims, figures.missed_wins,
        figures.wrong_confirmations, figures.wrong_disputes,
    )  # fmt: skip
    rest = (mistakes, str(figures.forfeits), _time(figures.milliseconds))
    return (str(figures.matches), f"{figures.points:g}", *map(str, counts), *rest)


def _time(milliseconds: int) -> str:
    seconds = milliseconds / 1000
    if seconds < 100:
        return f"{seconds:.1f} s"
    return f"{seconds / 60:.1f} min" if seconds < 6000 else f"{seconds / 3600:.1f} h"


def notes(report: Report) -> Iterator[str]:
    if report.judges:
        yield f"Mistakes are of the moves judged, by {' and '.join(report.judges)}."
    if report.forgotten:
        yield f"{report.forgotten} older refusals were no longer kept, and are not in the table."
