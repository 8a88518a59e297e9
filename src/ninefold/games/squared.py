"""Tic-Tac-Toe Squared and ultimate tic-tac-toe: one set of rules, and what a drawn board counts."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from operator import index
from typing import NamedTuple

from ninefold.core import notation
from ninefold.core.errors import IllegalMove, Unreadable
from ninefold.core.game import FIRST, Game, Option, Picture, Step
from ninefold.core.grid import CELLS, FREE, FULL, HAS_LINE, NUMPAD, OUTSIDE, SYMMETRIES, Naming, lines_in, moved
from ninefold.core.messages import Message, message, register
from ninefold.core.position import O, Outcome, Path, ShownPosition, Side, X

DRAWN = Option("drawn", ("both", "nobody"), "both", "for whom a drawn board counts")
TIE_BREAK = Option("tie_break", ("none", "boards"), "none", "decides when all boards are dead without a line")

PATHS = tuple((board, cell) for board in CELLS for cell in CELLS)

register(
    {
        "squared.lines": "{count} lines of boards",
        "squared.lines.one": "one line of boards",
        "squared.lines_to": "{count} lines of boards to {fewer}",
        "squared.lines_to.one": "one line of boards to {fewer}",
        "squared.boards": "no line of boards, and {more} boards won to {fewer}",
        "squared.full": "all boards are dead and nobody has a line of boards",
        "squared.wrong_turn": "{x} marks of X and {o} of O do not fit {turn}'s turn when {first} starts",
        "squared.no_way": "no order of moves leads to it",
        "outside.boards": ("That is outside the board.", "Boards that can be played: {boards}."),
        "dead_board.won": ("Board {board} is dead: it was won by {owner}.", "Boards that can be played: {boards}."),
        "dead_board.drawn": ("Board {board} is dead: it was drawn.", "Boards that can be played: {boards}."),
        "wrong_board": ("You were sent to board {board}.", "Boards that can be played: {boards}."),
        "taken.in_board": ("Cell {cell} of board {board} is taken by {side}.", "Free cells in board {board}: {free}."),
        "not_a_position.two_lines": (
            "A board has a line of X and a line of O.",
            "A board is dead after its first line: check its marks.",
        ),
        "not_a_position.no_board": (
            "The board to play in is missing.",
            "After whose turn it is comes 1-9 as on the numpad, or * for any board.",
        ),
        "not_a_position.dead_board": ("Board {board} is dead, so nobody can be sent there.", "Write * for any board."),
    }
)


@cache
def _moves_in(board: int, marks: int) -> tuple[int, ...]:
    return tuple(board * 9 + cell for cell in FREE[marks])


class Rules(NamedTuple):
    first: Side
    drawn: str
    tie_break: str


class SquaredFields(NamedTuple):
    """``x`` and ``o`` are the marks board by board; ``won_x``, ``won_o`` and ``drawn`` the dead boards."""

    x: tuple[int, ...]
    o: tuple[int, ...]
    won_x: int
    won_o: int
    drawn: int
    board: int | None  # where the next mark must go, None for any live board
    turn: Side
    rules: Rules


class Squared(ShownPosition, SquaredFields):
    """The rules, in Python."""

    __slots__ = ()

    @property
    def cells(self) -> tuple[Side | None, ...]:
        return tuple(mark for x, o in zip(self.x, self.o, strict=True) for mark in notation.cells_of(x, o))

    @property
    def owners(self) -> tuple[str, ...]:
        drawn = "XO" if self.rules.drawn == "both" else "="
        owned = ((self.won_x, "X"), (self.won_o, "O"), (self.drawn, drawn))
        return tuple("".join(name for mask, name in owned if mask >> board & 1) for board in CELLS)

    @property
    def dead(self) -> int:
        return self.won_x | self.won_o | self.drawn

    @property
    def open_boards(self) -> tuple[int, ...]:
        if self._ended():
            return ()
        return FREE[self.dead] if self.board is None else (self.board,)

    def _scoring(self) -> tuple[int, int]:
        """The boards that count for X and for O."""
        if self.rules.drawn == "both":
            return self.won_x | self.drawn, self.won_o | self.drawn
        return self.won_x, self.won_o

    def _ended(self) -> bool:
        x, o = self._scoring()
        return HAS_LINE[x] or HAS_LINE[o] or self.dead == FULL

    @property
    def outcome(self) -> Outcome | None:
        if not self._ended():
            return None
        # A drawn board can complete a line of the side that did not move, so both sides are counted.
        lines = tuple(lines_in(mask) for mask in self._scoring())
        if len(lines[X]) != len(lines[O]):
            winner = X if len(lines[X]) > len(lines[O]) else O
            return Outcome(winner, "lines", _count(lines[winner], lines[winner.other]), lines[winner])
        if lines[X]:
            return Outcome(None, "equal_lines", _count(lines[X], lines[O]), lines[X] + lines[O])
        return self._without_a_line()

    def _without_a_line(self) -> Outcome:
        x, o = self.won_x.bit_count(), self.won_o.bit_count()
        if self.rules.tie_break == "boards" and x != o:
            return Outcome(X if x > o else O, "boards", message("squared.boards", more=max(x, o), fewer=min(x, o)))
        return Outcome(None, "full", Message("squared.full"))

    def moves(self) -> tuple[int, ...]:
        open_boards = self.open_boards
        if len(open_boards) == 1:
            board = open_boards[0]
            return _moves_in(board, self.x[board] | self.o[board])
        return tuple(move for board in open_boards for move in _moves_in(board, self.x[board] | self.o[board]))

    def play(self, move: int) -> Squared:
        move = index(move)  # whole numbers of NumPy too
        if move not in self.moves():
            raise self.why_not(PATHS[move] if move in range(81) else (OUTSIDE,), NUMPAD)
        board, cell = divmod(move, 9)
        won, drawn = [self.won_x, self.won_o], self.drawn
        marks = [self.x, self.o]
        mine = marks[self.turn][board] | 1 << cell
        marks[self.turn] = (*marks[self.turn][:board], mine, *marks[self.turn][board + 1 :])
        if HAS_LINE[mine]:
            won[self.turn] |= 1 << board
        elif mine | marks[self.turn.other][board] == FULL:
            drawn |= 1 << board
        dead = won[X] | won[O] | drawn
        sent = None if dead >> cell & 1 else cell
        return Squared(marks[X], marks[O], won[X], won[O], drawn, sent, self.turn.other, self.rules)

    def why_not(self, path: Path, naming: Naming) -> IllegalMove:
        open_boards = self.open_boards
        if not open_boards:
            return IllegalMove("ended")
        board = path[0]
        boards, name = naming.format(open_boards), naming.name(board) if board in CELLS else ""
        if any(cell not in CELLS for cell in path):
            return IllegalMove("outside.boards", boards=boards)
        if owner := self.owners[board]:
            code = "dead_board.drawn" if owner in ("XO", "=") else "dead_board.won"
            return IllegalMove(code, board=name, owner=owner, boards=boards)
        if board not in open_boards:
            return IllegalMove("wrong_board", board=naming.name(open_boards[0]), boards=boards)
        free = naming.format(FREE[self.x[board] | self.o[board]])
        mark = self.cells[board * 9 + path[1]]
        return IllegalMove("taken.in_board", cell=naming.name(path[1]), board=name, side=mark, free=free)

    @property
    def options(self) -> dict[str, str]:
        first, drawn, tie_break = self.rules
        return {"first": first.name, "drawn": drawn, "tie_break": tie_break}

    def transform(self, symmetry: int) -> Squared:
        """Boards and cells are moved alike."""
        goes = SYMMETRIES[symmetry]
        comes_from = sorted(CELLS, key=goes.__getitem__)
        x, o = (tuple(moved(marks[board], symmetry) for board in comes_from) for marks in (self.x, self.o))
        won_x, won_o, drawn = (moved(boards, symmetry) for boards in (self.won_x, self.won_o, self.drawn))
        board = None if self.board is None else goes[self.board]
        return type(self)(x, o, won_x, won_o, drawn, board, self.turn, self.rules)

    def __str__(self) -> str:
        marks = "/".join(notation.marks_of(x, o) for x, o in zip(self.x, self.o, strict=True))
        sent = "*" if self.board is None else NUMPAD.name(self.board)
        return notation.join(marks, self.turn, sent, **self.options)


class NativeSquared(Squared):
    """The same positions: ``moves``, ``play`` and ``outcome`` are those of the native core, where it is installed. They
    are equal to those of ``Squared``, and have the same hash."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"Squared({str(self)!r})"


@cache
def position_class() -> type[Squared]:
    """The class of the positions that games begin with. The native core is loaded when the first of them does."""
    from ninefold.core.native import native

    if native is None or not native.add_squared_methods(NativeSquared, X, O, _outcome_in_python):
        return Squared
    return NativeSquared


def _outcome_in_python(position: Squared) -> Outcome | None:
    return Squared(*position).outcome


def _count(more: tuple[Path, ...], fewer: tuple[Path, ...]) -> Message:
    return message("squared.lines_to" if fewer else "squared.lines", count=len(more), fewer=len(fewer))


def start(options: Mapping[str, str]) -> Squared:
    rules = Rules(Side[options["first"]], options["drawn"], options["tie_break"])
    return position_class()((0,) * 9, (0,) * 9, 0, 0, 0, None, rules.first, rules)


def parse(text: str, defaults: Mapping[str, str]) -> Squared:
    values = {option.name: option.values for option in (FIRST, DRAWN, TIE_BREAK)}
    parts = notation.split(text, boards=9, more_words=1, values=values, defaults=defaults)
    x, o = (tuple(pair[side] for pair in parts.marks) for side in (X, O))
    won_x, won_o = (sum(1 << board for board in CELLS if HAS_LINE[marks[board]]) for marks in (x, o))
    if won_x & won_o:
        raise Unreadable("not_a_position.two_lines")
    drawn = sum(1 << board for board in CELLS if x[board] | o[board] == FULL) & ~(won_x | won_o)
    rules = Rules(Side[parts.options["first"]], parts.options["drawn"], parts.options["tie_break"])
    sent = _sent(parts.words, won_x | won_o | drawn)
    return position_class()(x, o, won_x, won_o, drawn, sent, parts.turn, rules)


def _sent(words: tuple[str, ...], dead: int) -> int | None:
    """The board the text says must be played in: a number as on the numpad, or * for any."""
    if words[0] != "*" and NUMPAD.parse_cell(words[0]) is None:
        raise Unreadable("not_a_position.no_board")
    board = NUMPAD.parse_cell(words[0])
    if board is not None and dead >> board & 1:
        raise Unreadable("not_a_position.dead_board", board=words[0])
    return board


def impossible(position: Squared) -> Message | None:
    """The reason why a position cannot arise in play; None if it can, or if finding out would take too long."""
    played = [sum(mask.bit_count() for mask in marks) for marks in (position.x, position.o)]
    first = position.rules.first
    if played[first] - played[first.other] != (0 if position.turn is first else 1):
        return message("squared.wrong_turn", x=played[X], o=played[O], turn=position.turn, first=first)
    return None if _can_be_undone(position) else Message("squared.no_way")


def _can_be_undone(position: Squared, effort: int = 2_000) -> bool:
    """Take marks back one by one, in every order, until the start is reached or all ways (or the effort) are spent."""
    start = Squared((0,) * 9, (0,) * 9, 0, 0, 0, None, position.rules.first, position.rules)
    seen = {position}
    waiting = [position]
    while waiting:
        after = waiting.pop()
        if after == start or len(seen) > effort:
            return True
        before = [earlier for earlier in _before(after) if earlier not in seen]
        seen.update(before)
        waiting.extend(before)
    return False


def _before(after: Squared) -> list[Squared]:
    """The positions from which one move leads here."""
    mover = after.turn.other
    found = []
    for move in range(81):
        board, cell = divmod(move, 9)
        if not (after.o if mover else after.x)[board] >> cell & 1 or (after.board is not None and after.board != cell):
            continue
        marks = [list(after.x), list(after.o)]
        marks[mover][board] &= ~(1 << cell)
        if any(HAS_LINE[side[board]] for side in marks):
            continue
        won_x, won_o, drawn = (mask & ~(1 << board) for mask in (after.won_x, after.won_o, after.drawn))
        for sent in (board, None):
            earlier = Squared(tuple(marks[X]), tuple(marks[O]), won_x, won_o, drawn, sent, mover, after.rules)
            if not earlier._ended() and earlier.play(move) == after:
                found.append(earlier)
    return found


SQUARED = Game(
    id="squared",
    title="Tic-Tac-Toe Squared",
    summary="Nine boards in one; drawn boards count for both.",
    rules="""\
Nine small boards make one big board. X starts, anywhere. The cell you play
sends the opponent to the board in that place; if that board is dead they may
choose any live board. A small board that is won or full is dead. A won board
is a piece of its winner's on the big board; a drawn one counts for BOTH.
The game ends when either player has three boards in a row, or when all nine
are dead. Then all lines of boards are counted: more lines win, equal is a
draw. So beware: a board you draw can complete your opponent's line.

789     Boards and cells are numbered as on the numpad. Where you have a
456     choice, give the board first, then the cell.
123     Written down, 27 is: board 2, cell 7.
""",
    drawing="""
Boards framed with /---\\ may be played. A dead board is framed with its owner's
mark.
""",
    start=start,
    parse_position=parse,
    paths=PATHS,
    steps=(
        Step("{player}, choose a board ({choices}): ", "choose a cell in any open board", skip_single=True),
        Step("{player}, choose a cell in board {chosen} ({choices}): ", "choose a cell in board {chosen}"),
    ),
    options=(FIRST, DRAWN, TIE_BREAK),
    naming=NUMPAD,
    picture=Picture(boards=True),
    small=False,
    impossible=impossible,
    advice=(
        "A mark does two things: it works for a line in its small board, and it sends your opponent somewhere. Look at "
        "both before you play.",
        "Send your opponent to boards that gain them little. Sent to a dead board, they may choose any.",
    ),
)

ULTIMATE = SQUARED.preset(
    {"drawn": "nobody"},
    id="ultimate",
    title="Ultimate Tic-Tac-Toe",
    summary="Nine boards in one; three boards in a row win.",
    rules="""\
Nine small boards make one big board. X starts, anywhere. The cell you play
sends the opponent to the board in that place; if that board is dead they may
choose any live board. A small board that is won or full is dead; a drawn one
counts for nobody. The first to win three boards in a row wins the game. When
all nine boards are dead without a line it is a draw (or, with the option
tie_break=boards, the player who won more boards wins).

789     Boards and cells are numbered as on the numpad. Where you have a
456     choice, give the board first, then the cell.
123     Written down, 27 is: board 2, cell 7.
""",
)
