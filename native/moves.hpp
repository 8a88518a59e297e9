// What only the CPU needs on top of the rules: move lists, and tables that replace arithmetic.
#pragma once

#include <array>

#include "squared.hpp"

namespace ninefold {

namespace tables {

// The k-th cell of a set, for every set and k.
inline constexpr auto cell = [] {
    std::array<std::array<uint8_t, 9>, 512> found{};
    for (unsigned cells = 0; cells < 512; ++cells)
        for (int c = 0, k = 0; c < 9; ++c)
            if (cells >> c & 1) found[cells][k++] = static_cast<uint8_t>(c);
    return found;
}();

}  // namespace tables

struct MoveList {
    uint8_t moves[MOVES];
    int size = 0;

    const uint8_t* begin() const { return moves; }
    const uint8_t* end() const { return moves + size; }
};

// The moves of a position that has not ended, ascending.
static inline MoveList moves_of(const Position& position) {
    MoveList list;
    for (unsigned boards = position.open_boards(); boards; boards &= boards - 1) {
        int board = __builtin_ctz(boards);
        for (unsigned cells = position.free_cells(board); cells; cells &= cells - 1)
            list.moves[list.size++] = static_cast<uint8_t>(board * 9 + __builtin_ctz(cells));
    }
    return list;
}

// Where a move sends the opponent.
[[gnu::always_inline]] static inline int sent_to(const Position& position, int board, int cell) {
    unsigned dead = position.dead();
    if (cell == board) {   // to the board it is played on, unless that dies of it
        unsigned mine = position.marks[position.turn][board] | 1u << cell;
        dead |= static_cast<unsigned>(has_line(mine) || (mine | position.marks[position.turn ^ 1][board]) == FULL) << board;
    }
    return dead >> cell & 1 ? ANY : cell;
}

static inline int count_moves(const Position& position) {
    int count = 0;
    for (unsigned boards = position.open_boards(); boards; boards &= boards - 1)
        count += __builtin_popcount(position.free_cells(__builtin_ctz(boards)));
    return count;
}

}  // namespace ninefold
