"""The rules of squared and ultimate in arrays of any library: those of ``native/rules.hpp``, without a branch.

All arrays are int32 or bool and have one element a game. What much depends on ends with a lookup in a small table: XLA
computes that once, and other things again wherever they are used.
"""

from __future__ import annotations

from types import ModuleType
from typing import Any, NamedTuple

import numpy as np

from ninefold.core.grid import FULL, LINE_MASKS
from ninefold.envs.arrays import Array, astype, put, take_rows

ANY_BOARD = 9
BOARDS = range(9)
MASK_SHIFTS = tuple(divmod(9 * board, 32) for board in BOARDS)  # the word and the bit where the moves of a board begin
ALIVE, WON, DRAWN = range(3)

# Of every move: its board, and in the upper bits its cell.
PLACES = [board | cell << 4 for board in BOARDS for cell in range(9)]
# Of every set of nine cells: its lines, and in the upper bits its cells.
LINES = [sum(cells & line == line for line in LINE_MASKS) | cells.bit_count() << 4 for cells in range(512)]
LINE_BITS = 15
# The fate of a board, by whether the mover has a line there and by the cells that are taken.
FATES = [*(DRAWN if cells == FULL else ALIVE for cells in range(512)), *[WON] * 512]
# Of every byte, the index of its bit of each rank.
NTH_BITS = [([bit for bit in range(8) if byte >> bit & 1] + [0] * 8)[:8] for byte in range(256)]

MarkWords = tuple[Array, ...]  # nine words of two boards each: the cells of X on nine boards, then those of O


class RuleFlags(NamedTuple):
    """Whether drawn boards count for both, boards won break ties, and ended games are reset; and who starts."""

    both: bool
    boards: bool
    first: int
    resets: bool


class BigBoard(NamedTuple):
    """The big board: the boards won by X and by O, those drawn, the board to play in, and the side to move."""

    won_x: Array
    won_o: Array
    drawn: Array
    board: Array
    turn: Array

    @property
    def dead(self) -> Array:
        return self.won_x | self.won_o | self.drawn


class PlacedMark(NamedTuple):
    """A mark that is placed: the number of the word that holds it, and its bit."""

    word: Array
    bit: Array


class BigRules:
    """The rules for arrays of a library on a device."""

    flags: RuleFlags

    def __init__(self, flags: RuleFlags, library: ModuleType, device: Any) -> None:
        self.flags, self._library = flags, library
        tables = (np.array(table, np.int32).reshape(-1) for table in (PLACES, LINES, FATES, NTH_BITS))
        self._places, self._lines, self._fates, self._nth_bits = (put(library, device, table) for table in tables)

    def play(self, marks: MarkWords, big: BigBoard, move: Array) -> tuple[PlacedMark, BigBoard]:
        """A move, which must be legal: its mark, and the big board after it."""
        xp = self._library
        found = take_rows(xp, self._places, move)
        board, cell, x_moves = found & 15, found >> 4, big.turn == 0
        place = 9 * big.turn + board
        mine = self._marks_at(marks, place) | self._bit(cell)
        taken = mine | self._marks_at(marks, 9 * (1 - big.turn) + board)
        line = astype(xp, self._looked_up(mine) & LINE_BITS != 0, xp.int32)
        fate = take_rows(xp, self._fates, line << 9 | taken)
        won, drawn = (astype(xp, fate == one, xp.int32) << board for one in (WON, DRAWN))
        won_x, won_o = big.won_x | xp.where(x_moves, won, 0), big.won_o | xp.where(x_moves, 0, won)
        after = BigBoard(won_x, won_o, big.drawn | drawn, cell, 1 - big.turn)
        sent = xp.where(after.dead >> cell & 1 == 0, cell, ANY_BOARD)
        return PlacedMark(place >> 1, self._bit(cell + 16 * (place & 1))), after._replace(board=sent)

    def _looked_up(self, cells: Array) -> Array:
        return take_rows(self._library, self._lines, cells)

    def _bit(self, number: Array) -> Array:
        return self._library.zeros_like(number) + 1 << number

    def _marks_at(self, marks: MarkWords, place: Array) -> Array:
        """The marks of a side on a board, 9 * side + board."""
        word, found = place >> 1, marks[0]
        for number in range(1, 9):
            found = self._library.where(word == number, marks[number], found)
        return found >> 16 * (place & 1) & FULL

    def with_mark(self, marks: MarkWords, mark: PlacedMark) -> MarkWords:
        return tuple(old | self._library.where(mark.word == word, mark.bit, 0) for word, old in enumerate(marks))

    def scoring(self, big: BigBoard) -> tuple[Array, Array]:
        """The boards that count for X and for O."""
        return (big.won_x | big.drawn, big.won_o | big.drawn) if self.flags.both else (big.won_x, big.won_o)

    def result(self, big: BigBoard) -> tuple[Array, Array]:
        """Whether games have ended, and their result for X: 1, 0 or -1. A drawn board can complete a line of either
        side."""
        xp = self._library
        x, o = (self._looked_up(cells) & LINE_BITS for cells in self.scoring(big))
        more = x - o
        if self.flags.boards:
            boards = (self._looked_up(big.won_x) >> 4) - (self._looked_up(big.won_o) >> 4)
            more = xp.where(x + o == 0, boards, more)
        return (x + o > 0) | (big.dead == FULL), astype(xp, more > 0, xp.int32) - astype(xp, more < 0, xp.int32)

    def legal_words(self, marks: MarkWords, big: BigBoard) -> tuple[Array, ...]:
        """The legal moves of games that have not ended, as bits of three words: nine of each board."""
        xp = self._library
        open_boards = xp.where(big.board == ANY_BOARD, big.dead ^ FULL, self._bit(big.board))
        words: list[Array] = [xp.zeros_like(open_boards)] * 3
        for board, (word, bit) in enumerate(MASK_SHIFTS):
            taken = marks_in(marks, 0, board) | marks_in(marks, 1, board)
            free = (taken ^ FULL) & -(open_boards >> board & 1)
            words[word] = words[word] | free << bit
            if bit > 23:  # the rest of them is in the next word
                words[word + 1] = words[word + 1] | free >> 32 - bit
        return tuple(words)

    def nth_move(self, words: tuple[Array, ...], rank: Array) -> Array:
        """The legal move of a rank, from the lowest one up."""
        xp = self._library
        sums = [_byte_sums(word) for word in words]
        first = sums[0] >> 24
        second = first + (sums[1] >> 24)
        in_first, in_second = rank < first, rank < second
        word, sum_, before = (
            xp.where(in_first, one, xp.where(in_second, two, three))
            for one, two, three in (words, sums, (xp.zeros_like(first), first, second))
        )
        start = 32 * (astype(xp, ~in_first, xp.int32) + astype(xp, ~in_second, xp.int32))
        rank = rank - before
        byte = sum(astype(xp, rank >= (sum_ >> 8 * number & 0xFF), xp.int32) for number in range(3))
        rank = rank - (sum_ << 8 >> 8 * byte & 0xFF)
        bits = word >> 8 * byte & 0xFF
        return start + 8 * byte + take_rows(xp, self._nth_bits, bits << 3 | rank)


def columns_of(position: Array) -> tuple[MarkWords, BigBoard]:
    """Positions taken apart."""
    *marks, won, rest = (position[..., word] for word in range(11))
    return tuple(marks), big_of(won, rest)


def big_of(won: Array, rest: Array) -> BigBoard:
    """The big board from the last two words of positions."""
    return BigBoard(won & FULL, won >> 16 & FULL, rest & FULL, rest >> 16 & 15, rest >> 24 & 1)


def big_words(big: BigBoard) -> tuple[Array, Array]:
    """The last two words of positions."""
    return big.won_x | big.won_o << 16, big.drawn | big.board << 16 | big.turn << 24


def marks_in(marks: MarkWords, side: int, board: int) -> Array:
    """The cells that X (0) or O (1) has on a board."""
    word, upper = divmod(9 * side + board, 2)
    return marks[word] >> 16 * upper & FULL


def places_by_board(words: tuple[Array, ...]) -> list[Array]:
    """Legal moves, nine bits for every board."""
    found = []
    for word, bit in MASK_SHIFTS:
        cells = words[word] >> bit & FULL >> max(0, bit - 23)
        found.append(cells | words[word + 1] << 32 - bit & FULL if bit > 23 else cells)
    return found


def popcount(words: Array) -> Array:
    """The number of bits of int32 words."""
    return _byte_sums(words) >> 24


def _byte_sums(words: Array) -> Array:
    """How many bits are set up to the end of every byte, in that byte. No product overflows."""
    pairs = words - (words >> 1 & 0x55555555)
    fours = (pairs & 0x33333333) + (pairs >> 2 & 0x33333333)
    return (fours + (fours >> 4) & 0x0F0F0F0F) * 0x01010101
