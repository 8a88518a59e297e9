#include "batch/levels.hpp"

#include <cstring>

#include "batch/big_game.hpp"
#include "dispatch.hpp"

namespace ninefold {

namespace {

void keep(void* best, const RootMoves& root_moves) { *static_cast<RootMoves*>(best) = root_moves; }

// A number from -1 to 1 for a move.
double random_error(uint32_t bits, int move) {
    return 2.0 * random_bits(bits, static_cast<uint32_t>(move)) / 4294967296.0 - 1.0;
}

}  // namespace

int LevelSearch::choose(const Position& position, uint32_t bits) {
    static const HandCraftedEval eval;
    tt_.clear();
    SharedSearch shared{position, level_.rules, {0, level_.nodes, 0, 0}, level_.lines,
                        tt_,      eval,         level_.network,          std::chrono::steady_clock::now()};
    RootMoves best;
    cpu_kernels().search(shared, 0, keep, &best);
    int chosen = best.lines[0].move;
    double highest = -1e9;
    for (int i = 0; i < best.size; ++i) {
        const PvLine& line = best.lines[i];
        double score = line.score + level_.noise * random_error(bits, line.move);
        if (score > highest || (score == highest && line.move > chosen)) highest = score, chosen = line.move;
    }
    return chosen;
}

bool is_searchable(const Position& position, Rules rules) {
    unsigned won[2] = {0, 0}, drawn = 0;
    for (int b = 0; b < 9; ++b) {
        unsigned x = position.marks[0][b], o = position.marks[1][b];
        if ((x | o) > FULL_BOARD || (x & o)) return false;
        won[0] |= static_cast<unsigned>(has_line(x)) << b;
        won[1] |= static_cast<unsigned>(has_line(o)) << b;
        drawn |= static_cast<unsigned>((x | o) == FULL_BOARD && !has_line(x) && !has_line(o)) << b;
    }
    if ((won[0] & won[1]) || won[0] != position.won[0] || won[1] != position.won[1] || drawn != position.drawn)
        return false;
    if (position.turn > 1 || position.board > ANY_BOARD || position.ended(rules)) return false;
    return position.board == ANY_BOARD || !(position.dead() >> position.board & 1);
}

bool choose_moves(const Level& level, StateArrays from, RandomKey random, int32_t* action, size_t count) {
    LevelSearch search(level);
    uint32_t key = counter_key(random.seed, random.counter);
    for (size_t i = 0; i < count; ++i) {
        const int32_t* mask = from.mask + i * MASK_WORDS;
        action[i] = 0;
        if (!(mask[0] | mask[1] | (mask[2] & static_cast<int32_t>(LAST_MASK_WORD)))) continue;
        Position position;
        std::memcpy(&position, from.position + i * POSITION_WORDS, sizeof position);
        if (!is_searchable(position, level.rules)) return false;
        action[i] = search.choose(position, random_bits(key, random.first + static_cast<uint32_t>(i)));
    }
    return true;
}

}  // namespace ninefold
