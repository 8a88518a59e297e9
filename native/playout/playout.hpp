// Random games played to their end. The results are the same on every machine and for every way of batching.
#pragma once

#include "movegen.hpp"
#include "playout/random_stream.hpp"

namespace ninefold {

struct PlayoutCounts {
    uint64_t x = 0, drawn = 0, o = 0, plies = 0;

    void add(int result) { ++(result > 0 ? x : result < 0 ? o : drawn); }
};

struct BoardAndCell {
    int board, cell;
};

// A uniformly chosen legal move of a position that has not ended. The upper random bits choose among boards, each by
// the number of its free cells; the lower ones choose the cell.
static inline BoardAndCell random_move(const Position& position, RandomStream& stream) {
    uint32_t random = stream.next();
    int board = position.board;
    if (board == ANY_BOARD) {
        int rank = static_cast<int>((random >> 16) * static_cast<unsigned>(count_moves(position)) >> 16);
        unsigned boards = position.open_boards();
        for (;; boards &= boards - 1) {
            board = __builtin_ctz(boards);
            rank -= __builtin_popcount(position.free_cells(board));
            if (rank < 0) break;
        }
    }
    unsigned cells = position.free_cells(board);
    return {board, NTH_CELL[cells][(random & 0xffff) * static_cast<unsigned>(__builtin_popcount(cells)) >> 16]};
}

// Plays random moves until the game ends; returns their number.
static inline uint64_t play_to_end(Position& position, Rules rules, RandomStream& stream) {
    for (uint64_t plies = 1;; ++plies) {
        BoardAndCell move = random_move(position, stream);
        if (position.play(move.board, move.cell) && position.ended(rules)) return plies;
    }
}

static inline void playout(Position position, Rules rules, RandomStream stream, PlayoutCounts& counts) {
    counts.plies += play_to_end(position, rules, stream);
    counts.add(position.result(rules));
}

// Plays the games number first, first + 1, ... from a position that has not ended.
static inline PlayoutCounts playouts_scalar(const Position& start, Rules rules, uint64_t seed, uint64_t first,
                                            uint64_t count) {
    PlayoutCounts counts;
    for (uint64_t game = first; game < first + count; ++game) playout(start, rules, RandomStream(seed, game), counts);
    return counts;
}

bool has_avx512();
PlayoutCounts playouts_avx512(const Position& start, Rules rules, uint64_t seed, uint64_t first, uint64_t count);

}  // namespace ninefold
