// Move generation on the CPU.
#pragma once

#include <array>

#include "rules.hpp"

namespace ninefold {

// NTH_CELL[cells][n]: the n-th cell of a set of cells.
inline constexpr auto NTH_CELL = [] {
    std::array<std::array<uint8_t, 9>, 512> table{};
    for (unsigned cells = 0; cells < 512; ++cells)
        for (int cell = 0, n = 0; cell < 9; ++cell)
            if (cells >> cell & 1) table[cells][n++] = static_cast<uint8_t>(cell);
    return table;
}();

struct MoveList {
    uint8_t moves[MOVE_COUNT];
    int size = 0;

    const uint8_t* begin() const { return moves; }
    const uint8_t* end() const { return moves + size; }
};

// The legal moves of a position that has not ended, in ascending order.
static inline MoveList generate_moves(const Position& position) {
    MoveList list;
    for (unsigned boards = position.open_boards(); boards; boards &= boards - 1) {
        int board = __builtin_ctz(boards);
        for (unsigned cells = position.free_cells(board); cells; cells &= cells - 1)
            list.moves[list.size++] = static_cast<uint8_t>(board * 9 + __builtin_ctz(cells));
    }
    return list;
}

static inline int count_moves(const Position& position) {
    int count = 0;
    for (unsigned boards = position.open_boards(); boards; boards &= boards - 1)
        count += __builtin_popcount(position.free_cells(__builtin_ctz(boards)));
    return count;
}

// True if a move is legal in a position that has not ended; MOVE_COUNT is no move.
static inline bool is_legal(const Position& position, int move) {
    if (move >= MOVE_COUNT) return false;
    return position.open_boards() >> move / 9 & position.free_cells(move / 9) >> move % 9 & 1;
}

// The board to which a move sends the opponent, or ANY_BOARD, without making the move.
[[gnu::always_inline]] static inline int next_board(const Position& position, int board, int cell) {
    unsigned dead = position.dead();
    if (cell == board) {  // to the board it is played on, unless that one dies of it
        unsigned mine = position.marks[position.turn][board] | 1u << cell;
        bool dies = has_line(mine) || (mine | position.marks[position.turn ^ 1][board]) == FULL_BOARD;
        dead |= static_cast<unsigned>(dies) << board;
    }
    return dead >> cell & 1 ? ANY_BOARD : cell;
}

}  // namespace ninefold
