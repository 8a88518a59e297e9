// Threats: wins and losses of the game at once, seen without making a move.
// Compiled with the search for several processors, so everything here is private to its file.
#pragma once

#include "movegen.hpp"

namespace ninefold {

namespace {

// COMPLETING_CELLS[cells]: the other cells that complete three in a row.
constexpr auto COMPLETING_CELLS = [] {
    std::array<uint16_t, 512> table{};
    for (unsigned cells = 0; cells < 512; ++cells)
        for (unsigned cell = 1; cell < 512; cell *= 2)
            if (!(cells & cell) && compute_has_line(cells | cell))
                table[cells] = static_cast<uint16_t>(table[cells] | cell);
    return table;
}();

// The cells of a board with which a side wins it.
[[gnu::always_inline]] inline unsigned winning_cells(const Position& position, int side, int board) {
    return COMPLETING_CELLS[position.marks[side][board]] & position.free_cells(board);
}

// A move that wins a board and with it the game, or MOVE_COUNT. Games that a drawn board ends are left to the search.
[[gnu::always_inline]] inline int winning_move(const Position& position, Rules rules) {
    const int side = position.turn;
    unsigned boards = COMPLETING_CELLS[position.scoring_boards(side, rules)] & position.open_boards();
    for (; boards; boards &= boards - 1) {
        int board = __builtin_ctz(boards);
        if (unsigned cells = winning_cells(position, side, board)) return board * 9 + __builtin_ctz(cells);
    }
    return MOVE_COUNT;
}

// The boards on which the opponent of the side to move would win the game at once, if it were sent there.
class Threats {
public:
    [[gnu::always_inline]] Threats(const Position& position, Rules rules) : position_(position) {
        const int opponent = position.turn ^ 1;
        unsigned boards = COMPLETING_CELLS[position.scoring_boards(opponent, rules)] & ~position.dead();
        for (; boards; boards &= boards - 1) {
            int board = __builtin_ctz(boards);
            if (winning_cells(position, opponent, board)) boards_ |= 1u << board;
        }
    }

    // True if the opponent can win at once after a move that does not end the game; dies: its board is won or full.
    [[gnu::always_inline]] bool punish(int board, int cell, int next_board, bool dies) const {
        unsigned left = boards_;
        if (left >> board & 1 && (dies || !(winning_cells(position_, position_.turn ^ 1, board) & ~(1u << cell))))
            left &= ~(1u << board);
        return next_board == ANY_BOARD ? left != 0 : left >> next_board & 1;
    }

private:
    const Position& position_;
    unsigned boards_ = 0;
};

}  // namespace

}  // namespace ninefold
