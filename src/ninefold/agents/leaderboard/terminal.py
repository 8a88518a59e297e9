"""A leaderboard as text for a terminal: the same tables as on its page, as wide as the terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ninefold.agents.leaderboard.board_tables import TextTable, board_tables
from ninefold.agents.leaderboard.notes import board_notes
from ninefold.agents.leaderboard.standings import Leaderboard

WIDTH = 100  # where the output is no terminal
_GAP = "  "


def board_lines(board: Leaderboard, width: int = WIDTH) -> Iterator[str]:
    """Every figure of a leaderboard: ratings, sides, play, claims, losses, accounts, and all pairs of agents."""
    yield board.title
    ratings, *others = board_tables(board)
    yield from table_lines(ratings, width)
    yield from board_notes(board)
    for one in others:
        yield from table_lines(one, width)


def table_lines(table: TextTable, width: int) -> Iterator[str]:
    yield ""
    yield f"{table.caption}:"
    yield from columns([table.heads, *table.rows], width)


def columns(rows: Sequence[Sequence[str]], width: int) -> Iterator[str]:
    """Rows with aligned columns: the first to the left, the others to the right. Where they are too many for the width,
    the rest follows below, with the first column again."""
    names, *others = zip(*rows, strict=True)
    first = max(map(len, names))
    while others:
        shown, others = _fitting(others, width - first)
        widths = [max(map(len, column)) for column in shown]
        for name, *cells in zip(names, *shown, strict=True):
            aligned = (f"{cell:>{wide}}" for cell, wide in zip(cells, widths, strict=True))
            yield _GAP.join([f"{name:<{first}}", *aligned]).rstrip()
        if others:
            yield ""


def _fitting(found: list[tuple[str, ...]], width: int) -> tuple[list[tuple[str, ...]], list[tuple[str, ...]]]:
    """The columns that fit into a width, at least one, and the rest."""
    used = 0
    for place, column in enumerate(found):
        used += len(_GAP) + max(map(len, column))
        if place and used > width:
            return found[:place], found[place:]
    return found, []
