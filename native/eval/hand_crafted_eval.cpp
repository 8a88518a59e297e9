// The table of chances behind the hand-crafted evaluation: solved backwards over all fillings of a small board.
#include "eval/hand_crafted_eval.hpp"

#include <bit>
#include <cmath>

namespace ninefold {

namespace {

// How often a player takes a line that can be taken, and otherwise blocks one that must be blocked. These and the
// weights of HandCraftedEval were fitted to the results of some ten thousand games of the engine against itself.
constexpr float TAKES_LINE = 0.4f, BLOCKS_LINE = 0.6f;

struct WinChances {
    float x, o;

    void add(const WinChances& other) { x += other.x, o += other.o; }
    void divide(float by) { x /= by, o /= by; }
    void mix(const WinChances& other, float share) { x += share * (other.x - x), o += share * (other.o - o); }
};

// A chance counts less than in proportion: three boards that may be won seldom become a line.
float weigh(float chance) { return chance * std::sqrt(chance); }

}  // namespace

HandCraftedEval::HandCraftedEval() {
    std::vector<WinChances> wins[3];  // by who moves next
    for (auto& by_mover : wins) by_mover.assign(FILLINGS, {0, 0});
    auto after_moves = [&](unsigned x, unsigned o, int side) {
        WinChances any{0, 0}, block{0, 0};
        float moves = 0, blocks = 0;
        bool can_win = false;
        for (unsigned free = ~(x | o) & FULL_BOARD; free; free &= free - 1) {
            unsigned bit = free & -free;
            const WinChances& after = wins[UNKNOWN_MOVER][filling_of(side ? x : x | bit, side ? o | bit : o)];
            can_win |= has_line((side ? o : x) | bit);
            any.add(after), ++moves;
            if (has_line((side ? x : o) | bit)) block.add(after), ++blocks;
        }
        any.divide(moves);
        if (blocks > 0) block.divide(blocks), any.mix(block, BLOCKS_LINE);
        if (can_win) any.mix({side ? 0.f : 1.f, side ? 1.f : 0.f}, TAKES_LINE);
        return any;
    };
    // From full boards down to the empty one, so that all successors are known.
    for (int marks = 9; marks >= 0; --marks)
        for (unsigned x = 0; x < 512; ++x)
            for (unsigned o = 0; o < 512; ++o) {
                if (x & o || std::popcount(x | o) != marks) continue;
                uint16_t at = filling_of(x, o);
                if (has_line(x) || has_line(o) || marks == 9) {
                    for (auto& by_mover : wins)
                        by_mover[at] = {static_cast<float>(has_line(x)), static_cast<float>(has_line(o))};
                    continue;
                }
                for (int side = 0; side < 2; ++side) wins[1 + side][at] = after_moves(x, o, side);
                wins[UNKNOWN_MOVER][at] = wins[1][at];
                wins[UNKNOWN_MOVER][at].mix(wins[2][at], 0.5f);
            }
    for (auto& chances : chances_) chances.resize(FILLINGS);
    for (size_t at = 0; at < FILLINGS; ++at)
        for (int mover = 0; mover < 3; ++mover) {
            WinChances win = wins[mover][at];
            chances_[0][at].by_mover[mover] = {weigh(win.x), weigh(win.o)};
            // Where drawn boards count for both, a board is one's own unless the opponent wins it.
            chances_[1][at].by_mover[mover] = {weigh(1 - win.o), weigh(1 - win.x)};
        }
}

}  // namespace ninefold
