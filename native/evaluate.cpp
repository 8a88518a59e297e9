#include "evaluate.hpp"

#include <bit>

namespace ninefold {

ByHand::ByHand() {
    for (unsigned cells = 0; cells < 512; ++cells) {
        ternary_[cells] = 0;
        for (int cell = 0, power = 1; cell < 9; ++cell, power *= 3)
            if (cells >> cell & 1) ternary_[cells] = static_cast<uint16_t>(ternary_[cells] + power);
    }
    for (auto& chances : chances_) chances.assign(STATES, {0, 0});
    // From full boards down to the empty one, so that what comes after is known before.
    for (int marks = 9; marks >= 0; --marks)
        for (unsigned x = 0; x < 512; ++x)
            for (unsigned o = 0; o < 512; ++o) {
                if (x & o || std::popcount(x | o) != marks) continue;
                uint16_t state = this->state(x, o);
                if (has_line(x) || has_line(o) || marks == 9) {
                    Chances decided{static_cast<float>(has_line(x)), static_cast<float>(has_line(o))};
                    for (auto& chances : chances_) chances[state] = decided;
                    continue;
                }
                for (int side = 0; side < 2; ++side) {
                    Chances sum{0, 0};
                    bool wins = false;
                    for (unsigned free = ~(x | o) & FULL; free; free &= free - 1) {
                        unsigned bit = free & -free;
                        wins |= has_line((side ? o : x) | bit);
                        const Chances& after = chances_[NOBODY][this->state(side ? x : x | bit, side ? o | bit : o)];
                        sum.x += after.x;
                        sum.o += after.o;
                    }
                    auto size = static_cast<float>(9 - marks);
                    chances_[1 + side][state] = wins ? Chances{side ? 0.f : 1.f, side ? 1.f : 0.f} : Chances{sum.x / size, sum.o / size};
                }
                const Chances &by_x = chances_[1][state], &by_o = chances_[2][state];
                chances_[0][state] = {(by_x.x + by_o.x) / 2, (by_x.o + by_o.o) / 2};
            }
}

}  // namespace ninefold
