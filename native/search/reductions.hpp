// Late move reductions (LMR): by how many plies a late move is searched less deeply.
#pragma once

#include <algorithm>

#include "search/score.hpp"

namespace ninefold {

// Grows with the logarithms of the depth and of the number of the move.
struct LmrTable {
    uint8_t plies[MAX_PLY][MOVE_COUNT] = {};

    constexpr LmrTable() {
        double logs[MAX_PLY] = {};
        for (int n = 2; n < MAX_PLY; ++n) logs[n] = logs[n - 1] + log_step(n);
        for (int depth = 3; depth < MAX_PLY; ++depth)
            for (int i = 4; i < MOVE_COUNT; ++i) {
                int reduction = static_cast<int>(0.3 + 0.5 * logs[depth] * logs[i]);
                plies[depth][i] = static_cast<uint8_t>(std::min(depth - 2, reduction));
            }
    }

    // The logarithm of n / (n - 1) by its series, so that it is the same on every machine.
    static constexpr double log_step(int n) {
        double z = 1.0 / (2 * n - 1), sum = 0, power = z;
        for (int k = 1; k < 20; k += 2, power *= z * z) sum += 2 * power / k;
        return sum;
    }
};
inline constexpr LmrTable LMR_TABLE;

}  // namespace ninefold
