#include "batch/table_game.hpp"

#include <cstring>

namespace ninefold {

namespace {

uint64_t legal_bits(const TableGame& game, const int32_t* masks, uint32_t state) {
    const int32_t* words = masks + state * static_cast<uint32_t>(game.mask_words);
    uint64_t legal = 0;
    for (int w = 0; w < game.mask_words; ++w) legal |= static_cast<uint64_t>(static_cast<uint32_t>(words[w])) << 32 * w;
    return legal;
}

void pack_words(TableGame& game, const int32_t* transitions, const int32_t* masks) {
    auto states = static_cast<size_t>(game.states), width = static_cast<size_t>(game.width);
    game.by_move.resize(states * (width + 1));
    game.by_rank.resize(states * width);
    for (size_t state = 0; state < states; ++state) {
        uint64_t legal = legal_bits(game, masks, static_cast<uint32_t>(state));
        for (size_t move = 0, rank = 0; move <= width; ++move) {
            auto transition = static_cast<uint32_t>(transitions[state * (width + 1) + move]);
            uint64_t word = transition | static_cast<uint64_t>(move & 63) << MOVE_BIT |
                            legal_bits(game, masks, transition & STATE_BITS) << LEGAL_BIT;
            game.by_move[state * (width + 1) + move] = word;
            if (move == 0 || (move < width && legal >> move & 1)) game.by_rank[state * width + rank] = word;
            if (move < width && legal >> move & 1) ++rank;
        }
    }
}

void pack_rows(TableGame& game, const int32_t* masks, const uint8_t* planes, const int8_t* turn) {
    auto bytes = static_cast<size_t>(game.planes), width = static_cast<size_t>(game.width);
    auto row = static_cast<size_t>(game.row);
    game.rows.resize(static_cast<size_t>(game.states) * row + CHUNK);
    for (size_t state = 0; state < static_cast<size_t>(game.states); ++state) {
        uint8_t* to = &game.rows[state * row];
        uint64_t legal = legal_bits(game, masks, static_cast<uint32_t>(state));
        std::memcpy(to, planes + state * bytes, bytes);
        for (size_t move = 0; move < width; ++move) to[bytes + move] = legal >> move & 1;
        to[bytes + width] = static_cast<uint8_t>(turn[state]);
    }
}

}  // namespace

TableGame make_table_game(int states, int width, const int32_t* transitions, const int32_t* masks,
                          const uint8_t* planes, int plane_bytes, const int8_t* turn) {
    TableGame game{};
    game.states = states, game.width = width, game.mask_words = (width + 31) / 32;
    game.planes = plane_bytes;
    game.row = static_cast<int>((static_cast<size_t>(plane_bytes + width + 1) + CHUNK - 1) / CHUNK * CHUNK);
    pack_words(game, transitions, masks);
    pack_rows(game, masks, planes, turn);
    return game;
}

}  // namespace ninefold
