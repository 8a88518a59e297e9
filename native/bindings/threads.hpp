// Work on many games in several threads.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <thread>
#include <vector>

// Calls work(begin, count) for parts of the games, in several threads if each of them gets the least number of games.
// Returns true if every call did.
template <typename Work>
bool run_in_threads(size_t count, int threads, size_t least, Work work) {
    size_t parts = std::clamp<size_t>(count / least, 1, static_cast<size_t>(threads));
    std::atomic<bool> all{true};
    auto run_part = [&](size_t part) {
        size_t begin = count * part / parts;
        if (!work(begin, count * (part + 1) / parts - begin)) all = false;
    };
    std::vector<std::thread> helpers;
    for (size_t part = 1; part < parts; ++part) helpers.emplace_back(run_part, part);
    run_part(0);
    for (std::thread& helper : helpers) helper.join();
    return all;
}
