// Random games to their end. Each game has a stream of its own, made from the seed and the number of the game, so the
// results are the same on every machine and for every way of batching.
#pragma once

#include "moves.hpp"

namespace ninefold {

struct Stream {
    uint32_t state;

    static constexpr uint64_t mix(uint64_t word) {
        word += 0x9e3779b97f4a7c15;
        word = (word ^ word >> 30) * 0xbf58476d1ce4e5b9;
        word = (word ^ word >> 27) * 0x94d049bb133111eb;
        return word ^ word >> 31;
    }

    Stream(uint64_t seed, uint64_t game) : state(static_cast<uint32_t>(mix(mix(seed) ^ game)) | 1) {}

    // Thirty-two random bits.
    uint32_t next() {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        return state * 0x9e3779b1u;
    }
};

struct Tally {
    uint64_t x = 0, drawn = 0, o = 0, plies = 0;

    void add(int result) { ++(result > 0 ? x : result < 0 ? o : drawn); }
};

struct Choice {
    int board, cell;
};

// A uniformly chosen legal move of a position that has not ended. The upper random bits choose among boards, each by the
// number of its free cells; the lower ones choose the cell.
static inline Choice random_move(const Position& position, Stream& stream) {
    uint32_t random = stream.next();
    int board = position.board;
    if (board == ANY) {
        int place = static_cast<int>((random >> 16) * static_cast<unsigned>(count_moves(position)) >> 16);
        unsigned boards = position.open_boards();
        for (;; boards &= boards - 1) {
            board = __builtin_ctz(boards);
            place -= __builtin_popcount(position.free_cells(board));
            if (place < 0) break;
        }
    }
    unsigned cells = position.free_cells(board);
    return {board, tables::cell[cells][(random & 0xffff) * static_cast<unsigned>(__builtin_popcount(cells)) >> 16]};
}

static inline void playout(Position position, Rules rules, Stream stream, Tally& tally) {
    for (;;) {
        Choice choice = random_move(position, stream);
        ++tally.plies;
        if (position.play(choice.board, choice.cell) && position.ended(rules)) break;
    }
    tally.add(position.result(rules));
}

// Games number first, first + 1, ... from a position that has not ended.
static inline Tally playouts_scalar(const Position& start, Rules rules, uint64_t seed, uint64_t first, uint64_t count) {
    Tally tally;
    for (uint64_t game = first; game < first + count; ++game) playout(start, rules, Stream(seed, game), tally);
    return tally;
}

bool has_avx512();
Tally playouts_avx512(const Position& start, Rules rules, uint64_t seed, uint64_t first, uint64_t count);

}  // namespace ninefold
