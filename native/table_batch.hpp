// Many games of a small game at once. The compiled table is packed into words of 64 bits, so that a step is one look-up:
// the state after it, its reward, whether the game has ended, the move, and the legal moves of that state.
#pragma once

#include <vector>

#include "batch.hpp"

namespace ninefold {

// Of the transitions that Python compiles, and the lower bits of a word: see src/ninefold/envs/tables.py.
constexpr int REWARD_BIT = 18, DONE_BIT = 20, MOVE_BIT = 21, LEGAL_BIT = 27;
constexpr uint32_t STATE_BITS = (1u << REWARD_BIT) - 1;
constexpr int MOST_STATES = 1 << REWARD_BIT, MOST_MOVES = 64 - LEGAL_BIT;

struct TableGame {
    int states, width, mask_words;
    std::vector<uint64_t> by_move;   // after each move of a state, and after what is no move
    std::vector<uint64_t> by_rank;   // after the legal move of each rank
    int planes, row;                 // bytes of an observation; of a row, which is padded to whole chunks
    std::vector<uint8_t> rows;       // what is seen of a state: its planes, its legal moves, whose turn it is
};

constexpr size_t CHUNK = 16;

// The fastest that this machine can run.
const BatchKernels<TableGame>& table_kernels();

TableGame make_table_game(int states, int width, const int32_t* transitions, const int32_t* masks, const uint8_t* planes, int plane_bytes,
                          const int8_t* turn);

// Plain loads, compiled for any processor: on those with gather instructions they are faster than these.
constexpr int BLOCK = 256;
void look_up(uint64_t* out, const uint64_t* table, const uint32_t* index, int count);

}  // namespace ninefold
