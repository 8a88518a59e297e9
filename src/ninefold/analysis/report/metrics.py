"""The figures of a report, and how those of many matches become one table. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import NamedTuple


class Refused(NamedTuple):
    """An attempt that was refused: by which seat, at what kind of action, why, and at which version of the match."""

    seat: int
    action: str
    reason: str
    version: int | None = None


class Figures(NamedTuple):
    """What is counted of one agent. ``judged`` is of how many moves it is known whether they were mistakes."""

    matches: int = 0
    won: int = 0
    drawn: int = 0
    lost: int = 0
    moves: int = 0
    illegal_moves: int = 0
    unreadable: int = 0
    refused_claims: int = 0  # answers to claims among them
    false_claims: int = 0
    withdrawn: int = 0  # of the false claims
    missed_wins: int = 0
    unclaimed_lines: int = 0  # of the missed wins
    wrong_confirmations: int = 0
    wrong_disputes: int = 0
    unanswered_claims: int = 0
    judged: int = 0
    mistakes: int = 0
    forfeits: int = 0
    milliseconds: int = 0

    @property
    def points(self) -> float:
        return self.won + self.drawn / 2

    def plus(self, other: Figures) -> Figures:
        return Figures(*(one + two for one, two in zip(self, other, strict=True)))


class Row(NamedTuple):
    """One agent: its figures, and every refusal it met by its reason. ``side`` is known in a single match."""

    agent: str
    side: str
    figures: Figures
    refused: Mapping[str, int] = {}

    @property
    def label(self) -> str:
        return f"{self.agent} ({self.side})" if self.side else self.agent


class Report(NamedTuple):
    """``judges`` says by what mistakes were found; ``forgotten`` refusals were too many to be kept."""

    rows: tuple[Row, ...]
    judges: tuple[str, ...] = ()
    forgotten: int = 0


def combine(reports: Iterable[Report]) -> Report:
    """One report on a set of matches, agent by agent; who took the larger share of the points stands above."""
    figures: dict[str, Figures] = {}
    refused: dict[str, Counter[str]] = {}
    judges: dict[str, None] = {}
    forgotten = 0
    for report in reports:
        judges |= dict.fromkeys(report.judges)
        forgotten += report.forgotten
        for row in report.rows:
            figures[row.agent] = figures.get(row.agent, Figures()).plus(row.figures)
            refused.setdefault(row.agent, Counter()).update(row.refused)
    rows = (Row(agent, "", figures[agent], dict(refused[agent])) for agent in figures)
    return Report(tuple(sorted(rows, key=_standing)), tuple(judges), forgotten)


def _standing(row: Row) -> tuple[float, str]:
    return -row.figures.points / max(1, row.figures.matches), row.agent
