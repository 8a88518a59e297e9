// Many games of squared or ultimate at once, on the CPU.
#pragma once

#include <cstring>

#include "batch.hpp"
#include "big_batch.hpp"

namespace ninefold {

constexpr int POSITION_WORDS = sizeof(Position) / sizeof(int32_t);
static_assert(sizeof(Position) == POSITION_WORDS * sizeof(int32_t) && POSITION_WORDS == 11);

// Whether the core can handle a position from outside: marks within their boards, a board and a side that exist.
static inline bool read(Position& position, Legal& legal, States from, size_t i) {
    const int32_t* words = from.position + i * POSITION_WORDS;
    uint32_t outside = 0;
    for (int w = 0; w < POSITION_WORDS - 1; ++w) outside |= static_cast<uint32_t>(words[w]);
    std::memcpy(&position, words, sizeof position);
    std::memcpy(&legal, from.mask + i * MASK_WORDS, sizeof legal);
    return !((outside & ~0x01ff01ffu) | (position.drawn & ~FULL)) && position.board <= ANY && position.turn <= 1;
}

static inline void write(const Position& position, const Legal& legal, Reward reward, Games out, size_t i) {
    std::memcpy(out.position + i * POSITION_WORDS, &position, sizeof position);
    std::memcpy(out.mask + i * MASK_WORDS, &legal, sizeof legal);
    out.reward[i] = reward.x;
    out.done[i] = reward.done;
}

static inline int draw(const Position& position, const Legal& legal, uint32_t key, Draw by, size_t i) {
    return legal.none() ? 0 : choose(position, random_bits(key, by.first + static_cast<uint32_t>(i)));
}

static inline bool big_step(const BigGame& game, States from, const int32_t* action, Games out, size_t count) {
    for (size_t i = 0; i < count; ++i) {
        Position position;
        Legal legal;
        if (!read(position, legal, from, i)) return false;
        Reward reward = advance(position, legal, action[i], game);
        write(position, legal, reward, out, i);
    }
    return true;
}

static inline bool big_random_action(const BigGame&, States from, Draw by, int32_t* action, size_t count) {
    uint32_t key = key_of(by.seed, by.counter);
    for (size_t i = 0; i < count; ++i) {
        Position position;
        Legal legal;
        if (!read(position, legal, from, i)) return false;
        action[i] = draw(position, legal, key, by, i);
    }
    return true;
}

static inline bool big_random_step(const BigGame& game, States from, Draw by, Games out, size_t count) {
    uint32_t key = key_of(by.seed, by.counter);
    for (size_t i = 0; i < count; ++i) {
        Position position;
        Legal legal;
        if (!read(position, legal, from, i)) return false;
        Reward reward = advance(position, legal, draw(position, legal, key, by, i), game);
        write(position, legal, reward, out, i);
    }
    return true;
}

static inline bool big_rollout(const BigGame& game, States from, Draw by, int steps, Totals totals, Games out, size_t count) {
    for (size_t i = 0; i < count; ++i) {
        Position position;
        Legal legal;
        if (!read(position, legal, from, i)) return false;
        Reward reward{};
        totals.ended[i] = totals.score[i] = 0;
        for (int s = 0; s < steps; ++s) {
            uint32_t key = key_of(by.seed, by.counter + static_cast<uint32_t>(s));
            reward = advance(position, legal, draw(position, legal, key, by, i), game);
            totals.ended[i] += reward.done;
            totals.score[i] += reward.x;
        }
        write(position, legal, reward, out, i);
    }
    return true;
}

static inline bool big_view(const BigGame& game, States from, const int8_t* reward, Views out, size_t count) {
    for (size_t i = 0; i < count; ++i) {
        Position position;
        Legal legal;
        if (!read(position, legal, from, i)) return false;
        for (int cell = 0; cell < MOVES; ++cell) {
            look(position, legal, game.rules, cell, out.planes + (i * MOVES + static_cast<size_t>(cell)) * PLANES);
            out.legal[i * MOVES + static_cast<size_t>(cell)] = legal.has(cell);
        }
        out.rewards[2 * i] = reward[i];
        out.rewards[2 * i + 1] = static_cast<float>(-reward[i]);
        out.turn[i] = static_cast<int8_t>(position.turn);
    }
    return true;
}

}  // namespace ninefold
