// Many games of squared or ultimate at once, on the CPU.
#pragma once

#include <cstring>

#include "batch.hpp"
#include "big_batch.hpp"

namespace ninefold {

constexpr int POSITION_WORDS = sizeof(Position) / sizeof(int32_t);
constexpr size_t CHECKED = 256;   // so many games are checked and then stepped, while they are in the cache
static_assert(sizeof(Position) == POSITION_WORDS * sizeof(int32_t) && POSITION_WORDS == 11);

static inline const Position& at(States from, size_t i) { return reinterpret_cast<const Position*>(from.position)[i]; }

static inline Legal legal_at(States from, size_t i) {
    Legal legal;
    std::memcpy(&legal, from.mask + i * MASK_WORDS, sizeof legal);
    legal.words[MASK_WORDS - 1] &= LAST_WORD;
    return legal;
}

// Whether the core can handle positions from outside: marks within their boards, a board and a side that exist. All but
// the last word of a position are pairs of sets of nine.
static inline bool known(States from, size_t count) {
    uint64_t wrong = 0;
    for (size_t i = 0; i < count; ++i) {
        const int32_t* words = from.position + i * POSITION_WORDS;
        uint64_t sets = 0, two;
        for (int w = 0; w < POSITION_WORDS - 1; w += 2) std::memcpy(&two, words + w, sizeof two), sets |= two;
        auto last = static_cast<uint32_t>(words[POSITION_WORDS - 1]);
        wrong |= (sets & ~0x01ff01ff01ff01ffu) | (last & 0xfef0fe00u) | ((last + ((15u - ANY) << 16)) & 0x00f00000u);
    }
    return !wrong;
}

// Lets every game take a step where its position will stand. A copy that is changed and then copied there would have to be
// read back while the change is still under way, for which processors wait.
template <typename Step>
static inline bool each(const BigGame& game, States from, Games out, size_t count, Step step) {
    for (size_t i = 0; i < count; ++i) {
        if (i % CHECKED == 0 && !known({from.position + i * POSITION_WORDS, from.mask}, count - i < CHECKED ? count - i : CHECKED)) return false;
        Position& position = reinterpret_cast<Position*>(out.position)[i];
        if (&position != &at(from, i)) position = at(from, i);
        Reward reward = step(position, legal_at(from, i), i);
        Legal legal = legal_after(position, reward, game);
        std::memcpy(out.mask + i * MASK_WORDS, &legal, sizeof legal);
        out.reward[i] = reward.x;
        out.done[i] = reward.done;
    }
    return true;
}

static inline bool big_step(const BigGame& game, States from, const int32_t* action, Games out, size_t count) {
    return each(game, from, out, count, [&](Position& position, Legal legal, size_t i) { return advance(position, legal, action[i], game); });
}

static inline bool big_random_action(const BigGame&, States from, Draw by, int32_t* action, size_t count) {
    uint32_t key = key_of(by.seed, by.counter);
    if (!known(from, count)) return false;
    for (size_t i = 0; i < count; ++i) {
        action[i] = legal_at(from, i).none() ? 0 : choose(legal_at(from, i), random_bits(key, by.first + static_cast<uint32_t>(i)));
    }
    return true;
}

static inline bool big_random_step(const BigGame& game, States from, Draw by, Games out, size_t count) {
    uint32_t key = key_of(by.seed, by.counter);
    return each(game, from, out, count, [&](Position& position, Legal legal, size_t i) {
        return wander(position, legal.none(), legal, random_bits(key, by.first + static_cast<uint32_t>(i)), game);
    });
}

static inline bool big_rollout(const BigGame& game, States from, Draw by, int steps, Totals totals, Games out, size_t count) {
    return each(game, from, out, count, [&](Position& position, Legal legal, size_t i) {
        Sums sums{};
        Reward reward = roam(position, legal.none(), by.seed, by.counter, by.first + static_cast<uint32_t>(i), steps, game, sums);
        totals.ended[i] = sums.ended;
        totals.score[i] = sums.score;
        return reward;
    });
}

static inline bool big_view(const BigGame& game, States from, const int8_t* reward, Views out, size_t count) {
    if (!known(from, count)) return false;
    for (size_t i = 0; i < count; ++i) {
        const Position& position = at(from, i);
        Legal legal = legal_at(from, i);
        for (int move = 0; move < MOVES; ++move) out.legal[i * MOVES + static_cast<size_t>(move)] = legal.has(move);
        for (int b = 0; b < 9; ++b) {
            Seen seen = look(position, legal, game.rules, b);
            for (int c = 0; c < 9; ++c) seen.cell(c, out.planes + (i * MOVES + static_cast<size_t>(b * 9 + c)) * PLANES);
        }
        out.rewards[2 * i] = reward[i];
        out.rewards[2 * i + 1] = static_cast<float>(-reward[i]);
        out.turn[i] = static_cast<int8_t>(position.turn);
    }
    return true;
}

}  // namespace ninefold
