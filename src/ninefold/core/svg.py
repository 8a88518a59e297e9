"""A position as an SVG picture, standing on its own: no script, no font, no outside request."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import cast

from ninefold.core.game import Game
from ninefold.core.messages import text
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
        yield from _owned(owner, left - 2, top - 2, 3 * CELL + 4)
        if board in position.open_boards:
            yield f'<rect {_square(left - 2, top - 2, 3 * CELL + 4)} fill="none" stroke="#009e73" stroke-width="2.5"/>'
        yield from _lines(left, top, CELL, 1, "#999")
        for cell, mark in enumerate(position.cells[board * 9 : board * 9 + 9]):
            yield from _mark(mark, left, top, cell, CELL, board * 9 + cell in last)
        for side in Side:
            if side.name in owner:
                yield from _mark(side, left, top, 0, 3 * CELL, False)
        if owner and not set(owner) & set(_COLOUR):
            path = f"M{left + CELL / 2:g} {top + 1.5 * CELL:g}h{2 * CELL}"
            yield f'<path d="{path}" stroke="#444" stroke-width="{0.3 * CELL:g}" stroke-linecap="round"/>'
    yield from _won(position, margin, step)


def _owned(owner: str, left: float, top: float, size: float) -> Iterator[str]:
    """The ground of a dead board, in the colours of those for whom it counts, and in words."""
    if not owner:
        return
    code = {"X": "svg.won", "O": "svg.won", "XO": "svg.drawn.both"}.get(owner, "svg.drawn.nobody")
    yield f"<g><title>{text(code, side=owner)}</title>"
    if owner == "XO":
        for side, corner in (("X", f"{left:g} {top:g}"), ("O", f"{left + size:g} {top + size:g}")):
            path = f"M{corner}L{left + size:g} {top:g}L{left:g} {top + size:g}Z"
            yield f'<path d="{path}" fill="{_COLOUR[side]}" fill-opacity="0.25"/>'
    else:
        yield f'<rect {_square(left, top, size)} fill="{_COLOUR.get(owner, "#888")}" fill-opacity="0.25"/>'
    yield "</g>"


def _square(left: float, top: float, size: float) -> str:
    return f'x="{left:g}" y="{top:g}" width="{size:g}" height="{size:g}" rx="4"'


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
