"""A position as an SVG picture, standing on its own: no script, no font, no outside request.

It follows docs/design-language.md: cells are tiles on a tray, a decided board is one tile in the colour of its owner.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from typing import cast

from ninefold.core.game import Game
from ninefold.core.messages import text
from ninefold.core.palette import LIGHT, Theme
from ninefold.core.position import BoardOfBoards, Outcome, Path, Position, Side

__all__ = ["svg"]

CELL = 30
GAP = CELL / 6
CORNER = 6  # the radius of a tray's corners


def svg(
    game: Game,
    position: Position,
    *,
    last: Collection[int] = (),
    outcome: Outcome | None = None,
    theme: Theme = LIGHT,
    place: Callable[[str], str] = str,
) -> str:
    """The picture of a position, with the cells of the last move, and the lines that decided the game: those of an
    outcome, or of the position's own. ``place`` is called with the shapes of each board, and returns what stands for
    them in the picture: a page with many pictures can share the boards that are the same.

    >>> from ninefold import find_game
    >>> game = find_game("classic")
    >>> drawn = svg(game, game.begin().play(4), last=(4,))
    >>> drawn.startswith("<svg "), drawn.endswith("</svg>\\n")
    (True, True)
    """
    return draw(position, boards=game.picture.boards, last=last, outcome=outcome, theme=theme, place=place)


def draw(
    position: Position,
    *,
    boards: bool,
    last: Collection[int] = (),
    outcome: Outcome | None = None,
    theme: Theme = LIGHT,
    place: Callable[[str], str] = str,
) -> str:
    """The same for who does not know the game, but whether its cells are ``boards``."""
    size = 3 * _step(boards) + GAP
    grids = _boards(cast("BoardOfBoards", position), last, theme) if boards else [_grid(position, last, theme)]
    decided = outcome or position.outcome
    lines = _won(decided.lines if decided else (), _step(boards), theme)
    shapes = "\n".join((*(place("\n".join(grid)) for grid in grids), *lines))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size:g} {size:g}" role="img" aria-label="{position}">\n'
        f'<rect width="{size:g}" height="{size:g}" fill="{theme.ground}"/>\n{shapes}\n</svg>\n'
    )


def _step(boards: bool) -> float:
    """From one cell, or board, of the whole to the next."""
    return 3 * CELL + 2 * GAP if boards else CELL


def _grid(position: Position, last: Collection[int], theme: Theme) -> Iterator[str]:
    yield _square(0, 0, 3 * CELL + GAP, theme.sunken)
    yield from _cells(position.cells, GAP / 2, GAP / 2, last, "1", theme)


def _boards(position: BoardOfBoards, last: Collection[int], theme: Theme) -> Iterator[Iterator[str]]:
    step = _step(True)
    for board, owner in enumerate(position.owners):
        left, top = 1.5 * GAP + step * (board % 3), 1.5 * GAP + step * (board // 3)
        if owner:
            yield _owned(owner, position.cells[board * 9 : board * 9 + 9], left, top, theme)
        else:
            yield _live(position, board, left, top, {cell - board * 9 for cell in last}, theme)


def _live(
    position: BoardOfBoards, board: int, left: float, top: float, last: Collection[int], theme: Theme
) -> Iterator[str]:
    """A board that is not decided."""
    is_open = board in position.open_boards
    tray = _colour(position.turn, theme) if is_open else theme.sunken
    yield _square(left - GAP / 2, top - GAP / 2, 3 * CELL + GAP, tray)
    cells = position.cells[board * 9 : board * 9 + 9]
    yield from _cells(cells, left, top, last, "1" if is_open else "0.55", theme)


def _cells(
    cells: Collection[Side | None], left: float, top: float, last: Collection[int], opacity: str, theme: Theme
) -> Iterator[str]:
    for cell, mark in enumerate(cells):
        x, y = left + CELL * (cell % 3), top + CELL * (cell // 3)
        colour, clear = (theme.last, "1") if cell in last else (theme.surface, opacity)
        yield _square(x + 1, y + 1, CELL - 2, colour, f' fill-opacity="{clear}"')
        if mark is not None:
            yield _mark(mark, x, y, CELL, _colour(mark, theme))


def _owned(owner: str, cells: Collection[Side | None], left: float, top: float, theme: Theme) -> Iterator[str]:
    """A decided board in the colours of those for whom it counts, and in words."""
    size = 3 * CELL
    x, y, end = left - GAP / 2, top - GAP / 2, size + GAP
    code = {"X": "svg.won", "O": "svg.won", "XO": "svg.drawn.both"}.get(owner, "svg.drawn.nobody")
    yield f"<g><title>{text(code, side=owner)}</title>"
    yield _square(x, y, end, {"X": theme.x, "O": theme.o}.get(owner[0], theme.grid))
    if owner == "XO":
        edge, corner = end - 2 * CORNER, f"a{CORNER} {CORNER} 0 0 1 -{CORNER} {CORNER}"
        yield f'<path d="M{x + end:g} {y + CORNER:g}v{edge:g}{corner}h{-edge:g}Z" fill="{theme.o}"/>'
    yield '<g opacity="0.3">'
    for cell, mark in enumerate(cells):
        if mark is not None:
            yield _mark(mark, left + CELL * (cell % 3), top + CELL * (cell // 3), CELL, theme.on_side)
    yield "</g>"
    if owner == "XO":
        yield _mark(Side.X, left, top, size / 2, theme.on_side)
        yield _mark(Side.O, left + size / 2, top + size / 2, size / 2, theme.on_side)
    elif owner in ("X", "O"):
        yield _mark(Side[owner], left, top, size, theme.on_side)
    else:
        yield f'<path d="M{left + CELL:g} {top + 1.5 * CELL:g}h{CELL}" {_stroke(theme.ink, CELL / 4)}/>'
    yield "</g>"


def _colour(side: Side, theme: Theme) -> str:
    return theme.o if side is Side.O else theme.x


def _square(left: float, top: float, size: float, colour: str, more: str = "") -> str:
    corner = min(CORNER, size / 6)
    place = f'x="{left:g}" y="{top:g}" width="{size:g}" height="{size:g}" rx="{corner:g}"'
    return f'<rect {place} fill="{colour}"{more}/>'


def _mark(mark: Side, left: float, top: float, size: float, colour: str) -> str:
    x, y, arm = left + size / 2, top + size / 2, size * 0.24
    stroke = _stroke(colour, size * 0.15)
    if mark is Side.O:
        return f'<circle cx="{x:g}" cy="{y:g}" r="{arm:g}" {stroke}/>'
    arms = f"M{x - arm:g} {y - arm:g}l{2 * arm:g} {2 * arm:g}M{x + arm:g} {y - arm:g}l{-2 * arm:g} {2 * arm:g}"
    return f'<path d="{arms}" {stroke}/>'


def _stroke(colour: str, width: float) -> str:
    return f'stroke="{colour}" stroke-width="{width:g}" stroke-linecap="round" fill="none"'


def _won(lines: Iterable[Path], step: float, theme: Theme) -> Iterator[str]:
    """The lines that decided the game, through the centres of three cells or boards."""
    margin = GAP / 2
    for line in lines:
        ends = [f"{margin + step * (cell % 3 + 0.5):g} {margin + step * (cell // 3 + 0.5):g}" for cell in line]
        for colour, width in ((theme.surface, step / 10), (theme.ink, step / 15)):
            yield f'<path d="M{ends[0]}L{ends[-1]}" {_stroke(colour, width)}/>'
