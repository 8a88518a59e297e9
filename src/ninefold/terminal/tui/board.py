"""The board of a match on the screen."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, Protocol, cast

from textual import events

from ninefold.core.game import Game
from ninefold.core.grid import Naming
from ninefold.core.position import BoardOfBoards, Path, Position, Side
from ninefold.match import move_input
from ninefold.match.move_input import ARROWS, NOTHING, ChosenStep
from ninefold.terminal.tui.board_picture import draw_boards, draw_grid
from ninefold.terminal.tui.canvas import Canvas, CanvasWidget
from ninefold.terminal.tui.key_bindings import dispatch_key
from ninefold.terminal.tui.scene import NONE, BoardScene, Fit, fit

DIGITS = tuple("0123456789")
LINE_NUMBERS = tuple("12345678")
CLAIMED = 3  # cells of a line


class BoardMarks(NamedTuple):
    """What a board shows besides its position."""

    last: frozenset[int] = NONE
    lines: tuple[Path, ...] = ()
    claimed: frozenset[int] = NONE
    winning: Mapping[int, str] = {}
    values: Mapping[int, str] = {}
    hint: frozenset[int] = NONE


class BoardListener(Protocol):
    """Receives what is chosen on a board. It is called directly, and not with a message: so a move has been made before
    the next key is looked at, and everything that a key changes is in one frame."""

    def move_chosen(self, move: int) -> None: ...

    def step_chosen(self) -> None:
        """A choice was made on the way to a move, or the cursor has moved."""

    def cells_picked(self) -> None:
        """Cells were picked for a claim."""

    def too_many_picked(self) -> None:
        """Three cells are picked already."""

    def claim_entered(self) -> None:
        """Enter was pressed with three cells picked."""

    def line_chosen(self, number: int) -> None:
        """While cells are picked: one of the eight lines, by its number."""

    def path_refused(self, path: Path) -> None:
        """A square was chosen that cannot be played."""

    def digits_refused(self, digits: str) -> None:
        """Digits were typed that name no cell."""

    def unbound_key(self, key: str) -> None: ...


class BoardWidget(CanvasWidget, can_focus=True):
    """Draws any game, and turns keys, digits and the mouse into a chosen move. It knows no rule.

    ``is_live``: a move can be chosen here now. ``picked`` is a set of cells while a claim is made, else None.
    """

    def __init__(self, game: Game, position: Position, listener: BoardListener, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._listener = listener
        self.game = game
        self.position: Position = position
        self.naming: Naming = game.naming
        self.shown: BoardMarks = BoardMarks()
        self.is_live: bool = False
        self.way: Path = ()
        self.cursor = 4 if not game.picture.boards else 40
        self.picked: frozenset[int] | None = None
        self._digits = ""

    # What is shown

    def show(self, position: Position, shown: BoardMarks, *, is_live: bool) -> None:
        if position != self.position or not is_live:
            self.way, self._digits = (), ""
        self.position, self.shown, self.is_live = position, shown, is_live
        if is_live and not self.way:
            self._settle_cursor()
        self.paint()

    def name_cells(self, naming: Naming) -> None:
        """Call the cells otherwise, on the board and in what is typed."""
        self.naming, self._digits = naming, ""
        self.paint()

    def pick(self, cells: frozenset[int] | None) -> None:
        """Pick cells instead of playing, or (None) play again."""
        self.picked, self.way, self._digits = cells, (), ""
        self.paint()

    def cancel(self) -> bool:
        """Go back to the beginning of the move; False if there was nothing to go back from."""
        if not self.way and not self._digits:
            return False
        self._walk(())
        return True

    @property
    def foreseen(self) -> move_input.Foreseen:
        """What pressing the square under the cursor would do."""
        if not self.is_live or self.picked is not None:
            return NOTHING
        return move_input.foresee(self.game, self.position, self.way, self.cursor)

    def _settle_cursor(self) -> None:
        """The cursor stays where it is while that can be played."""
        squares = move_input.playable(self.game, self.position)
        if squares and self.cursor not in squares:
            middle = {4, 40} & squares
            self.cursor = min(middle or squares, key=lambda square: (abs(square - self.cursor), square))

    # Choosing

    async def on_key(self, event: events.Key) -> None:
        if event.key in ARROWS:
            self.point(move_input.beside(self.game, self.cursor, event.key))
        elif event.key == "enter" and self.picked is not None and len(self.picked) == CLAIMED:
            self._listener.claim_entered()
        elif event.key in ("enter", "space"):
            self.press(self.cursor)
        elif not await self._dispatch(event.key):
            if not event.is_printable or event.key in DIGITS:
                return
            self._listener.unbound_key(event.character or event.key)
        event.stop()
        event.prevent_default()

    async def _dispatch(self, key: str) -> bool:
        """Digits belong to a move before they are anything else."""
        return (key in DIGITS and self._type(key)) or await dispatch_key(self, key)

    def press(self, square: int) -> None:
        if self.picked is not None:
            self._pick(square)
        elif self.is_live:
            step = move_input.press(self.game, self.position, self.way, square)
            if step:
                self._take(step)
            else:
                self._listener.path_refused(move_input.path_to(self.game, self.way, square))

    def _type(self, digit: str) -> bool:
        if self.picked is not None:
            if digit in LINE_NUMBERS:
                self._listener.line_chosen(int(digit))
            return digit in LINE_NUMBERS
        if not self.is_live:
            return False
        before = self._digits
        typed = move_input.type_digits(self.game, self.position, self.way, before + digit, self.naming)
        self._digits = typed.waiting
        if typed.step:
            self._take(typed.step)
        elif typed.refused:
            self._listener.path_refused(typed.refused)
        elif typed.waiting:
            self._listener.step_chosen()
        else:
            self._listener.digits_refused(before + digit)
        return True

    @property
    def digits(self) -> str:
        """Typed so far, of a name that has more than one."""
        return self._digits

    def _take(self, step: ChosenStep) -> None:
        if step.move is None:
            self._walk(step.way)
        else:
            self.way, self._digits = (), ""
            self._listener.move_chosen(step.move)  # who shows the board anew

    def _walk(self, way: Path) -> None:
        self.way, self._digits = way, ""
        following, move = self.game.choices(self.position, way)
        if way and following:
            # A choice that may be declined waits on its own square; else the cursor leads to what comes next.
            square = move_input.square_at(self.game, way if move is not None else (*way, following[0]))
            self.cursor = self.cursor if square is None else square
        self.paint()
        self._listener.step_chosen()

    def _pick(self, square: int) -> None:
        picked = self.picked or frozenset()
        if len(picked) == CLAIMED and square not in picked:
            self._listener.too_many_picked()
            return
        self.picked = picked ^ {square}
        self.paint()
        self._listener.cells_picked()

    def point(self, square: int) -> None:
        if square != self.cursor:
            self.cursor = square
            self.paint()
            self._listener.step_chosen()

    # The mouse

    def on_mouse_move(self, event: events.MouseMove) -> None:
        square = self.square_under(event.x, event.y)
        if square is not None:
            self.point(square)

    def on_click(self, event: events.Click) -> None:
        square = self.square_under(event.x, event.y)
        if square is not None and event.button == 1:  # the left one
            self.point(square)
            self.press(square)

    def square_under(self, x: int, y: int) -> int | None:
        top, left = self.corner()
        return self.fit.square(y - top, x - left)

    # Drawing

    @property
    def fit(self) -> Fit:
        return fit(self.game.picture.boards, self.size.width, self.size.height)

    def corner(self) -> tuple[int, int]:
        """In the middle."""
        size, drawn = self.size, self.fit
        return max(0, (size.height - drawn.height) // 2), max(0, (size.width - drawn.width) // 2)

    def scene(self) -> BoardScene:
        """Everything that is to be seen, put together."""
        position, shown, boards = self.position, self.shown, self.game.picture.boards
        effects, options = self.foreseen
        playing = self.is_live and self.picked is None
        chosen = move_input.square_at(self.game, self.way)
        following = self.game.choices(position, self.way)[0] if self.way else ()
        squares = (move_input.square_at(self.game, (*self.way, cell)) for cell in following)
        scene = BoardScene(
            self._placed_marks(),
            self.naming.names,
            playable=move_input.playable(self.game, position) if playing and not self.way else NONE,
            last=shown.last,
            line=frozenset(cell for line in shown.lines for cell in line),
            ghosts={cell: Side[mark] for cell, mark in effects.cells.items()} if effects and playing else {},
            chosen=chosen,
            options=frozenset(square for square in squares if square is not None) if not boards else NONE,
            picked=shown.claimed if self.picked is None else self.picked,
            winning=shown.winning,
            values=shown.values,
            hint=shown.hint,
            cursor=self.cursor if self.is_live or self.picked is not None else None,
        )
        if not self.way and options and not boards:
            scene = scene._replace(options=frozenset(options))
        return self._with_boards(scene, effects.opens if effects else ()) if boards else scene

    def _placed_marks(self) -> tuple[Side | None, ...]:
        """The marks on the board, with what is placed already while a choice is left that may be declined."""
        move = self.game.choices(self.position, self.way)[1] if self.way else None
        placed = {} if move is None else self.game.effects(self.position, move).cells
        marks = enumerate(self.position.cells)
        return tuple(Side[placed[cell]] if cell in placed else mark for cell, mark in marks)

    def _with_boards(self, scene: BoardScene, opens: tuple[int, ...]) -> BoardScene:
        position = cast("BoardOfBoards", self.position)
        board = self.way[0] if self.way else None
        playable = frozenset(s for s in move_input.playable(self.game, self.position) if s // 9 == board)
        return scene._replace(
            owners=position.owners,
            open=frozenset(position.open_boards),
            target=frozenset(opens),
            sent=position.turn.other.name,
            chosen=None,
            chosen_board=board,
            playable=playable if self.way else scene.playable,
        )

    def draw(self) -> Canvas:
        return (draw_boards if self.game.picture.boards else draw_grid)(self.scene(), self.fit)
