// A search with its memory and its threads.
#pragma once

#include <functional>

#include "kernels.hpp"

namespace ninefold {

struct Progress {
    Report report;
    uint64_t nodes;
    double seconds;
};

class Engine {
public:
    // The table takes at most so much memory; threads help each other through it.
    Engine(size_t bytes, int threads) : table_(bytes), threads_(threads) {}

    // Searches a position that has not ended. Progress is told from the calling thread, after every depth and at least
    // every 50 ms; when the listener answers false the search stops.
    Progress search(const Position& root, Rules rules, Limits limits, int wanted, const std::function<bool(const Progress&)>& listener);

    void forget() { table_.clear(); }
    size_t bytes() const { return table_.bytes(); }

private:
    Transpositions table_;
    ByHand evaluate_;
    int threads_;
};

}  // namespace ninefold
