// Every filling of a small board as a number in base 3: one digit for each cell.
#pragma once

#include <cstdint>

namespace ninefold {

constexpr int FILLINGS = 19'683;  // 3 ** 9
constexpr int POWER_OF_3[9] = {1, 3, 9, 27, 81, 243, 729, 2187, 6561};

// The filling in which a set of cells has the first kind of mark and the others are empty.
struct TernaryTable {
    uint16_t of[512] = {};
    constexpr TernaryTable() {
        for (unsigned cells = 0; cells < 512; ++cells)
            for (int cell = 0; cell < 9; ++cell)
                if (cells >> cell & 1) of[cells] = static_cast<uint16_t>(of[cells] + POWER_OF_3[cell]);
    }
};
inline constexpr TernaryTable TERNARY;

[[gnu::always_inline]] inline uint16_t filling_of(unsigned first, unsigned second) {
    return static_cast<uint16_t>(TERNARY.of[first] + 2 * TERNARY.of[second]);
}

}  // namespace ninefold
