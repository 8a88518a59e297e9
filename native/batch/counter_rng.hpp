// A counter-based random number generator: a number depends on the seed, the counter and the game alone. The arrays of
// src/ninefold/envs/counter_rng.py make the same numbers in wrapping 32-bit integers. GPU kernels compile this file
// too.
#pragma once

#include "rules.hpp"

namespace ninefold {

// A bijection of 32-bit words whose every output bit depends on every input bit.
NINEFOLD_FN uint32_t mix_bits(uint32_t word) {
    word = (word ^ word >> 16) * 0x7feb352du;
    word = (word ^ word >> 15) * 0x846ca68bu;
    return word ^ word >> 16;
}

// What all games have in common at one step.
NINEFOLD_FN uint32_t counter_key(uint32_t seed, uint32_t counter) {
    return mix_bits(mix_bits(seed) + counter * 0x9e3779b9u);
}

NINEFOLD_FN uint32_t random_bits(uint32_t key, uint32_t game) { return mix_bits(game * 0x9e3779b1u ^ key); }

// A number from 0 to count - 1, by the upper sixteen bits.
NINEFOLD_FN uint32_t random_below(uint32_t bits, uint32_t count) { return (bits >> 16) * count >> 16; }

}  // namespace ninefold
