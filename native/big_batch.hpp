// One game of many of squared or ultimate: its legal moves as bits, a random move, a step. GPU kernels compile this too.
#pragma once

#include "counter.hpp"

namespace ninefold {

constexpr int MASK_WORDS = 3;
constexpr uint32_t LAST_WORD = (1u << (MOVES - 32 * (MASK_WORDS - 1))) - 1;   // whatever else is in it comes from outside
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

// All bits where a condition holds. Where a game goes is random, and so processors mistake the branches of it.
NINEFOLD_FN uint64_t where(bool holds) { return 0 - static_cast<uint64_t>(holds); }

// The moves of a position that has not ended: cells one after the other, board 7 across the border of two words.
NINEFOLD_FN Legal legal_moves(const Position& position) {
    uint64_t low = 0, high = 0;
    if (int b = position.board; b != ANY) {
        uint64_t cells = position.free_cells(b);
        low = cells << (9 * b & 63) & where(b < 8);
        high = cells << (b == 8 ? 9 : 0) & where(b >= 7);
    } else {
        unsigned open = position.open_boards();
        for (int b = 0; b < 7; ++b) low |= (position.free_cells(b) & where(open >> b & 1)) << 9 * b;
        for (int b = 7; b < 9; ++b) high |= (position.free_cells(b) & where(open >> b & 1)) << 9 * (b - 7);
        low |= high << 63;
    }
    return {{static_cast<uint32_t>(low), static_cast<uint32_t>(low >> 32), static_cast<uint32_t>(high >> 1)}};
}

// The bit of a rank in a word, from the lowest one up.
NINEFOLD_FN int ranked_bit(uint32_t word, uint32_t rank) {
#if defined(__BMI2__)
    return __builtin_ctz(__builtin_ia32_pdep_si(1u << rank, word));
#else
    int at = 0;
    for (int half = 16; half; half >>= 1) {
        auto below = static_cast<uint32_t>(Position::bits(word & ((1u << half) - 1)));
        bool above = rank >= below;
        rank -= above ? below : 0;
        word >>= above ? half : 0;
        at += above ? half : 0;
    }
    return at;
#endif
}

// One of the legal moves, of which there are some, each as likely as the others: the one of a random rank.
NINEFOLD_FN int choose(const Legal& legal, uint32_t bits) {
    auto first = static_cast<uint32_t>(Position::bits(legal.words[0])), second = first + static_cast<uint32_t>(Position::bits(legal.words[1]));
    uint32_t rank = below(bits, second + static_cast<uint32_t>(Position::bits(legal.words[2])));
    int word = (rank >= first) + (rank >= second);
    return 32 * word + ranked_bit(word == 0 ? legal.words[0] : word == 1 ? legal.words[1] : legal.words[2], rank - (word == 0 ? 0 : word == 1 ? first : second));
}

// The same for a position that has not ended, of which the moves are not known yet.
NINEFOLD_FN int choose(const Position& position, uint32_t bits) {
    if (position.board == ANY) return choose(legal_moves(position), bits);
    unsigned cells = position.free_cells(position.board);
    return 9 * position.board + ranked_bit(cells, below(bits, static_cast<uint32_t>(Position::bits(cells))));
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

// A legal move, and what comes of it. A game that ends by it begins anew, or stays as it is.
NINEFOLD_FN Reward play_legal(Position& position, int move, const BigGame& game) {
    bool died = position.play(move / 9, move % 9);
    if (!died || !position.ended(game.rules)) return {0, false};
    auto x = static_cast<int8_t>(position.result(game.rules));
    if (game.resets) position = game.start();
    return {x, true};
}

// The moves after a step.
NINEFOLD_FN Legal legal_after(const Position& position, Reward reward, const BigGame& game) {
    return reward.done && !game.resets ? Legal{} : legal_moves(position);
}

// A random move, where the game has not ended already. It is chosen from the legal moves or from the position.
template <typename From>
NINEFOLD_FN Reward wander(Position& position, bool over, const From& from, uint32_t bits, const BigGame& game) {
    if (!over) return play_legal(position, choose(from, bits), game);
    if (game.resets) position = game.start();
    return {0, true};
}

struct Sums {
    int32_t ended, score;   // how many games have ended, and X's rewards together
};

// So many random steps of one game.
NINEFOLD_FN Reward roam(Position& position, bool over, uint32_t seed, uint32_t counter, uint32_t number, int steps, const BigGame& game, Sums& sums) {
    Reward reward{};
    for (int s = 0; s < steps; ++s) {
        uint32_t bits = random_bits(key_of(seed, counter + static_cast<uint32_t>(s)), number);
        reward = wander(position, over, position, bits, game);
        over = reward.done && !game.resets;
        sums.ended += reward.done;
        sums.score += reward.x;
    }
    return reward;
}

// Any action of a game, of which ``legal`` are the moves. With none of them the game has ended.
NINEFOLD_FN Reward advance(Position& position, const Legal& legal, int move, const BigGame& game) {
    if (legal.has(move)) return play_legal(position, move, game);
    bool over = legal.none();
    auto x = static_cast<int8_t>(over ? 0 : position.turn ? 1 : -1);
    if (game.resets) position = game.start();
    else if (!over) forfeit(position);
    return {x, true};
}

// What the side to move sees of one board.
struct Seen {
    unsigned mine, theirs, for_me, for_them, open;

    // A byte for each plane of a cell.
    NINEFOLD_FN void cell(int c, uint8_t* seen) const {
        seen[0] = mine >> c & 1;
        seen[1] = theirs >> c & 1;
        seen[2] = static_cast<uint8_t>(for_me);
        seen[3] = static_cast<uint8_t>(for_them);
        seen[4] = open >> c & 1;
    }
};

NINEFOLD_FN Seen look(const Position& position, const Legal& legal, Rules rules, int b) {
    int me = position.turn, other = me ^ 1;
    uint64_t low = legal.words[0] | static_cast<uint64_t>(legal.words[1]) << 32;
    unsigned open = b < 7 ? static_cast<unsigned>(low >> 9 * b) : b == 7 ? static_cast<unsigned>(low >> 63) | legal.words[2] << 1 : legal.words[2] >> 8;
    return {position.marks[me][b], position.marks[other][b], position.scoring(me, rules) >> b & 1, position.scoring(other, rules) >> b & 1, open & FULL};
}

}  // namespace ninefold
