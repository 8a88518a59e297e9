"""The tables of a leaderboard as rows of text: those that the page has, in the words of a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ninefold.agents.evaluation.usage import AgentUsage
from ninefold.agents.leaderboard.index_page import needed, verdict
from ninefold.agents.leaderboard.run_tables import ACCOUNTS, account
from ninefold.agents.leaderboard.standings import Leaderboard, Meeting, Standing, Tally
from ninefold.analysis.report.endings import CAUSES
from ninefold.analysis.report.format import time_used
from ninefold.core.messages import text

_NONE = "-"
_CLAIMS = (
    "false_claims", "withdrawn", "unclaimed_lines", "wrong_confirmations", "wrong_disputes", "unanswered_claims",
    "refused_claims",
)  # fmt: skip


class TextTable(NamedTuple):
    """A table whose first column names its rows."""

    caption: str
    heads: Sequence[str]
    rows: Sequence[Sequence[str]]


def terminal_tables(board: Leaderboard) -> Iterator[TextTable]:
    """The tables that have something to show, the ratings first."""
    yield _ratings(board)
    yield _sides(board)
    yield _play(board)
    if board.has_claims:
        claims = [[getattr(one.metrics, name) for name in _CLAIMS] for one in board.standings]
        yield _table(board, "claims", _CLAIMS, claims)
    if causes := [cause for cause in CAUSES if any(one.endings.get(cause) for one in board.standings)]:
        yield _losses(board, causes)
    if users := [(one, one.usage) for one in board.standings if one.usage]:
        yield _accounts(users)
    if board.meetings:
        yield _pairs(board)


def _table(board: Leaderboard, caption: str, names: Sequence[str], rows: Sequence[Sequence[object]]) -> TextTable:
    """A table with a row for each agent."""
    return TextTable(
        text(f"board.table.{caption}"),
        _heads(names),
        [[one.agent, *map(str, row)] for one, row in zip(board.standings, rows, strict=True)],
    )


def _heads(names: Sequence[str]) -> list[str]:
    return [text(f"board.{name}") for name in ("agent", *names)]


def _ratings(board: Leaderboard) -> TextTable:
    names = ("elo", "interval", "points", "games", "share", "won", "drawn", "lost")
    rows = [
        [
            f"{one.rating.elo:+.0f}", _interval(one.rating.low, one.rating.high), f"{one.total.points:g}",
            one.total.games, _share(one.total), *one.total,
        ]
        for one in board.standings
    ]  # fmt: skip
    return _table(board, "ratings", names, rows)


def _sides(board: Leaderboard) -> TextTable:
    names = ("as_x", "as_o", "moves_first", "moves_second")
    rows = [[*map(_result, (*one.by_side.values(), *one.by_turn.values()))] for one in board.standings]
    return _table(board, "sides", names, rows)


def _play(board: Leaderboard) -> TextTable:
    names = (
        "moves", "mistakes", "missed_wins", "illegal_moves", "unreadable", "forfeits", "crashes", "misreports",
        "resigned", "time",
    )  # fmt: skip
    found = [(one, one.metrics) for one in board.standings]
    rows = [
        [
            m.moves, _of(m.mistakes, m.judged), m.missed_wins, m.illegal_moves, m.unreadable, m.forfeits, one.crashes,
            _of(m.misreports, m.statements), m.resigned, time_used(m.milliseconds),
        ]
        for one, m in found
    ]  # fmt: skip
    return _table(board, "play", names, rows)


def _losses(board: Leaderboard, causes: Sequence[str]) -> TextTable:
    reasons = [_reasons(one) for one in board.standings]
    shown = ["reasons"] if any(reasons) else []
    rows = [
        [*(one.endings.get(cause, 0) for cause in causes), *([why or _NONE] if shown else [])]
        for one, why in zip(board.standings, reasons, strict=True)
    ]
    return _table(board, "losses", [*(f"cause.{cause}" for cause in causes), *shown], rows)


def _reasons(one: Standing) -> str:
    return ", ".join(f"{reason or 'silence'} {count}" for reason, count in sorted(one.forfeit_reasons.items()))


def _accounts(users: Sequence[tuple[Standing, AgentUsage]]) -> TextTable:
    return TextTable(text("board.table.accounts"), _heads(ACCOUNTS), [account(*user) for user in users])


def _pairs(board: Leaderboard) -> TextTable:
    names = ("pair", "results", "elo", "interval", "pairs", "p_value", "verdict", "needed")
    heads = [text(f"board.{name}") for name in names]
    return TextTable(text("board.table.pairs"), heads, [_pair(met) for met in board.meetings])


def _pair(met: Meeting) -> list[str]:
    estimate, test = met.estimate, met.test
    return [
        f"{met.one} - {met.two}", "-".join(map(str, met.tally)), f"{estimate.elo:+.0f}",
        _interval(estimate.low, estimate.high), f"{test.better}-{test.equal}-{test.worse}", f"{test.p_value:.3f}",
        verdict(met), needed(met),
    ]  # fmt: skip


def _interval(low: float, high: float) -> str:
    return f"{low:+.0f} to {high:+.0f}"


def _result(tally: Tally) -> str:
    return f"{tally.points:g}/{tally.games} ({_share(tally)})" if tally.games else _NONE


def _share(tally: Tally) -> str:
    return _NONE if tally.share is None else f"{tally.share:.0%}"


def _of(count: int, total: int) -> str:
    return f"{count}/{total}" if total else _NONE
