// Perft: the number of move sequences of a length. The last ply is counted in bulk.
#pragma once

#include "movegen.hpp"

namespace ninefold {

static inline uint64_t perft(const Position& position, Rules rules, int depth) {
    if (depth == 0) return 1;
    if (depth == 1) return static_cast<uint64_t>(count_moves(position));
    uint64_t count = 0;
    for (int move : generate_moves(position)) {
        Position after = position;
        bool died = after.play(move / 9, move % 9);
        if (!died || !after.ended(rules)) count += perft(after, rules, depth - 1);
    }
    return count;
}

}  // namespace ninefold
