// Random numbers for playouts: each game has a stream of its own, so results do not depend on the order of the games.
#pragma once

#include <cstdint>

namespace ninefold {

// SplitMix64: every output bit depends on every input bit.
constexpr uint64_t splitmix64(uint64_t word) {
    word += 0x9e3779b97f4a7c15;
    word = (word ^ word >> 30) * 0xbf58476d1ce4e5b9;
    word = (word ^ word >> 27) * 0x94d049bb133111eb;
    return word ^ word >> 31;
}

// A 32-bit xorshift generator, seeded by a seed and the number of a game.
struct RandomStream {
    uint32_t state;

    RandomStream(uint64_t seed, uint64_t game)
        : state(static_cast<uint32_t>(splitmix64(splitmix64(seed) ^ game)) | 1) {}

    uint32_t next() {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        return state * 0x9e3779b1u;
    }
};

}  // namespace ninefold
