// One game of many of squared or ultimate: its legal moves as bits, a random move, a step. GPU kernels compile this too.
#pragma once

#include "counter.hpp"

namespace ninefold {

constexpr int MASK_WORDS = 3;
constexpr int PLANES = 5;   // mine, theirs, boards that count for me, for them, and where I may play

// The rules of a batch: who starts, and whether a game that has ended begins anew by itself.
struct BigGame {
    Rules rules;
    uint8_t first;
    bool resets;

    NINEFOLD_FN Position start() const {
        Position position{};
        position.board = ANY;
        position.turn = first;
        return position;
    }
};

struct Legal {
    uint32_t words[MASK_WORDS];

    NINEFOLD_FN bool none() const { return !(words[0] | words[1] | words[2]); }
    NINEFOLD_FN bool has(int move) const {
        return static_cast<unsigned>(move) < MOVES && words[move >> 5] >> (move & 31) & 1;
    }
};

// The moves of a position that has not ended.
NINEFOLD_FN Legal legal_moves(const Position& position) {
    unsigned open = position.open_boards();
    uint64_t low = 0;   // boards 0 to 6 and the first cell of board 7
    for (int b = 0; b < 7; ++b)
        if (open >> b & 1) low |= static_cast<uint64_t>(position.free_cells(b)) << 9 * b;
    unsigned seven = open >> 7 & 1 ? position.free_cells(7) : 0, eight = open >> 8 & 1 ? position.free_cells(8) : 0;
    low |= static_cast<uint64_t>(seven) << 63;
    return {{static_cast<uint32_t>(low), static_cast<uint32_t>(low >> 32), seven >> 1 | eight << 8}};
}

NINEFOLD_FN int lowest(unsigned cells) {
#if defined(__CUDA_ARCH__)
    return __ffs(static_cast<int>(cells)) - 1;
#else
    return __builtin_ctz(cells);
#endif
}

// The legal move of a rank that is random, of a position that has not ended: ranks go up with the moves.
NINEFOLD_FN int choose(const Position& position, uint32_t bits) {
    unsigned open = position.open_boards();
    int count = 0;
    for (unsigned boards = open; boards; boards &= boards - 1) count += Position::bits(position.free_cells(lowest(boards)));
    if (count == 0) return 0;   // nowhere: only of positions that nobody can reach
    int rank = static_cast<int>(below(bits, static_cast<uint32_t>(count)));
    for (unsigned boards = open;; boards &= boards - 1) {
        int board = lowest(boards);
        unsigned cells = position.free_cells(board);
        int size = Position::bits(cells);
        if (rank < size) {
            while (rank--) cells &= cells - 1;
            return board * 9 + lowest(cells);
        }
        rank -= size;
    }
}

struct Reward {
    int8_t x;   // 1 X has won, -1 O has
    bool done;
};

// A move that is not legal forfeits the game: every board goes to the opponent.
NINEFOLD_FN void forfeit(Position& position) {
    position.won[position.turn] = position.drawn = 0;
    position.won[position.turn ^ 1] = FULL;
    position.board = ANY;
    position.turn ^= 1;
}

// One step of a game, of which ``legal`` are the moves. A game that has ended stays as it is, or begins anew.
NINEFOLD_FN Reward advance(Position& position, Legal& legal, int move, const BigGame& game) {
    Reward reward{0, true};
    if (legal.has(move)) {
        bool died = position.play(move / 9, move % 9);
        reward.done = died && position.ended(game.rules);
        if (reward.done) reward.x = static_cast<int8_t>(position.result(game.rules));
    } else if (!legal.none()) {
        reward.x = position.turn ? 1 : -1;
        forfeit(position);
    }
    if (reward.done && game.resets) position = game.start();
    legal = reward.done && !game.resets ? Legal{} : legal_moves(position);
    return reward;
}

// What the side to move sees of a cell, a byte for each plane.
NINEFOLD_FN void look(const Position& position, const Legal& legal, Rules rules, int cell, uint8_t* seen) {
    int b = cell / 9, c = cell % 9, me = position.turn, other = me ^ 1;
    seen[0] = position.marks[me][b] >> c & 1;
    seen[1] = position.marks[other][b] >> c & 1;
    seen[2] = static_cast<uint8_t>(position.scoring(me, rules) >> b & 1);
    seen[3] = static_cast<uint8_t>(position.scoring(other, rules) >> b & 1);
    seen[4] = static_cast<uint8_t>(legal.has(cell));
}

}  // namespace ninefold
