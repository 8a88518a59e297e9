// Many games on a GPU: squared and ultimate by the same headers as on the CPU, and whole rollouts of small games
// through their table. src/ninefold/envs/cuda_core.py compiles this file at run time.
#include "batch/big_game.hpp"

using namespace ninefold;

namespace {

__device__ uint64_t thread_index() { return static_cast<uint64_t>(blockIdx.x) * blockDim.x + threadIdx.x; }

__device__ uint16_t& mark_set(Position& position, int n) { return position.marks[n / 9][n % 9]; }
__device__ uint16_t mark_set(const Position& position, int n) { return position.marks[n / 9][n % 9]; }

// A position and its legal moves, out of the words of the arrays and back. The fields of a Position fill the words one
// after the other, the lowest bits first.
struct BigState {
    Position position;
    LegalMask legal;

    __device__ BigState(const int32_t* positions, const int32_t* masks, uint64_t i) {
        const int32_t* words = positions + i * POSITION_WORDS;
        for (int w = 0; w < 9; ++w) {
            mark_set(position, 2 * w) = static_cast<uint16_t>(words[w]);
            mark_set(position, 2 * w + 1) = static_cast<uint16_t>(static_cast<uint32_t>(words[w]) >> 16);
        }
        auto won = static_cast<uint32_t>(words[9]), last = static_cast<uint32_t>(words[10]);
        position.won[0] = static_cast<uint16_t>(won);
        position.won[1] = static_cast<uint16_t>(won >> 16);
        position.drawn = static_cast<uint16_t>(last);
        position.board = static_cast<uint8_t>(last >> 16);
        position.turn = static_cast<uint8_t>(last >> 24);
        for (int w = 0; w < MASK_WORDS; ++w) legal.words[w] = static_cast<uint32_t>(masks[i * MASK_WORDS + w]);
        legal.words[MASK_WORDS - 1] &= LAST_MASK_WORD;
    }

    __device__ void write(int32_t* positions, int32_t* masks, uint64_t i) const {
        int32_t* words = positions + i * POSITION_WORDS;
        for (int w = 0; w < 9; ++w)
            words[w] = static_cast<int32_t>(mark_set(position, 2 * w) |
                                            static_cast<uint32_t>(mark_set(position, 2 * w + 1)) << 16);
        words[9] = static_cast<int32_t>(position.won[0] | static_cast<uint32_t>(position.won[1]) << 16);
        words[10] = static_cast<int32_t>(position.drawn | static_cast<uint32_t>(position.board) << 16 |
                                         static_cast<uint32_t>(position.turn) << 24);
        for (int w = 0; w < MASK_WORDS; ++w) masks[i * MASK_WORDS + w] = static_cast<int32_t>(legal.words[w]);
    }
};

// The flags of a batch, a bit each: drawn_counts_for_both, boards_break_ties, first, resets.
__device__ BigGame game_of(int flags) {
    return {{(flags & 1) != 0, (flags & 2) != 0}, static_cast<uint8_t>(flags >> 2 & 1), (flags & 8) != 0};
}

}  // namespace

extern "C" __global__ void big_step(unsigned count, int flags, const int32_t* position, const int32_t* mask,
                                    const int32_t* action, int32_t* to, int32_t* to_mask, int8_t* reward, bool* done) {
    uint64_t i = thread_index();
    if (i >= count) return;
    BigGame game = game_of(flags);
    BigState state(position, mask, i);
    StepResult result = step(state.position, state.legal, action[i], game);
    state.legal = legal_after(state.position, result, game);
    state.write(to, to_mask, i);
    reward[i] = result.reward;
    done[i] = result.done;
}

extern "C" __global__ void big_random_action(unsigned count, const int32_t* position, const int32_t* mask,
                                             unsigned seed, unsigned counter, unsigned first, int32_t* action) {
    uint64_t i = thread_index();
    if (i >= count) return;
    BigState state(position, mask, i);
    uint32_t bits = random_bits(counter_key(seed, counter), first + static_cast<uint32_t>(i));
    action[i] = state.legal.empty() ? 0 : choose_move(state.legal, bits);
}

// Random steps; a single random step is a rollout of one.
extern "C" __global__ void big_rollout(unsigned count, int flags, const int32_t* position, const int32_t* mask,
                                       unsigned seed, unsigned counter, unsigned first, int steps, int32_t* ended,
                                       int32_t* score, int32_t* to, int32_t* to_mask, int8_t* reward, bool* done) {
    uint64_t i = thread_index();
    if (i >= count) return;
    BigGame game = game_of(flags);
    BigState state(position, mask, i);
    RolloutTotals totals{};
    uint32_t number = first + static_cast<uint32_t>(i);
    StepResult result = random_rollout(state.position, state.legal.empty(), seed, counter, number, steps, game, totals);
    state.legal = legal_after(state.position, result, game);
    state.write(to, to_mask, i);
    ended[i] = totals.ended;
    score[i] = totals.score;
    reward[i] = result.reward;
    done[i] = result.done;
}

// A thread for each cell, so that neighbouring threads write neighbouring bytes.
extern "C" __global__ void big_view(unsigned count, int flags, const int32_t* position, const int32_t* mask,
                                    const int8_t* reward, uint8_t* planes, bool* legal, float* rewards, int8_t* turn) {
    uint64_t at = thread_index(), i = at / MOVE_COUNT;
    int cell = static_cast<int>(at % MOVE_COUNT);
    if (i >= count) return;
    BigState state(position, mask, i);
    BoardView view = view_board(state.position, state.legal, game_of(flags).rules, cell / 9);
    view.write_cell(cell % 9, planes + at * PLANES);
    legal[at] = state.legal.has(cell);
    if (cell) return;
    rewards[2 * i] = reward[i];
    rewards[2 * i + 1] = -reward[i];
    turn[i] = static_cast<int8_t>(state.position.turn);
}

// Small games. The legal moves of all states are one after the other in ``words``. A word has the index of the first
// move of the state after the move, the reward of X plus one, whether the game has ended, and the number of legal moves
// there.
constexpr int REWARD_BIT = 18, DONE_BIT = 20, COUNT_BIT = 21;
constexpr unsigned ROW_BITS = (1u << REWARD_BIT) - 1, REWARD_BITS = 3u << REWARD_BIT, DONE = 1u << DONE_BIT;
constexpr int MAX_LANES = 8;                  // games of a thread, whose lookups overlap
constexpr int STEPS_WITHOUT_OVERFLOW = 4095;  // of the sums of rewards and ends, which are added up in place

// All steps of LANES games. Words tells the compiler in which memory the words are: shared or global.
template <int LANES, typename Words>
__device__ void roll(const Words& words, uint32_t (&word)[LANES], const uint32_t (&game)[LANES], unsigned seed,
                     unsigned counter, int steps, int (&ended)[LANES], int (&score)[LANES]) {
    for (int s = 0; s < steps;) {
        int until = min(steps, s + STEPS_WITHOUT_OVERFLOW), taken = until - s;
        uint32_t rewards[LANES] = {}, dones[LANES] = {};
        for (; s < until; ++s) {
            uint32_t key = counter_key(seed, counter + s);
#pragma unroll
            for (int l = 0; l < LANES; ++l) {
                word[l] = words[(word[l] & ROW_BITS) + random_below(random_bits(key, game[l]), word[l] >> COUNT_BIT)];
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

// ``place`` has the words of the games before and after. The games of a thread are far apart, so that neighbouring
// threads read neighbouring words.
template <int LANES, typename Words>
__device__ void roll_all(const Words& words, unsigned count, uint32_t* place, unsigned seed, unsigned counter,
                         unsigned first, int steps, int32_t* ended, int32_t* score) {
    unsigned stride = gridDim.x * blockDim.x;
    for (uint64_t begin = thread_index(); begin < count; begin += static_cast<uint64_t>(stride) * LANES) {
        uint32_t word[LANES], game[LANES];
        int games[LANES] = {}, sum[LANES] = {};
        for (int l = 0; l < LANES; ++l) {
            uint64_t i = begin + static_cast<uint64_t>(l) * stride;
            game[l] = first + static_cast<uint32_t>(i);
            word[l] = place[i < count ? i : begin];
        }
        roll<LANES>(words, word, game, seed, counter, steps, games, sum);
        for (int l = 0; l < LANES; ++l)
            if (uint64_t i = begin + static_cast<uint64_t>(l) * stride; i < count)
                place[i] = word[l], ended[i] = games[l], score[i] = sum[l];
    }
}

// With few games each has a thread of its own.
template <typename Words>
__device__ void roll_any(const Words& words, unsigned count, uint32_t* place, unsigned seed, unsigned counter,
                         unsigned first, int steps, int32_t* ended, int32_t* score) {
    if (count <= gridDim.x * blockDim.x) roll_all<1>(words, count, place, seed, counter, first, steps, ended, score);
    else roll_all<MAX_LANES>(words, count, place, seed, counter, first, steps, ended, score);
}

struct SharedWords {
    const uint32_t* words;
    __device__ uint32_t operator[](unsigned at) const { return words[at]; }
};

struct GlobalWords {
    const uint32_t* words;
    __device__ uint32_t operator[](unsigned at) const { return __ldg(words + at); }
};

// Every block copies the words into its shared memory.
extern "C" __global__ void table_rollout_shared(unsigned count, const uint32_t* words, int size, uint32_t* place,
                                                unsigned seed, unsigned counter, unsigned first, int steps,
                                                int32_t* ended, int32_t* score) {
    extern __shared__ uint32_t shared_words[];
    for (unsigned w = threadIdx.x; w < static_cast<unsigned>(size); w += blockDim.x) shared_words[w] = words[w];
    __syncthreads();
    roll_any(SharedWords{shared_words}, count, place, seed, counter, first, steps, ended, score);
}

// For games whose words do not fit there.
extern "C" __global__ void table_rollout_global(unsigned count, const uint32_t* words, int, uint32_t* place,
                                                unsigned seed, unsigned counter, unsigned first, int steps,
                                                int32_t* ended, int32_t* score) {
    roll_any(GlobalWords{words}, count, place, seed, counter, first, steps, ended, score);
}
