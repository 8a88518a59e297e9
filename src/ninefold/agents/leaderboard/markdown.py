"""Tables of a leaderboard in Markdown, for cards and documentation."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from ninefold.agents.leaderboard.board_tables import interval
from ninefold.agents.leaderboard.standings import Leaderboard
from ninefold.core.messages import text

_CLAIMS = ("false_claims", "unclaimed_lines", "wrong_confirmations", "wrong_disputes")


def ratings_table(board: Leaderboard) -> Iterator[str]:
    names = ("agent", "elo", "interval", "points", "games", "as_x", "as_o")
    rows = (
        (
            one.agent, f"{one.rating.elo:+.0f}", interval(one.rating.low, one.rating.high),
            f"{one.total.points:g}", str(one.total.games), *(f"{tally.points:g}" for tally in one.by_side.values()),
        )
        for one in board.standings
    )  # fmt: skip
    yield from markdown_table([text(f"board.{name}") for name in names], rows)


def figures_table(board: Leaderboard) -> Iterator[str]:
    """Play, claims and words of each agent."""
    claims = _CLAIMS if board.has_claims else ()
    heads = ("agent", "mistakes", "missed_wins", *claims, "misreports", "illegal_moves", "forfeits")
    rows = (
        (
            one.agent, f"{one.metrics.mistakes}/{one.metrics.judged}", str(one.metrics.missed_wins),
            *(str(getattr(one.metrics, name)) for name in claims),
            f"{one.metrics.misreports}/{one.metrics.statements}" if one.metrics.statements else "-",
            str(one.metrics.illegal_moves), str(one.metrics.forfeits),
        )
        for one in board.standings
    )  # fmt: skip
    yield from markdown_table([text(f"board.{name}") for name in heads], rows)


def cross_table(board: Leaderboard) -> Iterator[str]:
    """The share of the points of each row against each column, in percent."""
    names = [one.agent for one in board.standings]
    rows = ([row, *(_share(board, row, column) for column in names)] for row in names)
    yield from markdown_table(["", *(str(place) for place in range(1, len(names) + 1))], _numbered(rows))


def _numbered(rows: Iterable[Sequence[str]]) -> Iterator[list[str]]:
    for place, (name, *shares) in enumerate(rows, 1):
        yield [f"{place} {name}", *shares]


def _share(board: Leaderboard, row: str, column: str) -> str:
    met = board.meeting(row, column)
    if met is None or met.tally.share is None:
        return ""
    share = met.tally.share if met.one == row else 1 - met.tally.share
    return f"{100 * share:.0f}"


def markdown_table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    """A table whose columns but the first are aligned to the right."""
    yield f"| {' | '.join(heads)} |"
    yield f"|---|{'---:|' * (len(heads) - 1)}"
    for row in rows:
        yield f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |"
