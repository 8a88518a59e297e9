// Zobrist keys: a position is named by the exclusive or of random numbers, one for each of its parts.
// Compiled with the search for several processors, so everything here is private to its file.
#pragma once

#include "movegen.hpp"
#include "playout/random_stream.hpp"

namespace ninefold {

namespace {

struct Zobrist {
    uint64_t mark[2][MOVE_COUNT], dead[3][9], board[10], turn;

    constexpr Zobrist() : mark{}, dead{}, board{}, turn(splitmix64(1)) {
        for (uint64_t n = 0; n < MOVE_COUNT; ++n) mark[0][n] = splitmix64(100 + n), mark[1][n] = splitmix64(300 + n);
        for (uint64_t n = 0; n < 10; ++n) board[n] = splitmix64(500 + n);
        for (uint64_t n = 0; n < 27; ++n) dead[n / 9][n % 9] = splitmix64(600 + n);
    }
};
constexpr Zobrist ZOBRIST;

// The marks of a side on a board.
inline uint64_t marks_key(int side, int board, unsigned cells) {
    uint64_t key = 0;
    for (; cells; cells &= cells - 1) key ^= ZOBRIST.mark[side][board * 9 + __builtin_ctz(cells)];
    return key;
}

// Of a dead board only its owner is left: its marks have no effect any more, and more positions are the same.
inline uint64_t zobrist_key(const Position& position) {
    uint64_t key = ZOBRIST.board[position.board] ^ (position.turn ? ZOBRIST.turn : 0);
    for (int b = 0; b < 9; ++b) {
        if (position.dead() >> b & 1)
            key ^= ZOBRIST.dead[position.won[0] >> b & 1 ? 0 : position.won[1] >> b & 1 ? 1 : 2][b];
        else key ^= marks_key(0, b, position.marks[0][b]) ^ marks_key(1, b, position.marks[1][b]);
    }
    return key;
}

// The key after a move, from the key before it.
inline uint64_t zobrist_key_after(const Position& position, uint64_t key, int move) {
    const int board = move / 9, cell = move % 9, side = position.turn;
    const unsigned before = position.marks[side][board], theirs = position.marks[side ^ 1][board];
    const bool wins = has_line(before | 1u << cell), dies = wins || (before | 1u << cell | theirs) == FULL_BOARD;
    const unsigned dead = position.dead() | static_cast<unsigned>(dies) << board;
    key ^= ZOBRIST.board[position.board] ^ ZOBRIST.board[dead >> cell & 1 ? ANY_BOARD : cell] ^ ZOBRIST.turn;
    if (!dies) return key ^ ZOBRIST.mark[side][move];
    return key ^ marks_key(side, board, before) ^ marks_key(side ^ 1, board, theirs) ^
           ZOBRIST.dead[wins ? side : 2][board];
}

}  // namespace

}  // namespace ninefold
