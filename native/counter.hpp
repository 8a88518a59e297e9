// Random numbers by counter: a game's number at a step is made of the seed, the step and the game alone. The arrays of
// src/ninefold/envs/stream.py make the same ones in wrapping 32-bit integers. GPU kernels compile this too.
#pragma once

#include "squared.hpp"

namespace ninefold {

// A bijection of 32-bit words whose every output bit depends on every input bit.
NINEFOLD_FN uint32_t mix(uint32_t word) {
    word = (word ^ word >> 16) * 0x7feb352du;
    word = (word ^ word >> 15) * 0x846ca68bu;
    return word ^ word >> 16;
}

// What all games share at a step.
NINEFOLD_FN uint32_t key_of(uint32_t seed, uint32_t counter) { return mix(mix(seed) + counter * 0x9e3779b9u); }

NINEFOLD_FN uint32_t random_bits(uint32_t key, uint32_t game) { return mix(game * 0x9e3779b1u ^ key); }

// A number below a count, by the upper bits.
NINEFOLD_FN uint32_t below(uint32_t bits, uint32_t count) { return (bits >> 16) * count >> 16; }

}  // namespace ninefold
