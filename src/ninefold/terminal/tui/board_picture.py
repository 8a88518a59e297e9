"""Boards drawn as large as there is room for: nine cells, or nine boards in one. Signs differ without colour too.

The frame of a board in a board of boards says how it stands. Light: waiting, or dead; heavy: may be played; double:
chosen, or part of the deciding line; dashed above and below: where the move under the cursor would send the opponent;
dashed all around, if it may not be played now.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from ninefold.core.messages import text
from ninefold.core.position import Side
from ninefold.terminal.tui.canvas import (
    CORNERS,
    DASHED,
    DOUBLE,
    HEAVY,
    HEAVY_DASHED,
    LIGHT,
    OPEN_DASHED,
    ROUND,
    Canvas,
    FrameStyle,
)
from ninefold.terminal.tui.scene import BoardScene, Fit

# Marks, drawn with half blocks, which every terminal has

_BLOCKS = {(False, False): " ", (True, False): "▀", (False, True): "▄", (True, True): "█"}


# By hand where there is too little room for a circle.
_SMALL = {Side.X: ("▀▄ ▄▀", "  █  ", "▄▀ ▀▄"), Side.O: ("▄▀▀▀▄", "█   █", "▀▄▄▄▀")}


# The same a little lower, for marks that stand close above each other: half a row between them keeps them apart.
CLOSE = {Side.X: ("▄   ▄", " ▀▄▀ ", "▄▀ ▀▄"), Side.O: (" ▄▄▄ ", "█   █", "▀▄▄▄▀")}


@cache
def large_mark(side: Side, height: int) -> tuple[str, ...]:
    """The rows of a mark. A column is about as wide as half a row is high, so it is nearly a square."""
    if height <= 3:
        return _SMALL[side] if height == 3 else (side.name,)
    size = 2 * height
    width = size - 1
    dot = _cross(width, size) if side is Side.X else _ring(width, size)
    return tuple(
        "".join(_BLOCKS[dot(column, 2 * row), dot(column, 2 * row + 1)] for column in range(width))
        for row in range(height)
    )


def _cross(width: int, height: int) -> Callable[[int, int], bool]:
    def dot(x: int, y: int) -> bool:
        along = y * (width - 1) / (height - 1)
        return any(abs(x - middle) <= max(0.5, width / 16) for middle in (along, width - 1 - along))

    return dot


def _ring(width: int, height: int) -> Callable[[int, int], bool]:
    across, down = (width - 1) / 2, (height - 1) / 2

    def inside(x: int, y: int, less: float) -> bool:
        return ((x - across) / (across + 0.5 - less)) ** 2 + ((y - down) / (down + 0.5 - less)) ** 2 <= 1

    thick = max(1.0, width / 8)
    return lambda x, y: inside(x, y, 0) and not inside(x, y, thick)


HINT = "▸◂"  # at both sides of what a hint names


# A board of nine cells


def draw_grid(scene: BoardScene, fit: Fit) -> Canvas:
    canvas = Canvas(fit.width, fit.height)
    _grid_rules(canvas, fit)
    for square in range(9):
        _grid_cell(canvas, scene, fit, square)
    return canvas


def _grid_rules(canvas: Canvas, fit: Fit) -> None:
    """The four lines between the cells."""
    row = "┼".join(["─" * fit.cell_width] * 3)
    for top in range(fit.height):
        if (top + 1) % (fit.cell_height + 1) == 0:
            canvas.put(top, 0, row, "rule")
        else:
            for column in (fit.cell_width, 2 * fit.cell_width + 1):
                canvas.put(top, column, "│", "rule")


def _grid_cell(canvas: Canvas, scene: BoardScene, fit: Fit, square: int) -> None:
    top, left = fit.corner(square)
    frame = _grid_frame(scene, square)
    if frame and fit.cell_height > 1:
        canvas.frame(top, left, fit.cell_width, fit.cell_height, *frame)
    elif frame:  # no room: only its sides
        canvas.put(top, left, frame[0].corners[0] if frame[0] is CORNERS else frame[0].column, frame[1])
        canvas.put(top, left + fit.cell_width - 1, frame[0].column, frame[1])
    mark, ghost = scene.marks[square], scene.ghosts.get(square)
    if ghost is not None and ghost is not mark:
        _grid_ghost(canvas, fit, (top, left), mark, ghost)
        if mark is None and fit.cell_height > 3 and scene.names:
            canvas.center(top + fit.cell_height // 2 - 1, left, fit.cell_width, scene.names[square], "label")
    elif mark is not None:
        _grid_mark(canvas, fit, (top, left), mark, framed=frame is not None)
    else:
        _grid_name(canvas, scene, fit, square)
    if mark is None:
        _grid_notes(canvas, scene, fit, square, framed=frame is not None)
    elif square in scene.values and fit.cell_height > 1:  # below the mark, which fills its cell
        canvas.center(top + fit.cell_height - 1, left, fit.cell_width, f" {scene.values[square]} ", "value")
    if square in scene.hint:
        inset = int(frame is not None) if mark is not None else fit.cell_width // 4
        _pointers(canvas, (top + fit.cell_height // 2, left), fit.cell_width, inset)


def _pointers(canvas: Canvas, place: tuple[int, int], width: int, inset: int = 0) -> None:
    """What a hint names: a sign at its left and at its right, so that no colour is needed."""
    row, left = place
    canvas.put(row, left + inset, HINT[0], "hint")
    canvas.put(row, left + width - 1 - inset, HINT[1], "hint")


def _grid_frame(scene: BoardScene, square: int) -> tuple[FrameStyle, str] | None:
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


def _grid_mark(canvas: Canvas, fit: Fit, place: tuple[int, int], mark: Side, *, framed: bool) -> None:
    top, left = place
    style = mark.name.lower()
    rows = large_mark(mark, _grid_mark_height(fit.cell_height, framed))
    for down, row in enumerate(rows, (fit.cell_height - len(rows)) // 2):
        canvas.center(top + down, left, fit.cell_width, row, style)


def _grid_mark_height(cell: int, framed: bool) -> int:
    """As large as looks calm: in a small cell only a frame needs room, in a large one there is some to spare."""
    if cell <= 3:
        return 1 if framed else cell
    return cell - 2 if cell < 9 else cell - 4


def _grid_ghost(canvas: Canvas, fit: Fit, place: tuple[int, int], mark: Side | None, ghost: Side) -> None:
    """What would be there: a small letter, or what becomes of the mark that is."""
    shown = ghost.name.lower() if mark is None else f"{mark}→{ghost}"
    canvas.center(place[0] + fit.cell_height // 2, place[1], fit.cell_width, shown, ghost.name.lower())


def _grid_name(canvas: Canvas, scene: BoardScene, fit: Fit, square: int) -> None:
    top, left = fit.corner(square)
    name = scene.names[square] if scene.names else ""
    style = "label" if square in scene.playable else "faint"
    canvas.center(top + fit.cell_height // 2, left, fit.cell_width, name, style)


def _grid_notes(canvas: Canvas, scene: BoardScene, fit: Fit, square: int, *, framed: bool) -> None:
    """Below the middle of an empty cell: who could win there, and what it is worth."""
    top, left = fit.corner(square)
    sides = scene.winning.get(square, "")
    wins = text("board.both_win" if sides == "XO" else "board.wins", side=sides) if sides else ""
    notes = [(wins, "threat"), (scene.values.get(square, ""), "value")]
    room = max(0, (fit.cell_height - 1) // 2 - framed)
    if room == 1:  # what a cell is worth says more
        notes.reverse()
    for down, (note, style) in enumerate([note for note in notes if note[0]][:room], 1):
        canvas.center(top + fit.cell_height // 2 + down, left, fit.cell_width, note, style)


# Nine boards in one


def draw_boards(scene: BoardScene, fit: Fit) -> Canvas:
    canvas = Canvas(fit.width, fit.height)
    for board in range(9):
        _boards_block(canvas, scene, fit, board)
        if scene.owners[board]:
            _boards_owner(canvas, scene, fit, board)
        else:
            for square in range(board * 9, board * 9 + 9):
                _boards_cell(canvas, scene, fit, square)
    return canvas


def _boards_block(canvas: Canvas, scene: BoardScene, fit: Fit, board: int) -> None:
    top, left = fit.block(board)
    edges, style = _boards_frame(scene, board)
    canvas.frame(top, left, fit.block_width, fit.block_height, edges, style)
    if scene.names:
        canvas.put(top, left + 2, scene.names[board], style)
    if board in scene.target:
        sent = f" {text('board.next', side=scene.sent)} "
        canvas.center(top + fit.block_height - 1, left, fit.block_width, sent, style)


def _boards_frame(scene: BoardScene, board: int) -> tuple[FrameStyle, str]:
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


def _boards_owner(canvas: Canvas, scene: BoardScene, fit: Fit, board: int) -> None:
    """A dead board shows who owns it, at a glance; and the move by which it died, as long as that is the last."""
    top, left = fit.block(board)
    owner = scene.owners[board]
    inner = fit.block_height - 2
    if owner in ("X", "O"):
        rows = large_mark(Side[owner], inner if inner < 5 else inner - 2)
        for down, row in enumerate(rows, (fit.block_height - len(rows)) // 2):
            canvas.center(top + down, left, fit.block_width, row, owner.lower())
    else:
        drawn = text("board.shared" if owner == "XO" else "board.drawn")
        canvas.center(top + fit.block_height // 2, left, fit.block_width, drawn, "label")
    for square in range(board * 9, board * 9 + 9):
        _boards_pointers(canvas, scene, fit, square)


def _boards_pointers(canvas: Canvas, scene: BoardScene, fit: Fit, square: int) -> None:
    """What was played last, and where the cursor is."""
    if square in scene.last:
        _boards_sides(canvas, fit, square, "()", "last")
    if square == scene.cursor:
        _boards_sides(canvas, fit, square, "[]", "cursor")


def _boards_cell(canvas: Canvas, scene: BoardScene, fit: Fit, square: int) -> None:
    top, left = fit.corner(square)
    mark, ghost = scene.marks[square], scene.ghosts.get(square)
    middle = top + fit.cell_height // 2
    _boards_pointers(canvas, scene, fit, square)
    if ghost is not None and mark is None:
        canvas.center(middle, left, fit.cell_width, ghost.name.lower(), ghost.name.lower())
        if fit.cell_width > 3:  # else there is only room for the cursor
            _boards_signs(canvas, scene, fit, square)
    elif mark is not None:
        rows = CLOSE[mark] if fit.cell_height == 3 else large_mark(mark, fit.cell_height)
        for down, row in enumerate(rows):
            canvas.center(top + down, left, fit.cell_width, row, mark.name.lower())
    else:
        _boards_name(canvas, scene, fit, square)
        _boards_signs(canvas, scene, fit, square)
    if square in scene.hint:
        # In a small cell they stand where the cursor would: the letter between them says that it is here.
        _pointers(canvas, (middle, left), fit.cell_width, inset=int(fit.cell_width > 3))


def _boards_name(canvas: Canvas, scene: BoardScene, fit: Fit, square: int) -> None:
    """The name of an empty cell, where it can be played."""
    top, left = fit.corner(square)
    named = square in scene.playable and scene.names
    name, style = (scene.names[square % 9], "label") if named else ("·", "faint")
    canvas.center(top + fit.cell_height // 2, left, fit.cell_width, name, style)


def _boards_signs(canvas: Canvas, scene: BoardScene, fit: Fit, square: int) -> None:
    """Where somebody could win the board of an empty cell, and which cell the analysis likes best."""
    top, left = fit.corner(square)
    middle, right = top + fit.cell_height // 2, left + fit.cell_width // 2 + 1
    if sides := scene.winning.get(square, "").lower():
        canvas.put(middle, right, *((sides, sides) if len(sides) == 1 else ("!", "threat")))
    if value := scene.values.get(square):
        canvas.put(middle, right, value[: fit.cell_width // 2], "value")


def _boards_sides(canvas: Canvas, fit: Fit, square: int, signs: str, style: str) -> None:
    top, left = fit.corner(square)
    for row in range(top, top + fit.cell_height):
        canvas.put(row, left, signs[0], style)
        canvas.put(row, left + fit.cell_width - 1, signs[1], style)
