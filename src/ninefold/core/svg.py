"""A position as an SVG picture, standing on its own: no script, no font, no outside request."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import cast

from ninefold.core.game import Game
from ninefold.core.position import BoardOfBoards, Position, Side

CELL = 30
_COLOUR = {"X": "#0072b2", "O": "#d55e00"}  # told apart by people who are colour-blind, and by their shape


def svg(game: Game, position: Position, *, last: Collection[int] = ()) -> str:
    size = 9 * CELL + 4 * CELL // 3 if game.picture.boards else 3 * CELL + CELL // 3
    body = _boards(cast("BoardOfBoards", position), last) if game.picture.boards else _grid(position, last)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size} {size}" role="img" aria-label="{position}">\n'
        f'<rect width="{size}" height="{size}" fill="#fff"/>\n' + "\n".join(body) + "\n</svg>\n"
    )


def _grid(position: Position, last: Collection[int]) -> Iterator[str]:
    margin = CELL / 6
    yield from _lines(margin, margin, CELL, 1.5, "#444")
    for cell, mark in enumerate(position.cells):
        yield from _mark(mark, margin, margin, cell, CELL, cell in last)
    yield from _won(position, margin, CELL)


def _boards(position: BoardOfBoards, last: Collection[int]) -> Iterator[str]:
    step = 3 * CELL + CELL // 3
    margin = CELL / 6
    yield from _lines(margin, margin, step, 3, "#222")
    for board, owner in enumerate(position.owners):
        left, top = 2 * margin + step * (board % 3), 2 * margin + step * (board // 3)
        fill = _COLOUR.get(owner, "#888" if owner else "#fff")
        frame = ' stroke="#009e73" stroke-width="2.5"' if board in position.open_boards else ""
        yield (
            f'<rect x="{left - 2:g}" y="{top - 2:g}" width="{3 * CELL + 4}" height="{3 * CELL + 4}" rx="4"'
            f' fill="{fill}" fill-opacity="{0.25 if owner else 0}"{frame}/>'
        )
        yield from _lines(left, top, CELL, 1, "#999")
        for cell, mark in enumerate(position.cells[board * 9 : board * 9 + 9]):
            yield from _mark(mark, left, top, cell, CELL, board * 9 + cell in last)
        if owner in _COLOUR:
            yield from _mark(Side[owner], left, top, 0, 3 * CELL, False)
    yield from _won(position, margin, step)


def _lines(left: float, top: float, step: float, width: float, colour: str) -> Iterator[str]:
    end = 3 * step
    for place in (step, 2 * step):
        for path in (f"M{left + place:g} {top:g}v{end:g}", f"M{left:g} {top + place:g}h{end:g}"):
            yield f'<path d="{path}" stroke="{colour}" stroke-width="{width}" stroke-linecap="round"/>'


def _mark(mark: Side | None, left: float, top: float, cell: int, size: float, last: bool) -> Iterator[str]:
    x, y, arm = left + size * (cell % 3 + 0.5), top + size * (cell // 3 + 0.5), size * 0.28
    if last:
        yield f'<circle cx="{x:g}" cy="{y:g}" r="{size * 0.45:g}" fill="#f0e442" fill-opacity="0.6"/>'
    if mark is None:
        return
    style = f'stroke="{_COLOUR[mark.name]}" stroke-width="{size / 10:g}" stroke-linecap="round" fill="none"'
    if mark is Side.O:
        yield f'<circle cx="{x:g}" cy="{y:g}" r="{arm:g}" {style}/>'
    else:
        arms = f"M{x - arm:g} {y - arm:g}l{2 * arm:g} {2 * arm:g}M{x + arm:g} {y - arm:g}l{-2 * arm:g} {2 * arm:g}"
        yield f'<path d="{arms}" {style}/>'


def _won(position: Position, margin: float, step: float) -> Iterator[str]:
    for line in position.outcome.lines if position.outcome else ():
        ends = [f"{margin + step * (cell % 3 + 0.5):g} {margin + step * (cell // 3 + 0.5):g}" for cell in line]
        stroke = f'stroke="#000" stroke-width="{step / 15:g}" stroke-opacity="0.7"'
        yield f'<path d="M{ends[0]}L{ends[-1]}" {stroke}/>'
