// The rules of squared and ultimate on nine-bit boards. No Python and no allocation: GPU kernels compile this file too.
#pragma once

#if defined(__CUDACC_RTC__)  // compiled at run time, where there are no headers
namespace ninefold {
using int8_t = signed char;
using uint8_t = unsigned char;
using uint16_t = unsigned short;
using int32_t = int;
using uint32_t = unsigned;
using uint64_t = unsigned long long;
}  // namespace ninefold
#else
#include <cstdint>
#endif

#if defined(__CUDACC__)
#define NINEFOLD_FN __host__ __device__ constexpr
#else
#define NINEFOLD_FN [[gnu::always_inline]] constexpr
#endif

namespace ninefold {

constexpr int FULL_BOARD = 0x1ff;
constexpr int ANY_BOARD = 9;    // the next mark may go on any live board
constexpr int MOVE_COUNT = 81;  // a move is board * 9 + cell

struct Rules {
    bool drawn_counts_for_both;  // a drawn board counts for both players on the big board
    bool boards_break_ties;      // with all boards dead and no line, more boards won wins
};

// True if a set of cells holds three in a row, by arithmetic alone.
NINEFOLD_FN bool compute_has_line(unsigned cells) {
    return (cells & cells >> 1 & cells >> 2 & 0x49) | (cells & cells >> 3 & cells >> 6 & 0x7) |
           ((cells & 0x111) == 0x111) | ((cells & 0x54) == 0x54);
}

#if !defined(__CUDACC_RTC__)
// The same for all 512 sets, as a lookup table for CPUs.
struct LineTable {
    bool has_line[512] = {};
    constexpr LineTable() {
        for (unsigned cells = 0; cells < 512; ++cells) has_line[cells] = compute_has_line(cells);
    }
};
inline constexpr LineTable LINE_TABLE;
#endif

NINEFOLD_FN bool has_line(unsigned cells) {
#if defined(__CUDA_ARCH__)
    return compute_has_line(cells);
#else
    return LINE_TABLE.has_line[cells];
#endif
}

NINEFOLD_FN int count_lines(unsigned cells) {
    constexpr unsigned lines[8] = {0x7, 0x38, 0x1c0, 0x49, 0x92, 0x124, 0x111, 0x54};
    int count = 0;
    for (unsigned line : lines) count += (cells & line) == line;
    return count;
}

NINEFOLD_FN int popcount(unsigned bits) {
#if defined(__CUDA_ARCH__)
    return __popc(bits);
#else
    return __builtin_popcount(bits);
#endif
}

struct Position {
    uint16_t marks[2][9];  // the cells of X and of O, board by board
    uint16_t won[2];       // the boards won by X and by O
    uint16_t drawn;
    uint8_t board;  // where the next mark must go, or ANY_BOARD
    uint8_t turn;   // 0 for X, 1 for O

    // Boards that are won or drawn: nobody plays there any more.
    NINEFOLD_FN unsigned dead() const { return won[0] | won[1] | drawn; }
    NINEFOLD_FN unsigned free_cells(int b) const { return ~(marks[0][b] | marks[1][b]) & FULL_BOARD; }

    // The boards where the side to move may play while the game goes on.
    NINEFOLD_FN unsigned open_boards() const { return board == ANY_BOARD ? ~dead() & FULL_BOARD : 1u << board; }

    // Makes a legal move. Returns true if its board is won or full after it; only then can the game have ended.
    NINEFOLD_FN bool play(int b, int cell) {
        unsigned mine = marks[turn][b] |= 1 << cell;
        bool died = true;
        if (has_line(mine)) won[turn] |= 1 << b;
        else if ((mine | marks[turn ^ 1][b]) == FULL_BOARD) drawn |= 1 << b;
        else died = false;
        board = dead() >> cell & 1 ? ANY_BOARD : cell;
        turn ^= 1;
        return died;
    }

    // The boards that count for a side on the big board.
    NINEFOLD_FN unsigned scoring_boards(int side, Rules rules) const {
        return rules.drawn_counts_for_both ? won[side] | drawn : won[side];
    }

    NINEFOLD_FN bool ended(Rules rules) const {
        return has_line(scoring_boards(0, rules)) || has_line(scoring_boards(1, rules)) || dead() == FULL_BOARD;
    }

    // The result of an ended game: 1 if X has won, -1 if O has won, 0 if it is drawn. A drawn board can complete a line
    // of either side, so both sides are counted.
    NINEFOLD_FN int result(Rules rules) const {
        int lines = count_lines(scoring_boards(0, rules)) - count_lines(scoring_boards(1, rules));
        if (lines == 0 && rules.boards_break_ties && !has_line(scoring_boards(0, rules)))
            lines = popcount(won[0]) - popcount(won[1]);
        return (lines > 0) - (lines < 0);
    }
};

}  // namespace ninefold
