// Many games at once, in arrays: what both kinds of game share. A small game is a compiled table (table_batch.hpp), squared
// and ultimate are the rules themselves (big_batch.hpp).
#pragma once

#include <cstddef>
#include <cstdint>

namespace ninefold {

// Where many games stand: words of each position, and its legal moves as bits.
struct States {
    const int32_t *position, *mask;
};

// Where they stand after a step, with the reward of X and whether the game has ended by it.
struct Games {
    int32_t *position, *mask;
    int8_t* reward;
    uint8_t* done;
};

// What is seen of them: planes and legal moves as bytes, a reward for each player, the turn.
struct Views {
    uint8_t *planes, *legal;
    float* rewards;
    int8_t* turn;
};

// Which random numbers: those of a seed at a counter, for games from a number on.
struct Draw {
    uint32_t seed, counter, first;
};

// What a rollout comes to in each game: how many games have ended, and X's rewards together.
struct Totals {
    int32_t *ended, *score;
};

// Each works on ``count`` games and says whether all of their positions can be positions of the game.
template <typename Game>
struct BatchKernels {
    bool (*step)(const Game&, States, const int32_t* action, Games out, size_t count);
    bool (*random_action)(const Game&, States, Draw, int32_t* action, size_t count);
    bool (*random_step)(const Game&, States, Draw, Games out, size_t count);
    bool (*rollout)(const Game&, States, Draw, int steps, Totals, Games out, size_t count);
    bool (*view)(const Game&, States, const int8_t* reward, Views out, size_t count);
};

}  // namespace ninefold
