// What names a position in the table. Compiled with the search, so everything here is private to its file.
#pragma once

#include "moves.hpp"
#include "playout.hpp"

namespace ninefold {

namespace {

// Random numbers for the parts of a position; their exclusive or names it.
struct Keys {
    uint64_t mark[2][MOVES], board[10], turn;

    constexpr Keys() : mark{}, board{}, turn(Stream::mix(1)) {
        for (uint64_t n = 0; n < MOVES; ++n) mark[0][n] = Stream::mix(100 + n), mark[1][n] = Stream::mix(300 + n);
        for (uint64_t n = 0; n < 10; ++n) board[n] = Stream::mix(500 + n);
    }
};
constexpr Keys KEYS;

inline uint64_t key_of(const Position& position) {
    uint64_t key = KEYS.board[position.board] ^ (position.turn ? KEYS.turn : 0);
    for (int side = 0; side < 2; ++side)
        for (int b = 0; b < 9; ++b)
            for (unsigned cells = position.marks[side][b]; cells; cells &= cells - 1)
                key ^= KEYS.mark[side][b * 9 + __builtin_ctz(cells)];
    return key;
}

inline uint64_t key_after(const Position& position, uint64_t key, int move) {
    int sent = sent_to(position, move / 9, move % 9);
    return key ^ KEYS.mark[position.turn][move] ^ KEYS.board[position.board] ^ KEYS.board[sent] ^ KEYS.turn;
}

}  // namespace

}  // namespace ninefold
