#include "evaluate.hpp"

#include <bit>
#include <cmath>

namespace ninefold {

namespace {

// How often a player takes a line that can be taken, and otherwise blocks one that must be blocked. These and the
// weights of ByHand were fitted to the results of some ten thousand games of the engine against itself.
constexpr float TAKES = 0.4f, BLOCKS = 0.6f;

struct Won {
    float x, o;

    void add(const Won& other) { x += other.x, o += other.o; }
    void divide(float by) { x /= by, o /= by; }
    void mix(const Won& other, float share) { x += share * (other.x - x), o += share * (other.o - o); }
};

// A chance counts less than in proportion: three boards that may be won seldom become a line.
float weigh(float chance) { return chance * std::sqrt(chance); }

}  // namespace

ByHand::ByHand() {
    for (unsigned cells = 0; cells < 512; ++cells) {
        ternary_[cells] = 0;
        for (int cell = 0; cell < 9; ++cell)
            if (cells >> cell & 1) ternary_[cells] = static_cast<uint16_t>(ternary_[cells] + POWER[cell]);
    }
    std::vector<Won> won[3];   // by who moves next
    for (auto& by : won) by.assign(STATES, {0, 0});
    auto after_moves = [&](unsigned x, unsigned o, int side) {
        Won any{0, 0}, block{0, 0};
        float moves = 0, blocks = 0;
        bool wins = false;
        for (unsigned free = ~(x | o) & FULL; free; free &= free - 1) {
            unsigned bit = free & -free;
            const Won& after = won[NOBODY][state(side ? x : x | bit, side ? o | bit : o)];
            wins |= has_line((side ? o : x) | bit);
            any.add(after), ++moves;
            if (has_line((side ? x : o) | bit)) block.add(after), ++blocks;
        }
        any.divide(moves);
        if (blocks > 0) block.divide(blocks), any.mix(block, BLOCKS);
        if (wins) any.mix({side ? 0.f : 1.f, side ? 1.f : 0.f}, TAKES);
        return any;
    };
    // From full boards down to the empty one, so that what comes after is known before.
    for (int marks = 9; marks >= 0; --marks)
        for (unsigned x = 0; x < 512; ++x)
            for (unsigned o = 0; o < 512; ++o) {
                if (x & o || std::popcount(x | o) != marks) continue;
                uint16_t at = state(x, o);
                if (has_line(x) || has_line(o) || marks == 9) {
                    for (auto& by : won) by[at] = {static_cast<float>(has_line(x)), static_cast<float>(has_line(o))};
                    continue;
                }
                for (int side = 0; side < 2; ++side) won[1 + side][at] = after_moves(x, o, side);
                won[NOBODY][at] = won[1][at];
                won[NOBODY][at].mix(won[2][at], 0.5f);
            }
    for (auto& chances : chances_) chances.resize(STATES);
    for (size_t at = 0; at < STATES; ++at)
        for (int next = 0; next < 3; ++next) {
            Won chance = won[next][at];
            chances_[0][at].by[next] = {weigh(chance.x), weigh(chance.o)};
            // A board that is not the opponent's is one's own where drawn boards count for both.
            chances_[1][at].by[next] = {weigh(1 - chance.o), weigh(1 - chance.x)};
        }
}

}  // namespace ninefold
