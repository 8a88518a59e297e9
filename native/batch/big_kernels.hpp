// Many games of squared or ultimate at once, on the CPU.
// Compiled once for each kind of processor, so everything here is private to its file.
#pragma once

#include <cstring>
#include <new>

#include "batch/big_game.hpp"
#include "batch/kernels.hpp"

namespace ninefold {

namespace {

constexpr size_t CHECKED_AT_ONCE = 256;  // games are validated and then stepped while they are in the cache

// A position out of the words of an array.
[[gnu::always_inline]] inline Position load_position(StateArrays from, size_t i) {
    Position position;
    std::memcpy(&position, from.position + i * POSITION_WORDS, sizeof position);
    return position;
}

[[gnu::always_inline]] inline LegalMask load_mask(StateArrays from, size_t i) {
    LegalMask legal;
    std::memcpy(&legal, from.mask + i * MASK_WORDS, sizeof legal);
    legal.words[MASK_WORDS - 1] &= LAST_MASK_WORD;
    return legal;
}

// True if the kernels can handle these positions from outside: marks within their boards, a board and a side that
// exist. All words of a position but the last one are pairs of nine-bit sets.
inline bool are_valid(StateArrays from, size_t count) {
    uint64_t wrong = 0;
    for (size_t i = 0; i < count; ++i) {
        const int32_t* words = from.position + i * POSITION_WORDS;
        uint64_t sets = 0, two;
        for (int w = 0; w < POSITION_WORDS - 1; w += 2) std::memcpy(&two, words + w, sizeof two), sets |= two;
        uint32_t last;
        std::memcpy(&last, words + POSITION_WORDS - 1, sizeof last);
        wrong |=
            (sets & ~0x01ff01ff01ff01ffu) | (last & 0xfef0fe00u) | ((last + ((15u - ANY_BOARD) << 16)) & 0x00f00000u);
    }
    return !wrong;
}

// Makes the words of an array a Position, as std::start_lifetime_as of C++23 does: copying bytes starts the lifetime of
// an object, and a copy onto itself costs nothing. All other accesses to these words are copies too, so that no word is
// read as one type after it was written as another.
[[gnu::always_inline]] inline Position& position_in(int32_t* words, const int32_t* from) {
    void* bytes =
        words != from ? std::memcpy(words, from, sizeof(Position)) : std::memmove(words, words, sizeof(Position));
    return *std::launder(static_cast<Position*>(bytes));
}

// Steps every game where its position will stay. A local copy would have to be read back right after parts of it were
// written, and processors stall on that.
template <typename Step>
inline bool step_all(const BigGame& game, StateArrays from, StepArrays out, size_t count, Step step) {
    for (size_t i = 0; i < count; ++i) {
        if (i % CHECKED_AT_ONCE == 0) {
            size_t games = count - i < CHECKED_AT_ONCE ? count - i : CHECKED_AT_ONCE;
            if (!are_valid({from.position + i * POSITION_WORDS, from.mask}, games)) return false;
        }
        LegalMask legal = load_mask(from, i);
        Position& position = position_in(out.position + i * POSITION_WORDS, from.position + i * POSITION_WORDS);
        StepResult result = step(position, legal, i);
        LegalMask after = legal_after(position, result, game);
        std::memcpy(out.mask + i * MASK_WORDS, &after, sizeof after);
        out.reward[i] = result.reward;
        out.done[i] = result.done;
    }
    return true;
}

inline bool big_step(const BigGame& game, StateArrays from, const int32_t* action, StepArrays out, size_t count) {
    return step_all(game, from, out, count, [&](Position& position, const LegalMask& legal, size_t i) {
        return step(position, legal, action[i], game);
    });
}

inline bool big_random_action(const BigGame&, StateArrays from, RandomKey random, int32_t* action, size_t count) {
    uint32_t key = counter_key(random.seed, random.counter);
    if (!are_valid(from, count)) return false;
    for (size_t i = 0; i < count; ++i) {
        LegalMask legal = load_mask(from, i);
        uint32_t bits = random_bits(key, random.first + static_cast<uint32_t>(i));
        action[i] = legal.empty() ? 0 : choose_move(legal, bits);
    }
    return true;
}

inline bool big_random_step(const BigGame& game, StateArrays from, RandomKey random, StepArrays out, size_t count) {
    uint32_t key = counter_key(random.seed, random.counter);
    return step_all(game, from, out, count, [&](Position& position, const LegalMask& legal, size_t i) {
        uint32_t bits = random_bits(key, random.first + static_cast<uint32_t>(i));
        return random_step(position, legal.empty(), legal, bits, game);
    });
}

inline bool big_rollout(const BigGame& game, StateArrays from, RandomKey random, int steps, RolloutArrays totals,
                        StepArrays out, size_t count) {
    return step_all(game, from, out, count, [&](Position& position, const LegalMask& legal, size_t i) {
        RolloutTotals sums{};
        uint32_t number = random.first + static_cast<uint32_t>(i);
        StepResult result =
            random_rollout(position, legal.empty(), random.seed, random.counter, number, steps, game, sums);
        totals.ended[i] = sums.ended;
        totals.score[i] = sums.score;
        return result;
    });
}

inline bool big_view(const BigGame& game, StateArrays from, const int8_t* reward, ViewArrays out, size_t count) {
    if (!are_valid(from, count)) return false;
    for (size_t i = 0; i < count; ++i) {
        const Position position = load_position(from, i);
        const LegalMask legal = load_mask(from, i);
        for (int move = 0; move < MOVE_COUNT; ++move)
            out.legal[i * MOVE_COUNT + static_cast<size_t>(move)] = legal.has(move);
        for (int b = 0; b < 9; ++b) {
            BoardView view = view_board(position, legal, game.rules, b);
            for (int c = 0; c < 9; ++c)
                view.write_cell(c, out.planes + (i * MOVE_COUNT + static_cast<size_t>(b * 9 + c)) * PLANES);
        }
        out.rewards[2 * i] = reward[i];
        out.rewards[2 * i + 1] = static_cast<float>(-reward[i]);
        out.turn[i] = static_cast<int8_t>(position.turn);
    }
    return true;
}

}  // namespace

}  // namespace ninefold
