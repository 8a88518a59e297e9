"""The tables of a leaderboard as rows of text. Its page and the terminal show the same ones."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ninefold.agents.evaluation.usage import AgentUsage
from ninefold.agents.leaderboard.standings import Leaderboard, Meeting, Standing, Tally
from ninefold.analysis.report.endings import CAUSES
from ninefold.analysis.report.format import time_used
from ninefold.arena.paired_tests import MOST_PAIRS
from ninefold.core.messages import text

_NONE = "-"
_CLAIMS = (
    "false_claims", "withdrawn", "unclaimed_lines", "wrong_confirmations", "wrong_disputes", "unanswered_claims",
    "refused_claims",
)  # fmt: skip
_ACCOUNTS = (
    "requests", "failed", "input_tokens", "cached_tokens", "output_tokens", "reasoning_tokens", "unreported",
    "estimated_tokens", "price", "estimated_price", "latency", "latency_95", "repaired", "models",
)  # fmt: skip


class TextTable(NamedTuple):
    """A table whose first column names its rows."""

    caption: str
    heads: Sequence[str]
    rows: Sequence[Sequence[str]]


def board_tables(board: Leaderboard) -> Iterator[TextTable]:
    """The tables that have something to show, the ratings first and the pairs of agents last."""
    yield ratings_table(board)
    yield sides_table(board)
    yield play_table(board)
    for table in (claims_table, losses_table, accounts_table, pairs_table):
        if found := table(board):
            yield found


def _table(board: Leaderboard, caption: str, names: Sequence[str], rows: Sequence[Sequence[object]]) -> TextTable:
    """A table with a row for each agent."""
    return TextTable(
        text(f"board.table.{caption}"),
        _heads("agent", *names),
        [[one.agent, *map(str, row)] for one, row in zip(board.standings, rows, strict=True)],
    )


def _heads(*names: str) -> list[str]:
    return [text(f"board.{name}") for name in names]


def ratings_table(board: Leaderboard) -> TextTable:
    names = ("elo", "interval", "points", "games", "share", "won", "drawn", "lost")
    rows = [
        [
            f"{one.rating.elo:+.0f}", interval(one.rating.low, one.rating.high), f"{one.total.points:g}",
            one.total.games, _share(one.total), *one.total,
        ]
        for one in board.standings
    ]  # fmt: skip
    return _table(board, "ratings", names, rows)


def sides_table(board: Leaderboard) -> TextTable:
    names = ("as_x", "as_o", "moves_first", "moves_second")
    rows = [[*map(_result, (*one.by_side.values(), *one.by_turn.values()))] for one in board.standings]
    return _table(board, "sides", names, rows)


def play_table(board: Leaderboard) -> TextTable:
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


def claims_table(board: Leaderboard) -> TextTable | None:
    """None in a game without claims."""
    if not board.has_claims:
        return None
    rows = [[getattr(one.metrics, name) for name in _CLAIMS] for one in board.standings]
    return _table(board, "claims", _CLAIMS, rows)


def losses_table(board: Leaderboard) -> TextTable | None:
    """How matches were lost; None if nobody has lost one."""
    causes = [cause for cause in CAUSES if any(one.endings.get(cause) for one in board.standings)]
    if not causes:
        return None
    reasons = [_reasons(one) for one in board.standings]
    shown = ["reasons"] if any(reasons) else []
    rows = [
        [*(one.endings.get(cause, 0) for cause in causes), *([why or _NONE] if shown else [])]
        for one, why in zip(board.standings, reasons, strict=True)
    ]
    return _table(board, "losses", [*(f"lost_{cause}" for cause in causes), *shown], rows)


def _reasons(one: Standing) -> str:
    return ", ".join(f"{reason or 'silence'} {count}" for reason, count in sorted(one.forfeit_reasons.items()))


def accounts_table(board: Leaderboard) -> TextTable | None:
    """What each agent has used; None if none has used anything."""
    users = [(one, one.usage) for one in board.standings if one.usage]
    if not users:
        return None
    rows = [_account(*user) for user in users]
    return TextTable(text("board.table.accounts"), _heads("agent", *_ACCOUNTS), rows)


def _account(one: Standing, use: AgentUsage) -> list[str]:
    return [
        one.agent, f"{use.requests:,}", f"{use.failed:,}", f"{use.input_tokens:,}", f"{use.cached_tokens:,}",
        f"{use.output_tokens:,}", f"{use.reasoning_tokens:,}", f"{use.unreported:,}", f"{use.estimated_tokens:,}",
        _money(use.price), _money(use.estimated_price), time_used(use.latency), time_used(use.latency_95),
        f"{one.repaired:,}", ", ".join(use.served_models) or _NONE,
    ]  # fmt: skip


def _money(price: float | None) -> str:
    return _NONE if price is None else f"{price:.4f}"


def pairs_table(board: Leaderboard) -> TextTable | None:
    """Every two agents that have met; None if nobody has met anybody."""
    heads = _heads("pair", "results", "elo", "interval", "pairs", "p_value", "verdict", "needed")
    return TextTable(text("board.table.pairs"), heads, list(map(_pair, board.meetings))) if board.meetings else None


def _pair(met: Meeting) -> list[str]:
    estimate, test = met.estimate, met.test
    return [
        f"{met.one} - {met.two}", "-".join(map(str, met.tally)), f"{estimate.elo:+.0f}",
        interval(estimate.low, estimate.high), f"{test.better}-{test.equal}-{test.worse}", f"{test.p_value:.3f}",
        _verdict(met), games_still_needed(met),
    ]  # fmt: skip


def _verdict(met: Meeting) -> str:
    """The outcome of a paired test in words."""
    if not met.test.is_significant:
        return text("board.verdict.open")
    return text("board.verdict.better", agent=met.one if met.test.better > met.test.worse else met.two)


def games_still_needed(met: Meeting) -> str:
    """How many games are still needed until one of two agents is called better, in words."""
    if met.needed is not None:
        return f"{met.needed:,}"
    if not any(met.counts):
        return text("board.needed.no_pair")
    is_level = met.test.better == met.test.worse
    return text("board.needed.none") if is_level else text("board.needed.many", most=2 * MOST_PAIRS)


def interval(low: float, high: float) -> str:
    return f"{low:+.0f} to {high:+.0f}"


def _result(tally: Tally) -> str:
    return f"{tally.points:g}/{tally.games} ({_share(tally)})" if tally.games else _NONE


def _share(tally: Tally) -> str:
    return _NONE if tally.share is None else f"{tally.share:.0%}"


def _of(count: int, total: int) -> str:
    return f"{count}/{total}" if total else _NONE
