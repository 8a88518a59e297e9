"""A report as JSON and as a table in a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import reduce
from typing import Any

from ninefold.analysis.report.metrics import AgentMetrics, AgentReport, Report
from ninefold.core.errors import Unreadable
from ninefold.core.messages import text
from ninefold.core.text import clean

ReportDocument = dict[str, Any]

WIDTH = 80
_ABOUT_CLAIMS = (4, 5, 7, 8)  # of the lines of a table


def document(report: Report) -> ReportDocument:
    """The report for programs: all metrics, also those that the table has no room for."""
    agents = [
        {"agent": row.agent, "side": row.side or None, "points": row.metrics.points}
        | row.metrics._asdict()
        | {"refused": dict(row.refused)}
        for row in report.rows
    ]
    return {"agents": agents, "judged_by": list(report.judges), "refusals_forgotten": report.forgotten}


def read_document(found: Mapping[str, Any]) -> Report:
    """A report that a server sent."""
    try:
        rows = tuple(_read_row(row) for row in found["agents"])
        return Report(rows, tuple(clean(str(one)) for one in found["judged_by"]), int(found["refusals_forgotten"]))
    except (LookupError, TypeError, ValueError, AttributeError):
        raise Unreadable("not_a_report") from None


def _read_row(found: Mapping[str, Any]) -> AgentReport:
    metrics = AgentMetrics(*(int(found[name]) for name in AgentMetrics._fields))
    refused = {clean(str(reason)): int(count) for reason, count in found["refused"].items()}
    return AgentReport(clean(str(found["agent"])), clean(str(found["side"] or "")), metrics, refused)


def table(report: Report, width: int = WIDTH) -> Iterator[str]:
    """A line for each metric and a column for each agent, as many columns as there is room for; then the notes."""
    heads = ("", *_without_claims(report, _heads()))
    columns = [(row.label, *_without_claims(report, _cells(row.metrics))) for row in report.rows]
    first = max(map(len, heads))
    while columns:
        shown = [columns.pop(0)]
        while columns and first + sum(map(_width, [*shown, columns[0]])) <= width:
            shown.append(columns.pop(0))
        for name, *cells in zip(heads, *shown, strict=True):
            yield f"{name:<{first}}" + "".join(
                f"{cell:>{_width(column)}}" for cell, column in zip(cells, shown, strict=True)
            )
        if columns:
            yield ""
    yield from notes(report)


def _without_claims(report: Report, lines: tuple[str, ...]) -> tuple[str, ...]:
    """The lines of a table, but none about claims if there can be none."""
    return tuple(line for place, line in enumerate(lines) if report.has_claims or place not in _ABOUT_CLAIMS)


def _width(column: tuple[str, ...]) -> int:
    return 2 + max(map(len, column))


def _heads() -> tuple[str, ...]:
    return (
        text("report.matches"), text("report.points"), text("report.illegal_moves"), text("report.unreadable"),
        text("report.refused_claims"), text("report.false_claims"), text("report.missed_wins"),
        text("report.wrong_confirmations"), text("report.wrong_disputes"), text("report.mistakes"),
        text("report.forfeits"), text("report.time"),
    )  # fmt: skip


def _cells(metrics: AgentMetrics) -> tuple[str, ...]:
    mistakes = f"{metrics.mistakes}/{metrics.judged}" if metrics.judged else "-"
    counts = (
        metrics.illegal_moves, metrics.unreadable, metrics.refused_claims, metrics.false_claims, metrics.missed_wins,
        metrics.wrong_confirmations, metrics.wrong_disputes,
    )  # fmt: skip
    rest = (mistakes, str(metrics.forfeits), _time(metrics.milliseconds))
    return (str(metrics.matches), f"{metrics.points:g}", *map(str, counts), *rest)


def _time(milliseconds: int) -> str:
    seconds = milliseconds / 1000
    if seconds < 100:
        return text("report.seconds", time=seconds)
    return text("report.minutes", time=seconds / 60) if seconds < 6000 else text("report.hours", time=seconds / 3600)


def notes(report: Report) -> Iterator[str]:
    if report.judges:
        judges = reduce(lambda one, other: text("report.judges", one=one, other=other), report.judges)
        yield text("report.judged_by", judges=judges)
    if report.forgotten:
        yield text("report.forgotten", count=report.forgotten)
