// One game of squared or ultimate in a batch: its legal moves as bits, random moves, steps, observations. GPU kernels
// compile this file too.
#pragma once

#include "batch/counter_rng.hpp"

namespace ninefold {

constexpr int MASK_WORDS = 3;
constexpr uint32_t LAST_MASK_WORD = (1u << (MOVE_COUNT - 32 * (MASK_WORDS - 1))) - 1;  // its other bits mean nothing
constexpr int PLANES = 5;  // my marks, their marks, boards that count for me, for them, and where I may play
constexpr int POSITION_WORDS = sizeof(Position) / 4;
static_assert(sizeof(Position) == 44 && POSITION_WORDS == 11);

// The rules of a batch: who starts, and whether a game that has ended is reset by the same step.
struct BigGame {
    Rules rules;
    uint8_t first;
    bool resets;

    NINEFOLD_FN Position start() const {
        Position position{};
        position.board = ANY_BOARD;
        position.turn = first;
        return position;
    }
};

struct LegalMask {
    uint32_t words[MASK_WORDS];

    NINEFOLD_FN bool empty() const { return !(words[0] | words[1] | words[2]); }
    NINEFOLD_FN bool has(int move) const {
        return static_cast<unsigned>(move) < MOVE_COUNT && words[move >> 5] >> (move & 31) & 1;
    }
};

// All bits if a condition holds, else none. Branches on the course of random games would be mispredicted.
NINEFOLD_FN uint64_t bits_if(bool holds) { return 0 - static_cast<uint64_t>(holds); }

// The legal moves of a position that has not ended: nine bits a board, board 7 across the border of two words.
NINEFOLD_FN LegalMask legal_mask(const Position& position) {
    uint64_t low = 0, high = 0;
    if (int b = position.board; b != ANY_BOARD) {
        uint64_t cells = position.free_cells(b);
        low = cells << (9 * b & 63) & bits_if(b < 8);
        high = cells << (b == 8 ? 9 : 0) & bits_if(b >= 7);
    } else {
        unsigned open = position.open_boards();
        for (int b = 0; b < 7; ++b) low |= (position.free_cells(b) & bits_if(open >> b & 1)) << 9 * b;
        for (int b = 7; b < 9; ++b) high |= (position.free_cells(b) & bits_if(open >> b & 1)) << 9 * (b - 7);
        low |= high << 63;
    }
    return {{static_cast<uint32_t>(low), static_cast<uint32_t>(low >> 32), static_cast<uint32_t>(high >> 1)}};
}

// The index of the n-th set bit of a word, from the lowest one up.
NINEFOLD_FN int nth_bit(uint32_t word, uint32_t n) {
#if defined(__BMI2__)
    return __builtin_ctz(__builtin_ia32_pdep_si(1u << n, word));
#else
    int at = 0;
    for (int half = 16; half; half >>= 1) {
        auto lower = static_cast<uint32_t>(popcount(word & ((1u << half) - 1)));
        bool above = n >= lower;
        n -= above ? lower : 0;
        word >>= above ? half : 0;
        at += above ? half : 0;
    }
    return at;
#endif
}

// A uniformly chosen move of a mask that is not empty.
NINEFOLD_FN int choose_move(const LegalMask& legal, uint32_t bits) {
    auto first = static_cast<uint32_t>(popcount(legal.words[0]));
    auto second = first + static_cast<uint32_t>(popcount(legal.words[1]));
    uint32_t rank = random_below(bits, second + static_cast<uint32_t>(popcount(legal.words[2])));
    int word = (rank >= first) + (rank >= second);
    uint32_t before = word == 0 ? 0 : word == 1 ? first : second;
    return 32 * word + nth_bit(word == 0 ? legal.words[0] : word == 1 ? legal.words[1] : legal.words[2], rank - before);
}

// The same for a position that has not ended, when its legal mask is not known yet.
NINEFOLD_FN int choose_move(const Position& position, uint32_t bits) {
    if (position.board == ANY_BOARD) return choose_move(legal_mask(position), bits);
    unsigned cells = position.free_cells(position.board);
    return 9 * position.board + nth_bit(cells, random_below(bits, static_cast<uint32_t>(popcount(cells))));
}

struct StepResult {
    int8_t reward;  // of X: 1 if X has won, -1 if O has won
    bool done;
};

// The opponent wins all boards.
NINEFOLD_FN void forfeit(Position& position) {
    position.won[position.turn] = position.drawn = 0;
    position.won[position.turn ^ 1] = FULL_BOARD;
    position.board = ANY_BOARD;
    position.turn ^= 1;
}

// Makes a legal move. A game that ends by it is reset, or stays as it is.
NINEFOLD_FN StepResult play_legal(Position& position, int move, const BigGame& game) {
    bool died = position.play(move / 9, move % 9);
    if (!died || !position.ended(game.rules)) return {0, false};
    auto reward = static_cast<int8_t>(position.result(game.rules));
    if (game.resets) position = game.start();
    return {reward, true};
}

// The legal moves after a step.
NINEFOLD_FN LegalMask legal_after(const Position& position, StepResult result, const BigGame& game) {
    return result.done && !game.resets ? LegalMask{} : legal_mask(position);
}

// Makes a random move, unless the game was over before. It is chosen from a legal mask or from the position.
template <typename From>
NINEFOLD_FN StepResult random_step(Position& position, bool over, const From& from, uint32_t bits,
                                   const BigGame& game) {
    if (!over) return play_legal(position, choose_move(from, bits), game);
    if (game.resets) position = game.start();
    return {0, true};
}

struct RolloutTotals {
    int32_t ended, score;  // how many games have ended, and the sum of the rewards of X
};

// Random steps of one game, numbered `number` in the batch.
NINEFOLD_FN StepResult random_rollout(Position& position, bool over, uint32_t seed, uint32_t counter, uint32_t number,
                                      int steps, const BigGame& game, RolloutTotals& totals) {
    StepResult result{};
    for (int s = 0; s < steps; ++s) {
        uint32_t bits = random_bits(counter_key(seed, counter + static_cast<uint32_t>(s)), number);
        result = random_step(position, over, position, bits, game);
        over = result.done && !game.resets;
        totals.ended += result.done;
        totals.score += result.reward;
    }
    return result;
}

// Any action, legal or not: one that is not legal forfeits the game. With an empty mask the game was over before.
NINEFOLD_FN StepResult step(Position& position, const LegalMask& legal, int action, const BigGame& game) {
    if (legal.has(action)) return play_legal(position, action, game);
    bool over = legal.empty();
    auto reward = static_cast<int8_t>(over ? 0 : position.turn ? 1 : -1);
    if (game.resets) position = game.start();
    else if (!over) forfeit(position);
    return {reward, true};
}

// One board as the side to move observes it.
struct BoardView {
    unsigned mine, theirs, counts_for_me, counts_for_them, open;

    // Writes a byte for each plane of a cell.
    NINEFOLD_FN void write_cell(int cell, uint8_t* planes) const {
        planes[0] = mine >> cell & 1;
        planes[1] = theirs >> cell & 1;
        planes[2] = static_cast<uint8_t>(counts_for_me);
        planes[3] = static_cast<uint8_t>(counts_for_them);
        planes[4] = open >> cell & 1;
    }
};

NINEFOLD_FN BoardView view_board(const Position& position, const LegalMask& legal, Rules rules, int b) {
    int me = position.turn, other = me ^ 1;
    uint64_t low = legal.words[0] | static_cast<uint64_t>(legal.words[1]) << 32;
    unsigned open = b < 7    ? static_cast<unsigned>(low >> 9 * b)
                    : b == 7 ? static_cast<unsigned>(low >> 63) | legal.words[2] << 1
                             : legal.words[2] >> 8;
    return {position.marks[me][b], position.marks[other][b], position.scoring_boards(me, rules) >> b & 1,
            position.scoring_boards(other, rules) >> b & 1, open & FULL_BOARD};
}

}  // namespace ninefold
