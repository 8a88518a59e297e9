"""A report as JSON and as a table in a terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import reduce
from typing import Any

from ninefold.analysis.report.metrics import AgentMetrics, AgentReport, Report
from ninefold.core.errors import Unreadable
from ninefold.core.messages import text
from ninefold.core.text import clean

ReportDocument = dict[str, Any]

WIDTH = 80
_LATER = {"resigned", "statements", "misreports"}  # figures that earlier servers do not count
_ABOUT_CLAIMS = {"refused_claims", "false_claims", "wrong_confirmations", "wrong_disputes"}


def document(report: Report) -> ReportDocument:
    """The report for programs: all metrics, also those that the table has no room for."""
    agents = [
        {"agent": row.agent, "side": row.side or None, "points": row.metrics.points}
        | row.metrics._asdict()
        | {"refused": dict(row.refused)}
        for row in report.rows
    ]
    return {
        "agents": agents,
        "judged_by": list(report.judges),
        "refusals_forgotten": report.forgotten,
        "has_claims": report.has_claims,
    }


def read_document(found: Mapping[str, Any]) -> Report:
    """A report that a server sent."""
    try:
        rows, judges = map(_read_row, found["agents"]), (clean(str(one)) for one in found["judged_by"])
        has_claims = bool(found.get("has_claims", True))  # earlier servers do not say it
        return Report(tuple(rows), tuple(judges), int(found["refusals_forgotten"]), has_claims)
    except (LookupError, TypeError, ValueError, AttributeError):
        raise Unreadable("not_a_report") from None


def _read_row(found: Mapping[str, Any]) -> AgentReport:
    counts = {name: int(found[name]) for name in AgentMetrics._fields if name not in _LATER or name in found}
    refused = {clean(str(reason)): int(count) for reason, count in found["refused"].items()}
    return AgentReport(clean(str(found["agent"])), clean(str(found["side"] or "")), AgentMetrics(**counts), refused)


def table(report: Report, width: int = WIDTH) -> Iterator[str]:
    """A line for each metric and a column for each agent, as many columns as there is room for; then the notes."""
    metrics = [name for name in _CELLS if report.has_claims or name not in _ABOUT_CLAIMS]
    heads = ("", *(text(f"report.{name}") for name in metrics))
    columns = [(row.label, *(_CELLS[name](row.metrics) for name in metrics)) for row in report.rows]
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


def _width(column: tuple[str, ...]) -> int:
    return 2 + max(map(len, column))


def time_used(milliseconds: int) -> str:
    seconds = milliseconds / 1000
    if seconds < 100:
        return text("report.seconds", time=seconds)
    return text("report.minutes", time=seconds / 60) if seconds < 6000 else text("report.hours", time=seconds / 3600)


_CELLS: dict[str, Callable[[AgentMetrics], str]] = {
    "matches": lambda metrics: str(metrics.matches),
    "points": lambda metrics: f"{metrics.points:g}",
    "illegal_moves": lambda metrics: str(metrics.illegal_moves),
    "unreadable": lambda metrics: str(metrics.unreadable),
    "refused_claims": lambda metrics: str(metrics.refused_claims),
    "false_claims": lambda metrics: str(metrics.false_claims),
    "missed_wins": lambda metrics: str(metrics.missed_wins),
    "wrong_confirmations": lambda metrics: str(metrics.wrong_confirmations),
    "wrong_disputes": lambda metrics: str(metrics.wrong_disputes),
    "mistakes": lambda metrics: f"{metrics.mistakes}/{metrics.judged}" if metrics.judged else "-",
    "misreports": lambda metrics: f"{metrics.misreports}/{metrics.statements}" if metrics.statements else "-",
    "resigned": lambda metrics: str(metrics.resigned),
    "forfeits": lambda metrics: str(metrics.forfeits),
    "time": lambda metrics: time_used(metrics.milliseconds),
}  # of a table, by the metric that each shows


def notes(report: Report) -> Iterator[str]:
    if report.judges:
        judges = reduce(lambda one, other: text("report.judges", one=one, other=other), report.judges)
        yield text("report.judged_by", judges=judges)
    if report.forgotten:
        yield text("report.forgotten", count=report.forgotten)
