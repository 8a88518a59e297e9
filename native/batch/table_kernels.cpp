// Compiled once for any processor, once for x86-64-v3 and once for AVX-512; see CMakeLists.txt. Games go block by block
// through short loops, each of which the compiler turns into vector instructions; look_up alone is compiled elsewhere.
#include <cstring>

#include "batch/counter_rng.hpp"
#include "batch/table_kernels.hpp"

namespace ninefold {

namespace {

struct alignas(64) Block {
    uint32_t index[BLOCK];
    uint64_t word[BLOCK];
    int32_t state[BLOCK];
    uint32_t legal[BLOCK];  // how many
};

// Both kinds of index return false if a state is not a state of the game: its lookup would read beyond the table.
bool index_moves(uint32_t* __restrict index, const int32_t* __restrict state, const int32_t* __restrict action,
                 const TableGame& game, int count) {
    const auto states = static_cast<uint32_t>(game.states), width = static_cast<uint32_t>(game.width);
    uint32_t wrong = 0;
    for (int j = 0; j < count; ++j) {
        auto from = static_cast<uint32_t>(state[j]), move = static_cast<uint32_t>(action[j]);
        wrong |= static_cast<uint32_t>(from >= states);
        index[j] = from * (width + 1) + (move < width ? move : width);
    }
    return !wrong;
}

bool index_ranks(uint32_t* __restrict index, const int32_t* __restrict state, const uint32_t* __restrict legal,
                 const TableGame& game, uint32_t key, uint32_t first, int count) {
    const auto states = static_cast<uint32_t>(game.states), width = static_cast<uint32_t>(game.width);
    uint32_t wrong = 0;
    for (int j = 0; j < count; ++j) {
        auto from = static_cast<uint32_t>(state[j]),
             rank = random_below(random_bits(key, first + static_cast<uint32_t>(j)), legal[j]);
        wrong |= static_cast<uint32_t>(from >= states);
        index[j] = from * width + (rank < width ? rank : width - 1);
    }
    return !wrong;
}

void count_legal(uint32_t* __restrict legal, const int32_t* __restrict mask, int mask_words, int count) {
    if (mask_words == 1)
        for (int j = 0; j < count; ++j)
            legal[j] = static_cast<uint32_t>(__builtin_popcount(static_cast<uint32_t>(mask[j])));
    else
        for (int j = 0; j < count; ++j) {
            int low = __builtin_popcount(static_cast<uint32_t>(mask[2 * j])),
                high = __builtin_popcount(static_cast<uint32_t>(mask[2 * j + 1]));
            legal[j] = static_cast<uint32_t>(low + high);
        }
}

void count_legal(uint32_t* __restrict legal, const uint64_t* __restrict word, int count) {
    for (int j = 0; j < count; ++j) legal[j] = static_cast<uint32_t>(__builtin_popcountll(word[j] >> LEGAL_BIT));
}

void take_masks(int32_t* __restrict mask, const uint64_t* __restrict word, int mask_words, int count) {
    if (mask_words == 1)
        for (int j = 0; j < count; ++j) mask[j] = static_cast<int32_t>(word[j] >> LEGAL_BIT);
    else
        for (int j = 0; j < count; ++j) {
            mask[2 * j] = static_cast<int32_t>(word[j] >> LEGAL_BIT);
            mask[2 * j + 1] = static_cast<int32_t>(word[j] >> (LEGAL_BIT + 32));
        }
}

void take_states(int32_t* __restrict state, const uint64_t* __restrict word, int count) {
    for (int j = 0; j < count; ++j) state[j] = static_cast<int32_t>(word[j] & STATE_BITS);
}

void take_moves(int32_t* __restrict action, const uint64_t* __restrict word, int count) {
    for (int j = 0; j < count; ++j) action[j] = static_cast<int32_t>(word[j] >> MOVE_BIT & 63);
}

void take_rewards(int8_t* __restrict reward, uint8_t* __restrict done, const uint64_t* __restrict word, int count) {
    for (int j = 0; j < count; ++j)
        reward[j] = static_cast<int8_t>((static_cast<uint32_t>(word[j]) >> REWARD_BIT & 3) - 1);
    for (int j = 0; j < count; ++j) done[j] = static_cast<uint8_t>(static_cast<uint32_t>(word[j]) >> DONE_BIT & 1);
}

void add_rewards(int32_t* __restrict ended, int32_t* __restrict score, const uint64_t* __restrict word, int count) {
    for (int j = 0; j < count; ++j) {
        ended[j] += static_cast<int32_t>(static_cast<uint32_t>(word[j]) >> DONE_BIT & 1);
        score[j] += static_cast<int32_t>(static_cast<uint32_t>(word[j]) >> REWARD_BIT & 3) - 1;
    }
}

void unpack(const TableGame& game, const Block& block, StepArrays out, size_t at, int count) {
    take_states(out.position + at, block.word, count);
    take_masks(out.mask + at * static_cast<size_t>(game.mask_words), block.word, game.mask_words, count);
    take_rewards(out.reward + at, out.done + at, block.word, count);
}

// Calls work(begin, count) for the games of every block, while it returns true.
template <typename Work>
bool for_each_block(size_t count, Work work) {
    for (size_t at = 0; at < count; at += BLOCK)
        if (!work(at, static_cast<int>(count - at < BLOCK ? count - at : BLOCK))) return false;
    return true;
}

bool step(const TableGame& game, StateArrays from, const int32_t* action, StepArrays out, size_t count) {
    Block block;
    return for_each_block(count, [&](size_t at, int n) {
        if (!index_moves(block.index, from.position + at, action + at, game, n)) return false;
        look_up(block.word, game.by_move.data(), block.index, n);
        unpack(game, block, out, at, n);
        return true;
    });
}

// Looks up the words after a random move in every game of a block.
bool draw_moves(const TableGame& game, Block& block, StateArrays from, RandomKey random, size_t at, int n) {
    count_legal(block.legal, from.mask + at * static_cast<size_t>(game.mask_words), game.mask_words, n);
    uint32_t key = counter_key(random.seed, random.counter), first = random.first + static_cast<uint32_t>(at);
    if (!index_ranks(block.index, from.position + at, block.legal, game, key, first, n)) return false;
    look_up(block.word, game.by_rank.data(), block.index, n);
    return true;
}

bool random_action(const TableGame& game, StateArrays from, RandomKey random, int32_t* action, size_t count) {
    Block block;
    return for_each_block(count, [&](size_t at, int n) {
        if (!draw_moves(game, block, from, random, at, n)) return false;
        take_moves(action + at, block.word, n);
        return true;
    });
}

bool random_step(const TableGame& game, StateArrays from, RandomKey random, StepArrays out, size_t count) {
    Block block;
    return for_each_block(count, [&](size_t at, int n) {
        if (!draw_moves(game, block, from, random, at, n)) return false;
        unpack(game, block, out, at, n);
        return true;
    });
}

// Many random steps: a block stays in the cache until its games have taken all of them.
bool rollout(const TableGame& game, StateArrays from, RandomKey random, int steps, RolloutArrays totals, StepArrays out,
             size_t count) {
    Block block;
    return for_each_block(count, [&](size_t at, int n) {
        if (!draw_moves(game, block, from, random, at, n)) return false;
        std::memset(totals.ended + at, 0, static_cast<size_t>(n) * sizeof(int32_t));
        std::memset(totals.score + at, 0, static_cast<size_t>(n) * sizeof(int32_t));
        add_rewards(totals.ended + at, totals.score + at, block.word, n);
        for (int s = 1; s < steps; ++s) {
            take_states(block.state, block.word, n);
            count_legal(block.legal, block.word, n);
            uint32_t key = counter_key(random.seed, random.counter + static_cast<uint32_t>(s)),
                     first = random.first + static_cast<uint32_t>(at);
            index_ranks(block.index, block.state, block.legal, game, key, first, n);
            look_up(block.word, game.by_rank.data(), block.index, n);
            add_rewards(totals.ended + at, totals.score + at, block.word, n);
        }
        unpack(game, block, out, at, n);
        return true;
    });
}

// Copies whole chunks, and so beyond the end: the bytes there are written afterwards, or are padding.
void copy_chunks(uint8_t* __restrict to, const uint8_t* __restrict from, size_t bytes) {
    for (size_t done = 0; done < bytes; done += CHUNK) std::memcpy(to + done, from + done, CHUNK);
}

void view_rows(const TableGame& game, const int32_t* state, ViewArrays out, size_t count) {
    auto planes = static_cast<size_t>(game.planes), width = static_cast<size_t>(game.width),
         row = static_cast<size_t>(game.row);
    size_t last = count < CHUNK ? 0 : count - CHUNK;  // from here on nothing may be written beyond the end
    for (size_t i = 0; i < count; ++i) {
        const uint8_t* from = &game.rows[static_cast<size_t>(state[i]) * row];
        if (i < last) {
            copy_chunks(out.planes + i * planes, from, planes);
            copy_chunks(out.legal + i * width, from + planes, width);
        } else {
            std::memcpy(out.planes + i * planes, from, planes);
            std::memcpy(out.legal + i * width, from + planes, width);
        }
        out.turn[i] = static_cast<int8_t>(from[planes + width]);
    }
}

bool view(const TableGame& game, StateArrays from, const int8_t* reward, ViewArrays out, size_t count) {
    uint32_t wrong = 0;
    for (size_t i = 0; i < count; ++i)
        wrong |= static_cast<uint32_t>(static_cast<uint32_t>(from.position[i]) >= static_cast<uint32_t>(game.states));
    if (wrong) return false;
    view_rows(game, from.position, out, count);
    for (size_t i = 0; i < count; ++i) {
        out.rewards[2 * i] = reward[i];
        out.rewards[2 * i + 1] = static_cast<float>(-reward[i]);
    }
    return true;
}

}  // namespace

#if defined(NINEFOLD_COMPILING_V4)
extern const BatchKernels<TableGame> table_kernels_v4 = {step, random_action, random_step, rollout, view};
#elif defined(NINEFOLD_COMPILING_V3)
extern const BatchKernels<TableGame> table_kernels_v3 = {step, random_action, random_step, rollout, view};
#else
extern const BatchKernels<TableGame> table_kernels_portable = {step, random_action, random_step, rollout, view};
#endif

}  // namespace ninefold
