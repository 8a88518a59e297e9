"""The analysis beside the board: a bar, the moves with their values, and a graph of the game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import zip_longest
from textwrap import wrap

from textual import events
from textual.message import Message

from ninefold.analysis.evaluation import Analysis, MoveEvaluation, group_by_score
from ninefold.core.game import Game
from ninefold.core.messages import text
from ninefold.core.position import Path, Position
from ninefold.match import move_input
from ninefold.terminal.tui.analyst import AnalysisReport
from ninefold.terminal.tui.canvas import Canvas, CanvasWidget
from ninefold.terminal.tui.timeline import HistoryView

LEAST_UP = 3  # rows of the graph above its middle, and below
WIDEST = 10  # columns of the graph for one move


class AnalysisPanel(CanvasWidget):
    class PlyChosen(Message):
        """The graph was clicked."""

        def __init__(self, ply: int) -> None:
            super().__init__()
            self.ply = ply

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._history: HistoryView | None = None
        self._analysis: Analysis | None = None
        self._scores: Mapping[Position, float] = {}
        self._paused_after = 0.0
        self._way: Path = ()

    def show(self, history: HistoryView, report: AnalysisReport | None, way: Path = ()) -> None:
        """Of a report about another position, the scores of the game are still shown. ``way`` is what was chosen of a
        move so far."""
        self._history, self._way = history, way
        self._analysis = report.analysis if report and report.position == history.position else None
        self._scores = report.scores if report else {}
        self._paused_after = report.paused_after if report and self._analysis else 0.0
        self.paint()

    def draw(self) -> Canvas:
        canvas = Canvas(max(20, self.size.width), max(10, self.size.height))
        if self._history is None:
            return canvas
        analysis, scores = self._analysis, self._scores
        canvas.put(0, 0, text("analysis.title"), "strong")
        note = _note(self._history, analysis, self._way)
        canvas.put(0, canvas.width - len(note), note, "label")
        draw_bar(canvas, 1, scores.get(self._history.position))
        top = canvas.height - 2 * _up(canvas.height) - 1  # of the graph
        paused = text("analysis.paused", seconds=self._paused_after) if self._paused_after else ""
        lines = _lines(self._history, analysis, canvas.width)[: top - 3 - bool(paused)]
        for row, line in enumerate(lines, 2):
            canvas.put(row, 0, line)
        canvas.put(2 + len(lines), 0, paused, "hint")
        draw_graph(canvas, top, [scores.get(one) for one in self._history.positions], self._history.ply)
        return canvas

    def on_click(self, event: events.Click) -> None:
        if self._history and event.y >= self.size.height - 2 * _up(self.size.height) - 1:
            many = len(self._history.positions)
            width = _span(self.size.width, many)
            self.post_message(self.PlyChosen(_ply_at(min(width - 1, max(0, event.x - 2)), width, many)))


def _up(height: int) -> int:
    """The rows of the graph above its middle: more where there is more room."""
    return max(LEAST_UP, height // 4 - 1)


def _note(history: HistoryView, analysis: Analysis | None, way: Path) -> str:
    if not history.position.moves():
        return text("analysis.ended")
    if analysis is None:
        return text("analysis.running")
    if analysis.info is None and analysis.exact:
        paths = (history.match.game.paths[line.move] for line in analysis.lines)
        goes_on = history.match.game.small and not way and any(len(path) > 1 for path in paths)
        return text("analysis.exact.best" if goes_on else "analysis.exact")
    if analysis.info is None:
        return text("analysis.random_games")
    return text("analysis.search", depth=analysis.info.depth, millions=analysis.info.nodes / 1e6)


def _lines(history: HistoryView, analysis: Analysis | None, width: int) -> list[str]:
    if analysis is None:
        return []
    if not history.match.game.small:
        return [f"{line.score_text:<11} {' '.join(line.variation) or line.name}"[:width] for line in _ranked(analysis)]
    rows = []
    for worth, alike in group_by_score(analysis.lines).items():
        names = wrap(" ".join(history.match.game.name(line.move) for line in alike), width - 12)
        rows += [f"{first:<11} {named}" for first, named in zip_longest([worth], names, fillvalue="")]
    return rows


def _ranked(analysis: Analysis) -> list[MoveEvaluation]:
    """The moves of a big game, best first. While a search goes on, some were searched less deeply than others, and come
    in another order."""
    return sorted(analysis.lines, key=lambda line: line.points if line.score is None else line.score, reverse=True)


def draw_bar(canvas: Canvas, row: int, score: float | None) -> None:
    """X's share of the expected result, and O's: one full, the other hatched, so that no colour is needed."""
    room = canvas.width - 4
    canvas.put(row, 0, "X", "x")
    canvas.put(row, canvas.width - 1, "O", "o")
    if score is None:
        canvas.put(row, 2, "·" * room, "faint")
        return
    full = round(room * (score + 1) / 2)
    canvas.put(row, 2, "█" * full, "x")
    canvas.put(row, 2 + full, "░" * (room - full), "o")


def draw_graph(canvas: Canvas, top: int, scores: Sequence[float | None], ply: int) -> None:
    """X above the middle, O below it; a column of dots at the position that is looked at."""
    up = (canvas.height - top - 1) // 2
    middle = top + up
    canvas.put(top, 0, "X", "x")
    canvas.put(top + 2 * up, 0, "O", "o")
    width = _span(canvas.width, len(scores))
    canvas.put(middle, 2, "─" * width, "rule")
    for column in range(width):
        score = scores[_ply_at(column, width, len(scores))]
        if score is not None:
            _column(canvas, (middle, 2 + column), score, up)
    here = next(column for column in range(width) if _ply_at(column, width, len(scores)) >= ply)
    canvas.put(middle, 2 + here, "┼", "strong")
    for row in (*range(top, middle), *range(middle + 1, top + 2 * up + 1)):
        if canvas.is_blank(row, 2 + here):
            canvas.put(row, 2 + here, "·", "strong")


def _ply_at(column: int, width: int, many: int) -> int:
    """The ply that a column of the graph is of; where there is little room some have none, but never the last."""
    return column * many // width if width >= many else round(column * (many - 1) / (width - 1))


def _column(canvas: Canvas, place: tuple[int, int], score: float, up: int) -> None:
    middle, column = place
    halves = round(abs(score) * 2 * up)
    step, half, style = (-1, "▄", "x") if score > 0 else (1, "▀", "o")
    for row in range(1, halves // 2 + 1):
        canvas.put(middle + step * row, column, "█", style)
    if halves % 2:
        canvas.put(middle + step * (halves // 2 + 1), column, half, style)


def _span(width: int, many: int) -> int:
    """How wide the graph of so many positions is."""
    room = width - 2
    return min(room, many * max(1, min(WIDEST, room // many)))


def values_on_board(game: Game, position: Position, analysis: Analysis, way: Path) -> Mapping[int, str]:
    """What is written on the squares. In small games: the value of the best move that begins there, or goes on there
    from what was chosen; on the square chosen last, the value of the move that ends with it. In big ones: a star on the
    best."""
    if not game.small:
        best = _ranked(analysis)[:1]
        squares = (move_input.square_at(game, game.paths[line.move]) for line in best)
        return {square: "*" for square in squares if square is not None}
    found: dict[int, str] = {}
    for line in analysis.lines:
        path = game.paths[line.move]
        if path[: len(way)] == way:
            found.setdefault(path[: len(way) + 1][-1], _sign(line))
    return found if position.moves() else {}


def _sign(line: MoveEvaluation) -> str:
    if line.value is None or line.value.sign == 0:
        return "="
    return f"{'+' if line.value.sign > 0 else '-'}{line.value.distance or ''}"
