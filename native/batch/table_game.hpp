// The compiled table of a small game, packed into words of 64 bits, so that a step is one lookup: the state after it,
// its reward, whether the game has ended, the move, and the legal moves of that state.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ninefold {

// The transitions that src/ninefold/envs/codec.py compiles have the lower bits of such a word.
constexpr int REWARD_BIT = 18, DONE_BIT = 20, MOVE_BIT = 21, LEGAL_BIT = 27;
constexpr uint32_t STATE_BITS = (1u << REWARD_BIT) - 1;
constexpr int MAX_STATES = 1 << REWARD_BIT, MAX_TABLE_MOVES = 64 - LEGAL_BIT;

struct TableGame {
    int states, width, mask_words;
    std::vector<uint64_t> by_move;  // after each move of a state, and after an illegal action
    std::vector<uint64_t> by_rank;  // after the n-th legal move of a state
    int planes, row;                // bytes of an observation, and of a row, which is padded to whole chunks
    std::vector<uint8_t> rows;      // the view of a state: its planes, its legal moves, its side to move
};

constexpr size_t CHUNK = 16;

TableGame make_table_game(int states, int width, const int32_t* transitions, const int32_t* masks,
                          const uint8_t* planes, int plane_bytes, const int8_t* turn);

}  // namespace ninefold
