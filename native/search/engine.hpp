// The engine: a transposition table and threads that search one position together (lazy SMP).
#pragma once

#include <functional>

#include "search/search.hpp"

namespace ninefold {

class Engine {
public:
    // The transposition table takes at most this number of bytes.
    Engine(size_t bytes, int threads) : tt_(bytes), threads_(threads) {}

    // Searches a position that has not ended, with a network of its rules or, without one, with the hand-crafted
    // evaluation. The listener is called in the calling thread, after every iteration and
    // at least every 50 ms; the search stops when it returns false.
    SearchInfo search(const Position& root, Rules rules, SearchLimits limits, int multi_pv, const NetworkEval* network,
                      const std::function<bool(const SearchInfo&)>& listener);

    void clear() { tt_.clear(); }
    size_t bytes() const { return tt_.bytes(); }

private:
    TranspositionTable tt_;
    HandCraftedEval eval_;
    int threads_;
};

}  // namespace ninefold
