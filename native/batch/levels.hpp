// The levels of squared and ultimate in many games at once: every game is searched on its own, and its scores get
// random errors.
#pragma once

#include "batch/counter_rng.hpp"
#include "batch/kernels.hpp"
#include "search/search.hpp"

namespace ninefold {

struct Level {
    Rules rules;
    uint64_t nodes;              // of a search
    int lines;                   // how many moves are ranked
    double noise;                // the largest error of a score
    const NetworkEval* network;  // none: the hand-crafted evaluation
};

// Searches positions, each with an empty table: a move depends on nothing but its position and its random numbers.
class LevelSearch {
public:
    explicit LevelSearch(const Level& level) : level_(level), tt_(table_bytes(level.nodes)) {}

    // The move for a position that has not ended, by 32 random bits.
    int choose(const Position& position, uint32_t bits);

private:
    Level level_;
    TranspositionTable tt_;

    // Large enough that no entry of a search is replaced by another one, up to the table of a player.
    static size_t table_bytes(uint64_t nodes) {
        constexpr uint64_t least = uint64_t{1} << 15, most = uint64_t{1} << 24;
        return static_cast<size_t>(nodes < least / 64 ? least : nodes > most / 64 ? most : nodes * 64);
    }
};

// True if a position from outside can be searched: its dead boards are those of its marks, and it has not ended.
bool is_searchable(const Position& position, Rules rules);

// The moves of a level in many games; 0 where a game is over. False if a position is impossible.
bool choose_moves(const Level& level, StateArrays from, RandomKey random, int32_t* action, size_t count);

}  // namespace ninefold
