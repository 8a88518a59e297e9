"""A report as JSON and as a table in a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ninefold.core import Unreadable
from ninefold.report.figures import Figures, Report, Row
from ninefold.text import clean

Document = dict[str, Any]

# The columns of the table: two lines of heading, and what stands below them.
COLUMNS = (
    ("", "matches"), ("", "points"), ("illegal", "moves"), ("unread-", "able"), ("false", "claims"), ("missed", "wins"),
    ("wrong", "confirms"), ("wrong", "disputes"), ("mis-", "takes"), ("time", "used"),
)  # fmt: skip


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


def table(report: Report) -> Iterator[str]:
    """The lines of the table, and what has to be said about it."""
    cells = [_cells(row.figures) for row in report.rows]
    first = max([len("agent"), *(len(row.label) for row in report.rows)])
    widths = [max(map(len, column)) for column in zip(*(zip(*COLUMNS, strict=True)), *cells, strict=True)]
    for label, line in zip(("", "agent"), zip(*COLUMNS, strict=True), strict=True):
        yield _line(label, first, line, widths)
    for row, line in zip(report.rows, cells, strict=True):
        yield _line(row.label, first, line, widths)
    yield from notes(report)


def _line(label: str, width: int, cells: tuple[str, ...], widths: list[int]) -> str:
    told = (f"{cell:>{size}}" for cell, size in zip(cells, widths, strict=True))
    return f"{label:<{width}}  {'  '.join(told)}".rstrip()


def _cells(figures: Figures) -> tuple[str, ...]:
    mistakes = f"{figures.mistakes}/{figures.judged}" if figures.judged else "-"
    counts = (
        figures.illegal_moves, figures.unreadable, figures.false_claims, figures.missed_wins,
        figures.wrong_confirmations, figures.wrong_disputes,
    )  # fmt: skip
    return (str(figures.matches), f"{figures.points:g}", *map(str, counts), mistakes, _time(figures.milliseconds))


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
