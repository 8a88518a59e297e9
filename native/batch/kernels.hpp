// Many games at once, in arrays: the kernels that small games (table_kernels.hpp) and squared and ultimate
// (big_kernels.hpp) both have.
#pragma once

#include <cstddef>
#include <cstdint>

namespace ninefold {

// The states of many games: the words of each position, and its legal moves as bits.
struct StateArrays {
    const int32_t *position, *mask;
};

// The states after a step, with the reward of X, and whether the step ended the game.
struct StepArrays {
    int32_t *position, *mask;
    int8_t* reward;
    uint8_t* done;
};

// Observations: planes and legal moves as bytes, a reward for each player, the side to move.
struct ViewArrays {
    uint8_t *planes, *legal;
    float* rewards;
    int8_t* turn;
};

// Which random numbers to use: those of a seed at a counter, for games numbered from first on.
struct RandomKey {
    uint32_t seed, counter, first;
};

// The totals of a rollout for each game: how many games have ended, and the sum of the rewards of X.
struct RolloutArrays {
    int32_t *ended, *score;
};

// Each kernel works on a number of games. It returns false if one of their positions is impossible.
template <typename Game>
struct BatchKernels {
    bool (*step)(const Game&, StateArrays, const int32_t* action, StepArrays out, size_t count);
    bool (*random_action)(const Game&, StateArrays, RandomKey, int32_t* action, size_t count);
    bool (*random_step)(const Game&, StateArrays, RandomKey, StepArrays out, size_t count);
    bool (*rollout)(const Game&, StateArrays, RandomKey, int steps, RolloutArrays, StepArrays out, size_t count);
    bool (*view)(const Game&, StateArrays, const int8_t* reward, ViewArrays out, size_t count);
};

}  // namespace ninefold
