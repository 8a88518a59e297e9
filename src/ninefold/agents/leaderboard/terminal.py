"""A leaderboard as text for a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from ninefold.agents.leaderboard.index_page import needed, verdict
from ninefold.agents.leaderboard.notes import board_notes
from ninefold.agents.leaderboard.standings import Leaderboard, Tally
from ninefold.core.messages import text


def board_lines(board: Leaderboard) -> Iterator[str]:
    """The ratings, the figures of claims and mistakes, and the pairs that are still open."""
    yield board.title
    yield ""
    heads = [text(f"board.{name}") for name in ("agent", "elo", "interval", "points", "games", "as_x", "as_o")]
    rows = [
        [
            one.agent, f"{one.rating.elo:+.0f}", f"{one.rating.low:+.0f} to {one.rating.high:+.0f}",
            f"{one.total.points:g}", str(one.total.games), *map(_result, one.by_side.values()),
        ]
        for one in board.standings
    ]  # fmt: skip
    yield from columns([heads, *rows])
    yield from board_notes(board)
    yield ""
    names = ["mistakes", "missed_wins", *(["false_claims", "wrong_confirmations", "wrong_disputes"] * board.has_claims)]
    heads = [text(f"board.{name}") for name in ("agent", *names, "misreports", "resigned", "crashes")]
    rows = [
        [
            one.agent, *(str(getattr(one.metrics, name)) for name in names),
            f"{one.metrics.misreports}/{one.metrics.statements}" if one.metrics.statements else "-",
            str(one.metrics.resigned), str(one.crashes),
        ]
        for one in board.standings
    ]  # fmt: skip
    yield from columns([heads, *rows])
    unclear = [met for met in board.meetings if not met.test.is_significant]
    if unclear:
        yield ""
        heads = ["pair", "won-drawn-lost", "p", "verdict", "games still needed"]
        pairs = [
            [f"{m.one} - {m.two}", "-".join(map(str, m.tally)), f"{m.test.p_value:.3f}", verdict(m), needed(m)]
            for m in unclear
        ]
        yield from columns([heads, *pairs])


def _result(tally: Tally) -> str:
    return f"{tally.points:g}/{tally.games}"


def columns(rows: Iterable[Sequence[str]]) -> Iterator[str]:
    """Rows with aligned columns: the first to the left, the others to the right."""
    found = list(rows)
    widths = [max(map(len, column)) for column in zip(*found, strict=True)]
    for first, *others in found:
        cells = (f"{cell:>{width}}" for cell, width in zip(others, widths[1:], strict=True))
        yield "  ".join([f"{first:<{widths[0]}}", *cells]).rstrip()
