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

    // Sixteen random bits.
    unsigned next() {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        return state * 0x9e3779b1u >> 16;
    }
};

struct Tally {
    uint64_t x = 0, drawn = 0, o = 0, plies = 0;

    void add(int result) { ++(result > 0 ? x : result < 0 ? o : drawn); }
};

// A uniformly chosen legal move of a position that has not ended.
struct Choice {
    int board, cell;
};

static inline Choice random_move(const Position& position, Stream& stream) {
    unsigned random = stream.next();
    if (position.board != ANY) {
        unsigned cells = position.free_cells(position.board);
        return {position.board, tables::cell[cells][random * static_cast<unsigned>(__builtin_popcount(cells)) >> 16]};
    }
    int place = static_cast<int>(random * static_cast<unsigned>(count_moves(position)) >> 16);
    for (unsigned boards = position.open_boards();; boards &= boards - 1) {
        int board = __builtin_ctz(boards);
        unsigned cells = position.free_cells(board);
        int size = __builtin_popcount(cells);
        if (place < size) return {board, tables::cell[cells][place]};
        place -= size;
    }
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
