// The rules of squared and ultimate on nine-bit boards. No Python and no allocation: GPU kernels compile this too.
#pragma once

#if defined(__CUDACC_RTC__)   // compiled at run time, where there are no headers
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

constexpr int FULL = 0x1ff;
constexpr int ANY = 9;   // the next mark may go on any live board
constexpr int MOVES = 81;

struct Rules {
    bool drawn_counts_for_both;   // a drawn board is a piece of both players on the big board
    bool boards_break_ties;       // with all boards dead and no line, more boards won wins
};

// Whether a set of cells holds three in a row, by arithmetic alone.
NINEFOLD_FN bool computes_line(unsigned cells) {
    return (cells & cells >> 1 & cells >> 2 & 0x49) | (cells & cells >> 3 & cells >> 6 & 0x7) |
           ((cells & 0x111) == 0x111) | ((cells & 0x54) == 0x54);
}

#if !defined(__CUDACC_RTC__)
// The same for every set, for processors with a fast cache.
struct LineTable {
    bool holds[512] = {};
    constexpr LineTable() {
        for (unsigned cells = 0; cells < 512; ++cells) holds[cells] = computes_line(cells);
    }
};
inline constexpr LineTable LINES;
#endif

NINEFOLD_FN bool has_line(unsigned cells) {
#if defined(__CUDA_ARCH__)
    return computes_line(cells);
#else
    return LINES.holds[cells];
#endif
}

NINEFOLD_FN int count_lines(unsigned cells) {
    constexpr unsigned lines[8] = {0x7, 0x38, 0x1c0, 0x49, 0x92, 0x124, 0x111, 0x54};
    int count = 0;
    for (unsigned line : lines) count += (cells & line) == line;
    return count;
}

struct Position {
    uint16_t marks[2][9];   // the cells of X and of O, board by board
    uint16_t won[2];        // the boards of X and of O
    uint16_t drawn;
    uint8_t board;          // where the next mark must go, or ANY
    uint8_t turn;           // 0 for X, 1 for O

    NINEFOLD_FN unsigned dead() const { return won[0] | won[1] | drawn; }
    NINEFOLD_FN unsigned free_cells(int b) const { return ~(marks[0][b] | marks[1][b]) & FULL; }

    // The boards that may be played in while the game goes on.
    NINEFOLD_FN unsigned open_boards() const { return board == ANY ? ~dead() & FULL : 1u << board; }

    // Puts the mark of the side to move; the move must be legal. Says whether its board has died of it.
    NINEFOLD_FN bool play(int b, int cell) {
        unsigned mine = marks[turn][b] |= 1 << cell;
        bool died = true;
        if (has_line(mine)) won[turn] |= 1 << b;
        else if ((mine | marks[turn ^ 1][b]) == FULL) drawn |= 1 << b;
        else died = false;
        board = dead() >> cell & 1 ? ANY : cell;
        turn ^= 1;
        return died;
    }

    // The boards that count for a side.
    NINEFOLD_FN unsigned scoring(int side, Rules rules) const {
        return rules.drawn_counts_for_both ? won[side] | drawn : won[side];
    }

    NINEFOLD_FN bool ended(Rules rules) const {
        return has_line(scoring(0, rules)) || has_line(scoring(1, rules)) || dead() == FULL;
    }

    // Of an ended game: 1 X has won, -1 O has won, 0 drawn. A drawn board can complete a line of either side.
    NINEFOLD_FN int result(Rules rules) const {
        int lines = count_lines(scoring(0, rules)) - count_lines(scoring(1, rules));
        if (lines == 0 && rules.boards_break_ties && !has_line(scoring(0, rules)))
            lines = bits(won[0]) - bits(won[1]);
        return (lines > 0) - (lines < 0);
    }

    NINEFOLD_FN static int bits(unsigned cells) {
#if defined(__CUDA_ARCH__)
        return __popc(cells);
#else
        return __builtin_popcount(cells);
#endif
    }
};

}  // namespace ninefold
