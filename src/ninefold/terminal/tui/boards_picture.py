"""Nine boards in one, drawn. A board's frame says how it stands, also without colour:

light: waiting, or dead; heavy: may be played; double: chosen, or part of the deciding line; dashed above and below:
where the move that is pointed at would send the opponent; dashed all around, if it may not be played now.
"""

from __future__ import annotations

from ninefold.core.position import Side
from ninefold.terminal.tui.canvas import DOUBLE, HEAVY, HEAVY_DASHED, LIGHT, OPEN_DASHED, Canvas, Edges
from ninefold.terminal.tui.marks import CLOSE, large_mark
from ninefold.terminal.tui.scene import Fit, Scene

DRAWN = {"XO": "X and O", "=": "drawn"}  # what is written on a board without a winner


def draw_boards(scene: Scene, fit: Fit) -> Canvas:
    canvas = Canvas(fit.width, fit.height)
    for board in range(9):
        _block(canvas, scene, fit, board)
        if scene.owners[board]:
            _owner(canvas, scene, fit, board)
        else:
            for square in range(board * 9, board * 9 + 9):
                _cell(canvas, scene, fit, square)
    return canvas


def _block(canvas: Canvas, scene: Scene, fit: Fit, board: int) -> None:
    top, left = fit.block(board)
    edges, style = _frame(scene, board)
    canvas.frame(top, left, fit.block_width, fit.block_height, edges, style)
    if scene.names:
        canvas.put(top, left + 2, scene.names[board], style)
    if board in scene.target:
        canvas.center(top + fit.block_height - 1, left, fit.block_width, f" {scene.sent} next ", style)


def _frame(scene: Scene, board: int) -> tuple[Edges, str]:
    owner = scene.owners[board]
    if board in scene.line:
        return DOUBLE, "line"
    if scene.target == {board}:
        return HEAVY_DASHED if board not in scene.open else OPEN_DASHED, "target"
    if board == scene.chosen_board:
        return DOUBLE, "open"
    if board in scene.open:
        return HEAVY, "open"
    return LIGHT, owner.lower() if owner in ("X", "O") else "rule"


def _owner(canvas: Canvas, scene: Scene, fit: Fit, board: int) -> None:
    """A dead board shows who owns it, at a glance; and the move by which it died, as long as that is the last."""
    top, left = fit.block(board)
    owner = scene.owners[board]
    inner = fit.block_height - 2
    if owner in ("X", "O"):
        rows = large_mark(Side[owner], inner if inner < 5 else inner - 2)
        for down, row in enumerate(rows, (fit.block_height - len(rows)) // 2):
            canvas.center(top + down, left, fit.block_width, row, owner.lower())
    else:
        canvas.center(top + fit.block_height // 2, left, fit.block_width, DRAWN.get(owner, owner), "label")
    for square in range(board * 9, board * 9 + 9):
        _pointers(canvas, scene, fit, square)


def _pointers(canvas: Canvas, scene: Scene, fit: Fit, square: int) -> None:
    """What was played last, and where the cursor is."""
    if square in scene.last:
        _sides(canvas, fit, square, "()", "last")
    if square == scene.cursor:
        _sides(canvas, fit, square, "[]", "cursor")


def _cell(canvas: Canvas, scene: Scene, fit: Fit, square: int) -> None:
    top, left = fit.corner(square)
    mark, ghost = scene.marks[square], scene.ghosts.get(square)
    middle = top + fit.cell_height // 2
    _pointers(canvas, scene, fit, square)
    if ghost is not None and mark is None:
        canvas.center(middle, left, fit.cell_width, ghost.name.lower(), ghost.name.lower())
        if fit.cell_width > 3:  # else there is only room for the cursor
            _signs(canvas, scene, fit, square)
    elif mark is not None:
        rows = CLOSE[mark] if fit.cell_height == 3 else large_mark(mark, fit.cell_height)
        for down, row in enumerate(rows):
            canvas.center(top + down, left, fit.cell_width, row, mark.name.lower())
    else:
        _name(canvas, scene, fit, square)
        _signs(canvas, scene, fit, square)


def _name(canvas: Canvas, scene: Scene, fit: Fit, square: int) -> None:
    """The name of an empty cell, where it can be played."""
    top, left = fit.corner(square)
    named = square in scene.playable and scene.names
    text, style = (scene.names[square % 9], "label") if named else ("·", "faint")
    canvas.center(top + fit.cell_height // 2, left, fit.cell_width, text, style)


def _signs(canvas: Canvas, scene: Scene, fit: Fit, square: int) -> None:
    """Where somebody could win the board of an empty cell, and which cell the analysis likes best."""
    top, left = fit.corner(square)
    middle, right = top + fit.cell_height // 2, left + fit.cell_width // 2 + 1
    if sides := scene.winning.get(square, "").lower():
        canvas.put(middle, right, *((sides, sides) if len(sides) == 1 else ("!", "threat")))
    if value := scene.values.get(square):
        canvas.put(middle, right, value[: fit.cell_width // 2], "value")


def _sides(canvas: Canvas, fit: Fit, square: int, signs: str, style: str) -> None:
    top, left = fit.corner(square)
    for row in range(top, top + fit.cell_height):
        canvas.put(row, left, signs[0], style)
        canvas.put(row, left + fit.cell_width - 1, signs[1], style)
