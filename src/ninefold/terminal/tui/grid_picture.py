"""A board of nine cells, drawn. Every sign can be told from every other one without colour."""

from __future__ import annotations

from ninefold.core.position import Side
from ninefold.terminal.tui.canvas import CORNERS, DASHED, DOUBLE, HEAVY, ROUND, Canvas, Edges
from ninefold.terminal.tui.marks import large_mark
from ninefold.terminal.tui.scene import Fit, Scene


def draw_grid(scene: Scene, fit: Fit) -> Canvas:
    canvas = Canvas(fit.width, fit.height)
    _rules(canvas, fit)
    for square in range(9):
        _cell(canvas, scene, fit, square)
    return canvas


def _rules(canvas: Canvas, fit: Fit) -> None:
    """The four lines between the cells."""
    row = "┼".join(["─" * fit.cell_width] * 3)
    for top in range(fit.height):
        if (top + 1) % (fit.cell_height + 1) == 0:
            canvas.put(top, 0, row, "rule")
        else:
            for column in (fit.cell_width, 2 * fit.cell_width + 1):
                canvas.put(top, column, "│", "rule")


def _cell(canvas: Canvas, scene: Scene, fit: Fit, square: int) -> None:
    top, left = fit.corner(square)
    frame = _frame(scene, square)
    if frame and fit.cell_height > 1:
        canvas.frame(top, left, fit.cell_width, fit.cell_height, *frame)
    elif frame:  # no room: only its sides
        canvas.put(top, left, frame[0].corners[0] if frame[0] is CORNERS else frame[0].column, frame[1])
        canvas.put(top, left + fit.cell_width - 1, frame[0].column, frame[1])
    mark, ghost = scene.marks[square], scene.ghosts.get(square)
    if ghost is not None and ghost is not mark:
        _ghost(canvas, fit, (top, left), mark, ghost)
        if mark is None and fit.cell_height > 3 and scene.names:
            canvas.center(top + fit.cell_height // 2 - 1, left, fit.cell_width, scene.names[square], "label")
    elif mark is not None:
        _mark(canvas, fit, (top, left), mark, framed=frame is not None)
    else:
        _name(canvas, scene, fit, square)
    if mark is None:
        _notes(canvas, scene, fit, square, framed=frame is not None)


def _frame(scene: Scene, square: int) -> tuple[Edges, str] | None:
    """What is to be said of a cell, the most important first; the cursor only colours what is there already."""
    here = square == scene.cursor
    kinds = (
        (square in scene.line, HEAVY, "line"),
        (square in scene.picked, DOUBLE, "picked"),
        (square == scene.chosen, HEAVY, "chosen"),
        (square in scene.options, DASHED, "option"),
        (here, ROUND, "cursor"),
        (square in scene.last, CORNERS, "last"),
    )
    return next(((edges, "cursor" if here else style) for is_so, edges, style in kinds if is_so), None)


def _mark(canvas: Canvas, fit: Fit, place: tuple[int, int], mark: Side, *, framed: bool) -> None:
    top, left = place
    style = mark.name.lower()
    rows = large_mark(mark, _mark_height(fit.cell_height, framed))
    for down, row in enumerate(rows, (fit.cell_height - len(rows)) // 2):
        canvas.center(top + down, left, fit.cell_width, row, style)


def _mark_height(cell: int, framed: bool) -> int:
    """As large as looks calm: in a small cell only a frame needs room, in a large one there is some to spare."""
    if cell <= 3:
        return 1 if framed else cell
    return cell - 2 if cell < 9 else cell - 4


def _ghost(canvas: Canvas, fit: Fit, place: tuple[int, int], mark: Side | None, ghost: Side) -> None:
    """What would be there: a small letter, or what becomes of the mark that is."""
    text = ghost.name.lower() if mark is None else f"{mark}→{ghost}"
    canvas.center(place[0] + fit.cell_height // 2, place[1], fit.cell_width, text, ghost.name.lower())


def _name(canvas: Canvas, scene: Scene, fit: Fit, square: int) -> None:
    top, left = fit.corner(square)
    name = scene.names[square] if scene.names else ""
    style = "label" if square in scene.playable else "faint"
    canvas.center(top + fit.cell_height // 2, left, fit.cell_width, name, style)


def _notes(canvas: Canvas, scene: Scene, fit: Fit, square: int, *, framed: bool) -> None:
    """Below the middle of an empty cell: who could win there, and what it is worth."""
    top, left = fit.corner(square)
    wins = " ".join(f"{side} wins" for side in [scene.winning.get(square, "")] if side)
    notes = [(wins.replace("XO wins", "X O win"), "threat"), (scene.values.get(square, ""), "value")]
    room = max(0, (fit.cell_height - 1) // 2 - framed)
    if room == 1:  # what a cell is worth says more
        notes.reverse()
    for down, (text, style) in enumerate([note for note in notes if note[0]][:room], 1):
        canvas.center(top + fit.cell_height // 2 + down, left, fit.cell_width, text, style)
