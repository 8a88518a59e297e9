// Time management: how long to think about a move while a clock is running.
#pragma once

#include <algorithm>
#include <ctime>
#include <utility>

#include "search/score.hpp"

namespace ninefold {

// A player's clock as it stands when a search begins.
struct Clock {
    double seconds = 0;    // that are left; 0 for no clock
    double increment = 0;  // is added after every move
    bool by_cpu = false;   // counts the CPU time of each thread, not real time
};

// The CPU time of this thread. It stands still while other programs have the core.
inline double thread_cpu_seconds() {
    timespec now{};
#if defined(CLOCK_THREAD_CPUTIME_ID)
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
#else  // WebAssembly knows no such clock
    clock_gettime(CLOCK_MONOTONIC, &now);
#endif
    return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

// What iterative deepening has found by an iteration.
struct IterationSummary {
    int move, score;
    double effort;  // the share of the nodes that were searched below this move
};

// Divides a clock among the moves that are still to be searched. The maximum ends a search at once. The optimum is
// looked at between iterations: a stable best move needs less, a new best move or a falling score more.
class TimeManager {
public:
    // free_cells: the most plies that the game can still take.
    TimeManager(const Clock& clock, int free_cells) {
        const double usable = std::max(clock.seconds - RESERVE, 0.0);
        const double moves_left = std::max(LEAST_MOVES_LEFT, (free_cells - SOLVED_CELLS) / CELLS_A_MOVE);
        const double share = usable / moves_left + INCREMENT_SHARE * clock.increment;
        maximum_ = std::min(MOST_EXTENSION * share, MOST_OF_CLOCK * usable);
        optimum_ = std::min(OPTIMUM_SHARE * share, maximum_);
    }

    double optimum() const { return optimum_; }
    double maximum() const { return maximum_; }

    // True if no other iteration should begin.
    bool should_stop(const IterationSummary& found, double elapsed) {
        stable_iterations_ = found.move == move_ ? std::min(stable_iterations_ + 1, MOST_STABLE) : 0;
        // A score depends on whether the last ply was ours: so it has dropped if it is below the last two.
        const int drop = std::min(score_, score_before_) - found.score;
        move_ = found.move;
        score_before_ = std::exchange(score_, found.score);
        const double factor = stability_factor() * effort_factor(found.effort) * drop_factor(drop);
        return elapsed >= std::min(factor * optimum_, maximum_);
    }

private:
    static constexpr double RESERVE = 0.002;        // seconds for moves that are played with hardly any search
    static constexpr double INCREMENT_SHARE = 0.8;  // of the increment, is spent on every move
    // With about so many free cells the rest of the game is proven, and costs little.
    static constexpr double SOLVED_CELLS = 22, CELLS_A_MOVE = 3.5, LEAST_MOVES_LEFT = 6;
    // The last iteration ends after the optimum, by about so much.
    static constexpr double OPTIMUM_SHARE = 0.6;
    static constexpr double MOST_EXTENSION = 3, MOST_OF_CLOCK = 0.3;
    static constexpr int MOST_STABLE = 6;
    static constexpr int NO_SCORE = -INFINITE_SCORE;

    double optimum_, maximum_;
    int move_ = MOVE_COUNT, stable_iterations_ = 0;
    int score_ = NO_SCORE, score_before_ = NO_SCORE;

    double stability_factor() const { return 1.7 - 0.17 * stable_iterations_; }
    static double effort_factor(double effort) { return 1.5 - effort; }
    static double drop_factor(int drop) { return 1 + std::clamp(drop, 0, 300) / 300.0; }
};

}  // namespace ninefold
