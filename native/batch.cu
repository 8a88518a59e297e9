// Many games on a GPU. src/ninefold/envs/cuda.py compiles this at run time: squared and ultimate by the same header as the
// CPU, and whole rollouts of small games through their table.
#include "big_batch.hpp"

using namespace ninefold;

namespace {

constexpr int POSITION_WORDS = sizeof(Position) / 4;

__device__ uint64_t thread() { return static_cast<uint64_t>(blockIdx.x) * blockDim.x + threadIdx.x; }

struct Big {
    alignas(int32_t) Position position;
    Legal legal;

    __device__ Big(const int32_t* positions, const int32_t* masks, uint64_t i) {
        auto* words = reinterpret_cast<int32_t*>(&position);
        for (int w = 0; w < POSITION_WORDS; ++w) words[w] = positions[i * POSITION_WORDS + w];
        for (int w = 0; w < MASK_WORDS; ++w) legal.words[w] = static_cast<uint32_t>(masks[i * MASK_WORDS + w]);
        legal.words[MASK_WORDS - 1] &= LAST_WORD;
    }

    __device__ void write(int32_t* positions, int32_t* masks, uint64_t i) const {
        auto* words = reinterpret_cast<const int32_t*>(&position);
        for (int w = 0; w < POSITION_WORDS; ++w) positions[i * POSITION_WORDS + w] = words[w];
        for (int w = 0; w < MASK_WORDS; ++w) masks[i * MASK_WORDS + w] = static_cast<int32_t>(legal.words[w]);
    }
};

__device__ BigGame game_of(int rules) { return {{(rules & 1) != 0, (rules & 2) != 0}, static_cast<uint8_t>(rules >> 2 & 1), (rules & 8) != 0}; }

}  // namespace

// ``rules``: what a drawn board counts, what breaks ties, who starts, whether games begin anew, a bit each.
extern "C" __global__ void big_step(unsigned count, int rules, const int32_t* position, const int32_t* mask, const int32_t* action, int32_t* to,
                                    int32_t* to_mask, int8_t* reward, bool* done) {
    uint64_t i = thread();
    if (i >= count) return;
    BigGame game = game_of(rules);
    Big big(position, mask, i);
    Reward got = advance(big.position, big.legal, action[i], game);
    big.legal = legal_after(big.position, got, game);
    big.write(to, to_mask, i);
    reward[i] = got.x;
    done[i] = got.done;
}

extern "C" __global__ void big_random_action(unsigned count, const int32_t* position, const int32_t* mask, unsigned seed, unsigned counter,
                                             unsigned first, int32_t* action) {
    uint64_t i = thread();
    if (i >= count) return;
    Big big(position, mask, i);
    action[i] = big.legal.none() ? 0 : choose(big.legal, random_bits(key_of(seed, counter), first + static_cast<uint32_t>(i)));
}

// Random steps, of which one is enough for a step.
extern "C" __global__ void big_rollout(unsigned count, int rules, const int32_t* position, const int32_t* mask, unsigned seed, unsigned counter,
                                       unsigned first, int steps, int32_t* ended, int32_t* score, int32_t* to, int32_t* to_mask, int8_t* reward,
                                       bool* done) {
    uint64_t i = thread();
    if (i >= count) return;
    BigGame game = game_of(rules);
    Big big(position, mask, i);
    Sums sums{};
    Reward got = roam(big.position, big.legal.none(), seed, counter, first + static_cast<uint32_t>(i), steps, game, sums);
    big.legal = legal_after(big.position, got, game);
    big.write(to, to_mask, i);
    ended[i] = sums.ended;
    score[i] = sums.score;
    reward[i] = got.x;
    done[i] = got.done;
}

// A thread for each cell, so that neighbours write side by side.
extern "C" __global__ void big_view(unsigned count, int rules, const int32_t* position, const int32_t* mask, const int8_t* reward, uint8_t* planes,
                                    bool* legal, float* rewards, int8_t* turn) {
    uint64_t at = thread(), i = at / MOVES;
    int cell = static_cast<int>(at % MOVES);
    if (i >= count) return;
    Big big(position, mask, i);
    look(big.position, big.legal, game_of(rules).rules, cell / 9).cell(cell % 9, planes + at * PLANES);
    legal[at] = big.legal.has(cell);
    if (cell) return;
    rewards[2 * i] = reward[i];
    rewards[2 * i + 1] = -reward[i];
    turn[i] = static_cast<int8_t>(big.position.turn);
}

// Small games. The legal moves of all states stand one after the other in ``words``; a word says where the moves of the
// state after the move begin, X's reward and one, whether the game has ended, and how many legal moves follow:
constexpr int REWARD_BIT = 18, DONE_BIT = 20, COUNT_BIT = 21;
constexpr unsigned ROW_BITS = (1u << REWARD_BIT) - 1, REWARD_BITS = 3u << REWARD_BIT, DONE = 1u << DONE_BIT;
constexpr int MOST_LANES = 8;   // games of a thread, whose look-ups overlap
constexpr int STEPS_WITHOUT_OVERFLOW = 4095;   // of the sums that are kept in place

// All steps of LANES games. ``words`` are in the memory of the block or in that of the device: the compiler must know which.
template <int LANES, typename Words>
__device__ void roll(const Words& words, uint32_t (&word)[LANES], const uint32_t (&game)[LANES], unsigned seed, unsigned counter, int steps,
                     int (&ended)[LANES], int (&score)[LANES]) {
    for (int s = 0; s < steps;) {
        int until = min(steps, s + STEPS_WITHOUT_OVERFLOW), taken = until - s;
        uint32_t rewards[LANES] = {}, dones[LANES] = {};
        for (; s < until; ++s) {
            uint32_t key = key_of(seed, counter + s);
#pragma unroll
            for (int l = 0; l < LANES; ++l) {
                word[l] = words[(word[l] & ROW_BITS) + below(random_bits(key, game[l]), word[l] >> COUNT_BIT)];
                rewards[l] += word[l] & REWARD_BITS;
                dones[l] += word[l] & DONE;
            }
        }
        for (int l = 0; l < LANES; ++l) {
            ended[l] += static_cast<int>(dones[l] >> DONE_BIT);
            score[l] += static_cast<int>(rewards[l] >> REWARD_BIT) - taken;
        }
    }
}

// ``place`` has the words of the games before and after. A thread's games are far apart, so that neighbours read side by side.
template <int LANES, typename Words>
__device__ void roll_all(const Words& words, unsigned count, uint32_t* place, unsigned seed, unsigned counter, unsigned first, int steps,
                         int32_t* ended, int32_t* score) {
    unsigned stride = gridDim.x * blockDim.x;
    for (uint64_t begin = thread(); begin < count; begin += static_cast<uint64_t>(stride) * LANES) {
        uint32_t word[LANES], game[LANES];
        int games[LANES] = {}, sum[LANES] = {};
        for (int l = 0; l < LANES; ++l) {
            uint64_t i = begin + static_cast<uint64_t>(l) * stride;
            game[l] = first + static_cast<uint32_t>(i);
            word[l] = place[i < count ? i : begin];
        }
        roll<LANES>(words, word, game, seed, counter, steps, games, sum);
        for (int l = 0; l < LANES; ++l)
            if (uint64_t i = begin + static_cast<uint64_t>(l) * stride; i < count) place[i] = word[l], ended[i] = games[l], score[i] = sum[l];
    }
}

// Few games get a thread each.
template <typename Words>
__device__ void roll_any(const Words& words, unsigned count, uint32_t* place, unsigned seed, unsigned counter, unsigned first, int steps,
                         int32_t* ended, int32_t* score) {
    if (count <= gridDim.x * blockDim.x) roll_all<1>(words, count, place, seed, counter, first, steps, ended, score);
    else roll_all<MOST_LANES>(words, count, place, seed, counter, first, steps, ended, score);
}

struct Near {
    const uint32_t* words;
    __device__ uint32_t operator[](unsigned at) const { return words[at]; }
};

struct Far {
    const uint32_t* words;
    __device__ uint32_t operator[](unsigned at) const { return __ldg(words + at); }
};

// Every block keeps the words in its own memory.
extern "C" __global__ void table_rollout_near(unsigned count, const uint32_t* words, int size, uint32_t* place, unsigned seed, unsigned counter,
                                              unsigned first, int steps, int32_t* ended, int32_t* score) {
    extern __shared__ uint32_t near[];
    for (unsigned w = threadIdx.x; w < static_cast<unsigned>(size); w += blockDim.x) near[w] = words[w];
    __syncthreads();
    roll_any(Near{near}, count, place, seed, counter, first, steps, ended, score);
}

// For games whose words have no room there.
extern "C" __global__ void table_rollout_far(unsigned count, const uint32_t* words, int, uint32_t* place, unsigned seed, unsigned counter,
                                             unsigned first, int steps, int32_t* ended, int32_t* score) {
    roll_any(Far{words}, count, place, seed, counter, first, steps, ended, score);
}
