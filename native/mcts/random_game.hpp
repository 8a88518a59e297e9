// The random games of a tree search. They are those of playout.hpp, move for move, written for speed: a move has to
// wait for the one before it, so what lies between two moves is kept short, and branches that cannot be foreseen few.
#pragma once

#include "playout/playout.hpp"

namespace ninefold {

namespace {

class RandomGame {
public:
    RandomGame(const Position& start, Rules rules, RandomStream stream)
        : position_(start), rules_(rules), stream_(stream), dead_(start.dead()), board_(start.board) {
        for (int board = 0; board < 9; ++board) {
            free_[board] = static_cast<uint16_t>(start.free_cells(board));
            if (~dead_ >> board & 1) take(board, -popcount(free_[board]));
        }
    }

    // Plays to the end, from a position that has not ended. Returns 1 if X wins, -1 if O wins, 0 for a draw.
    [[gnu::always_inline]] int play() {
        if (!position_.turn || !play<1>())
            while (!play<0>() && !play<1>()) {
            }
        return position_.result(rules_);
    }

private:
    Position position_;
    Rules rules_;
    RandomStream stream_;
    uint16_t free_[9];
    unsigned dead_, board_;
    unsigned moves_ = 0;   // how many cells are free on live boards
    uint64_t counts_ = 0;  // the same for each of the first eight boards, a byte each; 0 on dead ones

    // Counts so many fewer free cells on a board.
    [[gnu::always_inline]] void take(unsigned board, int cells) {
        constexpr uint64_t one[9] = {1ull << 0,  1ull << 8,  1ull << 16, 1ull << 24,
                                     1ull << 32, 1ull << 40, 1ull << 48, 1ull << 56};
        moves_ -= static_cast<unsigned>(cells);
        counts_ -= one[board] * static_cast<uint64_t>(cells);
    }

    // The board of the free cell with this rank: as many boards come before it as their cells together do not pass it.
    [[gnu::always_inline]] unsigned board_of(uint64_t rank) const {
        constexpr uint64_t bytes = 0x0101010101010101, high_bits = bytes << 7;
        uint64_t sums = counts_ * bytes;  // of a board and those before it; at most 72, so that a byte holds them
        return static_cast<unsigned>(__builtin_popcountll(((rank * bytes | high_bits) - sums) & high_bits));
    }

    // Makes a move; returns true if it ends the game.
    template <int Side>
    [[gnu::always_inline]] bool play() {
        uint32_t random = stream_.next();
        if (board_ == ANY_BOARD) board_ = board_of((random >> 16) * moves_ >> 16);
        unsigned cells = free_[board_];
        unsigned cell = NTH_CELL[cells][(random & 0xffff) * static_cast<unsigned>(__builtin_popcount(cells)) >> 16];
        unsigned mine = position_.marks[Side][board_] | 1u << cell, left = cells ^ 1u << cell;
        position_.marks[Side][board_] = static_cast<uint16_t>(mine);
        free_[board_] = static_cast<uint16_t>(left);
        take(board_, 1);
        bool wins = has_line(mine);
        if (wins | !left) {
            uint16_t& kind = wins ? position_.won[Side] : position_.drawn;
            kind = static_cast<uint16_t>(kind | 1u << board_);
            dead_ |= 1u << board_;
            take(board_, popcount(left));
            if (position_.ended(rules_)) return true;
        }
        board_ = dead_ >> cell & 1 ? ANY_BOARD : cell;
        return false;
    }
};

}  // namespace

}  // namespace ninefold
