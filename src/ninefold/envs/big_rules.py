"""The rules of squared and ultimate in arrays of any library: those of ``native/rules.hpp``, without a branch.

Every function takes and returns int32 or bool arrays of any shape, one element a game, and only shifts, masks and
compares them. So a library can trace, compile and fuse a whole step, for one game or for many.
"""

from __future__ import annotations

from types import ModuleType
from typing import Any, NamedTuple

from ninefold.core.grid import FULL, LINE_MASKS
from ninefold.envs.arrays import Array, astype

ANY_BOARD = 9
BOARDS = range(9)
MASK_SHIFTS = tuple(divmod(9 * board, 32) for board in BOARDS)  # the word and the bit where the moves of a board begin


class RuleFlags(NamedTuple):
    """Whether drawn boards count for both, boards won break ties, and ended games are reset; and who starts."""

    both: bool
    boards: bool
    first: int
    resets: bool


class Columns(NamedTuple):
    """Positions taken apart: the words of the marks, two boards each, and the rest by name."""

    marks: tuple[Array, ...]
    won_x: Array
    won_o: Array
    drawn: Array
    board: Array
    turn: Array


def columns_of(position: Array) -> Columns:
    words = [position[..., word] for word in range(11)]
    return Columns(
        tuple(words[:9]),
        words[9] & FULL,
        words[9] >> 16 & FULL,
        words[10] & FULL,
        words[10] >> 16 & 15,
        words[10] >> 24 & 1,
    )


def words_of(xp: ModuleType, columns: Columns) -> Array:
    marks, won_x, won_o, drawn, board, turn = columns
    return xp.stack((*marks, won_x | won_o << 16, drawn | board << 16 | turn << 24), axis=-1)


def start_columns(xp: ModuleType, flags: RuleFlags, like: Array) -> Columns:
    nothing = xp.zeros_like(like)
    return Columns((nothing,) * 9, nothing, nothing, nothing, nothing + ANY_BOARD, nothing + flags.first)


def marks_in(columns: Columns, side: int, board: int) -> Array:
    """The cells that X (0) or O (1) has on a board."""
    word, upper = divmod(9 * side + board, 2)
    return columns.marks[word] >> 16 * upper & FULL


def play(xp: ModuleType, columns: Columns, move: Array) -> tuple[Columns, Array]:
    """A move, which must be legal, and whether its board is dead after it; only then can the game have ended."""
    board = move * 57 >> 9  # move // 9, up to 80
    cell, turn = move - 9 * board, columns.turn
    marks, mine = _placed(xp, columns.marks, 9 * turn + board, cell)
    theirs = _marks_at(xp, marks, 9 * (1 - turn) + board)
    line = has_line(mine)
    full = ~line & ((mine | theirs) == FULL)
    dead_board = xp.zeros_like(board) + 1 << board
    won = xp.where(line, dead_board, 0)
    by_x = turn == 0
    won_x = columns.won_x | xp.where(by_x, won, 0)
    won_o = columns.won_o | xp.where(by_x, 0, won)
    drawn = columns.drawn | xp.where(full, dead_board, 0)
    sent = xp.where((won_x | won_o | drawn) >> cell & 1 == 0, cell, ANY_BOARD)
    return Columns(marks, won_x, won_o, drawn, sent, 1 - turn), line | full


def _placed(xp: ModuleType, marks: tuple[Array, ...], place: Array, cell: Array) -> tuple[tuple[Array, ...], Array]:
    """The marks with one more, and those of its side on its board. A place is a side and a board, 9 * side + board."""
    mark = xp.zeros_like(cell) + 1 << cell + 16 * (place & 1)
    word = place >> 1
    marks = tuple(old | xp.where(word == number, mark, 0) for number, old in enumerate(marks))
    return marks, _marks_at(xp, marks, place)


def _marks_at(xp: ModuleType, marks: tuple[Array, ...], place: Array) -> Array:
    word, found = place >> 1, xp.zeros_like(place)
    for number, pair in enumerate(marks):
        found = xp.where(word == number, pair, found)
    return found >> 16 * (place & 1) & FULL


def has_line(cells: Array) -> Array:
    """True where a set of nine cells holds three in a row."""
    rows = cells & cells >> 1 & cells >> 2 & 0x49
    files = cells & cells >> 3 & cells >> 6 & 0x7
    return ((rows | files) != 0) | (cells & 0x111 == 0x111) | (cells & 0x54 == 0x54)


def scoring(columns: Columns, flags: RuleFlags) -> tuple[Array, Array]:
    """The boards that count for X and for O."""
    if flags.both:
        return columns.won_x | columns.drawn, columns.won_o | columns.drawn
    return columns.won_x, columns.won_o


def ended(columns: Columns, flags: RuleFlags) -> Array:
    x, o = scoring(columns, flags)
    return has_line(x) | has_line(o) | (columns.won_x | columns.won_o | columns.drawn == FULL)


def result(xp: ModuleType, columns: Columns, flags: RuleFlags) -> Array:
    """The result of ended games for X: 1, 0 or -1. A drawn board can complete a line of either side."""
    x, o = scoring(columns, flags)
    more = _line_count(xp, x) - _line_count(xp, o)
    if flags.boards:
        boards = popcount(columns.won_x) - popcount(columns.won_o)
        more = xp.where((more == 0) & ~has_line(x), boards, more)
    return astype(xp, more > 0, xp.int32) - astype(xp, more < 0, xp.int32)


def _line_count(xp: ModuleType, cells: Array) -> Array:
    count: Any = xp.zeros_like(cells)
    for line in LINE_MASKS:
        count = count + astype(xp, cells & line == line, xp.int32)
    return count


def popcount(words: Array) -> Array:
    """The number of bits of int32 words, without a product that overflows."""
    pairs = words - (words >> 1 & 0x55555555)
    fours = (pairs & 0x33333333) + (pairs >> 2 & 0x33333333)
    eights = fours + (fours >> 4) & 0x0F0F0F0F
    halves = eights + (eights >> 8)
    return halves + (halves >> 16) & 0x3F


def legal_words(xp: ModuleType, columns: Columns) -> tuple[Array, Array, Array]:
    """The legal moves of games that have not ended, as bits of three words: nine of each board."""
    dead = columns.won_x | columns.won_o | columns.drawn
    anywhere = columns.board == ANY_BOARD
    open_boards = xp.where(anywhere, dead ^ FULL, xp.zeros_like(dead) + 1 << columns.board)
    words: list[Array] = [xp.zeros_like(dead)] * 3
    for board, (word, bit) in enumerate(MASK_SHIFTS):
        occupied = marks_in(columns, 0, board) | marks_in(columns, 1, board)
        free = (occupied ^ FULL) & -(open_boards >> board & 1)
        words[word] = words[word] | free << bit
        if bit > 23:  # the rest of them is in the next word
            words[word + 1] = words[word + 1] | free >> 32 - bit
    return words[0], words[1], words[2]


def nth_bit(xp: ModuleType, words: Array, rank: Array) -> Array:
    """The index of the bit of that rank, from the lowest one up, by halving."""
    at = xp.zeros_like(words)
    for half in (16, 8, 4, 2, 1):
        below = popcount(words & (1 << half) - 1)
        above = rank >= below
        rank = rank - xp.where(above, below, 0)
        words = xp.where(above, words >> half, words)
        at = at + half * astype(xp, above, xp.int32)
    return at
