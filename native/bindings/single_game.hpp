// One game of squared or ultimate that is played move by move, as environments with one game do.
#pragma once

#include <nanobind/ndarray.h>

#include <cstring>

#include "batch/big_game.hpp"
#include "bindings/bindings.hpp"

namespace ninefold {

class SingleGame {
public:
    using Planes = nb::ndarray<int8_t, nb::c_contig, nb::device::cpu>;

    // What a move led to; a move that is not legal is refused and changes nothing.
    enum Played { REFUSED = -1, GOES_ON, X_WON, O_WON, DRAWN };

    SingleGame(bool both, bool boards) : rules_{both, boards} {
        position_.board = ANY_BOARD;
        legal_ = legal_mask(position_);
    }

    const Position& position() const { return position_; }
    int turn() const { return position_.turn; }

    nb::bytes words() const { return nb::bytes(&position_, sizeof position_); }

    // The position of such words; they come from our own codec, but nothing outside of a board gets in.
    void set(nb::bytes words) {
        if (words.size() != sizeof position_) refuse("A position has 44 bytes.");
        Position position;
        std::memcpy(&position, words.c_str(), sizeof position);
        unsigned sets = position.won[0] | position.won[1] | position.drawn;
        for (int b = 0; b < 9; ++b) sets |= position.marks[0][b] | position.marks[1][b];
        if (sets > FULL_BOARD || position.board > ANY_BOARD || position.turn > 1)
            refuse("These are not positions of this game.");
        position_ = position;
        legal_ = position.ended(rules_) ? LegalMask{} : legal_mask(position);
    }

    int play(int64_t move) {
        if (move < 0 || move >= MOVE_COUNT || !legal_.has(static_cast<int>(move))) return REFUSED;
        bool died = position_.play(static_cast<int>(move) / 9, static_cast<int>(move) % 9);
        if (died && position_.ended(rules_)) {
            legal_ = {};
            int result = position_.result(rules_);
            return result > 0 ? X_WON : result < 0 ? O_WON : DRAWN;
        }
        legal_ = legal_mask(position_);
        return GOES_ON;
    }

    // Writes the planes as a side sees them, and its legal moves; of a game that is over, all moves.
    void observe(int side, bool over, Planes planes, Planes mask) const {
        if (side != 0 && side != 1) refuse("A side is 0 (X) or 1 (O).");
        if (planes.size() != MOVE_COUNT * PLANES || mask.size() != MOVE_COUNT)
            refuse("The arrays do not fit each other.");
        Position seen = position_;
        seen.turn = static_cast<uint8_t>(side);
        const LegalMask open = side == position_.turn ? legal_ : LegalMask{};
        auto* out = reinterpret_cast<uint8_t*>(planes.data());
        for (int b = 0; b < 9; ++b) {
            BoardView view = view_board(seen, open, rules_, b);
            for (int c = 0; c < 9; ++c, out += PLANES) view.write_cell(c, out);
        }
        for (int move = 0; move < MOVE_COUNT; ++move) mask.data()[move] = over || open.has(move);
    }

    // The legal move that a batch of one draws at random.
    int random_move(uint32_t seed, uint32_t counter) const {
        if (legal_.empty()) refuse("The game has ended.");
        return choose_move(legal_, random_bits(counter_key(seed, counter), 0));
    }

private:
    Rules rules_;
    Position position_{};
    LegalMask legal_{};
};

}  // namespace ninefold
