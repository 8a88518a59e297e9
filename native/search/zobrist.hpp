// Zobrist keys: a position is named by the exclusive or of random numbers, one for each of its parts.
// Compiled with the search for several processors, so everything here is private to its file.
#pragma once

#include "movegen.hpp"
#include "playout/random_stream.hpp"

namespace ninefold {

namespace {

struct Zobrist {
    uint64_t mark[2][MOVE_COUNT], board[10], turn;

    constexpr Zobrist() : mark{}, board{}, turn(splitmix64(1)) {
        for (uint64_t n = 0; n < MOVE_COUNT; ++n) mark[0][n] = splitmix64(100 + n), mark[1][n] = splitmix64(300 + n);
        for (uint64_t n = 0; n < 10; ++n) board[n] = splitmix64(500 + n);
    }
};
constexpr Zobrist ZOBRIST;

inline uint64_t zobrist_key(const Position& position) {
    uint64_t key = ZOBRIST.board[position.board] ^ (position.turn ? ZOBRIST.turn : 0);
    for (int side = 0; side < 2; ++side)
        for (int b = 0; b < 9; ++b)
            for (unsigned cells = position.marks[side][b]; cells; cells &= cells - 1)
                key ^= ZOBRIST.mark[side][b * 9 + __builtin_ctz(cells)];
    return key;
}

// The key after a move, from the key before it.
inline uint64_t zobrist_key_after(const Position& position, uint64_t key, int move) {
    int next = next_board(position, move / 9, move % 9);
    return key ^ ZOBRIST.mark[position.turn][move] ^ ZOBRIST.board[position.board] ^ ZOBRIST.board[next] ^ ZOBRIST.turn;
}

}  // namespace

}  // namespace ninefold
