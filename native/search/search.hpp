// What goes into a search and what comes out of it.
#pragma once

#include <atomic>
#include <chrono>

#include "eval/hand_crafted_eval.hpp"
#include "eval/network_eval.hpp"
#include "search/score.hpp"
#include "search/time_manager.hpp"
#include "search/tt.hpp"

namespace ninefold {

// A root move with its score and its principal variation (PV).
struct PvLine {
    int move = MOVE_COUNT;
    int score = 0;
    bool proven = false;  // the score is exact: a forced win, loss or draw
    int length = 0;
    uint8_t pv[MAX_PLY] = {};
};

struct SearchLimits {
    double seconds = 0;  // 0 for no limit, in the first four
    uint64_t nodes = 0;
    int depth = 0;
    double cpu_seconds = 0;  // of each thread, by its own CPU clock
    Clock clock = {};        // if there is one, the search divides it by itself
};

// The state that the threads of one search share.
struct SharedSearch {
    Position root;
    Rules rules;
    SearchLimits limits;
    int multi_pv;  // how many root moves are ranked
    TranspositionTable& tt;
    const HandCraftedEval& eval;
    const NetworkEval* network;  // evaluates instead, if there is one
    std::chrono::steady_clock::time_point started;
    std::atomic<bool> stop{false};
    std::atomic<uint64_t> nodes{0};
    bool (*should_stop)() = nullptr;  // asked now and then, if there is one: for a search that has its thread to itself
};

// The ranked root moves after an iteration of iterative deepening.
struct RootMoves {
    int depth = 0;
    int size = 0;
    PvLine lines[MOVE_COUNT];

    bool all_proven() const {
        for (int i = 0; i < size; ++i)
            if (!lines[i].proven) return false;
        return size > 0;
    }
};

struct SearchInfo {
    RootMoves root_moves;
    uint64_t nodes;
    double seconds;
    double cpu_seconds;  // of the thread that took the most; 0 before the search has ended
};

// Called by a search thread after every iteration.
using IterationCallback = void (*)(void* context, const RootMoves& root_moves);

}  // namespace ninefold
