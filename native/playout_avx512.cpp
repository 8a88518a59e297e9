// Thirty-two games at once in sixteen-bit lanes; a lane whose game has ended starts the next one by itself.
#include "playout.hpp"

#if defined(__x86_64__)
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"   // GCC's own header makes undefined registers on purpose
#include <immintrin.h>

namespace ninefold {

bool has_avx512() {
    static const bool has = __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
                            __builtin_cpu_supports("avx512bitalg");
    return has;
}

#define NINEFOLD_512 __attribute__((target("avx512f,avx512bw,avx512vl,avx512bitalg,bmi2"), always_inline)) inline

namespace {

constexpr int LANES = 32;

NINEFOLD_512 __m512i all(int value) { return _mm512_set1_epi16(static_cast<short>(value)); }

// Both players' marks and boards in every lane. Lanes are out of step with each other: a game that begins in phase 1
// has its first player in players[1].
struct Lanes {
    struct Player {
        __m512i marks[9], won;
    } players[2];   // the one to move now is players[phase]
    __m512i drawn, open;        // open: the boards that may be played in
    __m512i random[2];          // the streams, sixteen lanes each
    __mmask32 began_in_phase_1;
};

// Lanes whose set of cells holds a line: the 512 bits of the table stand in one register.
NINEFOLD_512 __mmask32 lines(__m512i cells, __m512i table) {
    __m512i word = _mm512_permutexvar_epi16(_mm512_srli_epi16(cells, 4), table);
    return _mm512_test_epi16_mask(word, _mm512_sllv_epi16(all(1), _mm512_and_si512(cells, all(15))));
}

NINEFOLD_512 __m512i line_table() {
    alignas(64) uint16_t words[32] = {};
    for (int cells = 0; cells < 512; ++cells) words[cells >> 4] |= static_cast<uint16_t>(has_line(static_cast<unsigned>(cells)) << (cells & 15));
    return _mm512_load_si512(words);
}

NINEFOLD_512 __m512i next_random(__m512i (&states)[2]) {
    __m256i halves[2];
    for (int half = 0; half < 2; ++half) {
        __m512i s = states[half];
        s = _mm512_xor_si512(s, _mm512_slli_epi32(s, 13));
        s = _mm512_xor_si512(s, _mm512_srli_epi32(s, 17));
        s = _mm512_xor_si512(s, _mm512_slli_epi32(s, 5));
        states[half] = s;
        __m512i product = _mm512_mullo_epi32(s, _mm512_set1_epi32(static_cast<int>(0x9e3779b1u)));
        halves[half] = _mm512_cvtepi32_epi16(_mm512_srli_epi32(product, 16));
    }
    return _mm512_inserti64x4(_mm512_castsi256_si512(halves[0]), halves[1], 1);
}

// The k-th cell of every set, as a bit: first its row, then its place in the row.
NINEFOLD_512 __m512i kth_cell(__m512i cells, __m512i k) {
    __m512i first = _mm512_popcnt_epi16(_mm512_and_si512(cells, all(0x007)));
    __m512i first_two = _mm512_popcnt_epi16(_mm512_and_si512(cells, all(0x03f)));
    __mmask32 past_first = _mm512_cmpge_epu16_mask(k, first), past_two = _mm512_cmpge_epu16_mask(k, first_two);
    __m512i row = _mm512_mask_mov_epi16(all(0x007), past_first, all(0x038));
    row = _mm512_mask_mov_epi16(row, past_two, all(0x1c0));
    __m512i before = _mm512_mask_mov_epi16(_mm512_maskz_mov_epi16(past_first, first), past_two, first_two);
    k = _mm512_sub_epi16(k, before);
    cells = _mm512_and_si512(cells, row);
#pragma GCC unroll 2
    for (int i = 0; i < 2; ++i) {   // take the lowest cell off, up to twice
        __m512i fewer = _mm512_and_si512(cells, _mm512_sub_epi16(cells, all(1)));
        cells = _mm512_mask_mov_epi16(cells, _mm512_cmpgt_epu16_mask(k, all(i)), fewer);
    }
    return _mm512_and_si512(cells, _mm512_sub_epi16(_mm512_setzero_si512(), cells));
}

// Which lanes' games have ended, and how, for the side that has just moved.
struct Ended {
    __mmask32 over, won, lost;
};

// One ply in every lane.
template <int phase>
NINEFOLD_512 Ended step(Lanes& lanes, Rules rules, __m512i table) {
    Lanes::Player &me = lanes.players[phase], &other = lanes.players[phase ^ 1];
    __m512i cells[9], sizes[9], total = _mm512_setzero_si512();
#pragma GCC unroll 9
    for (int b = 0; b < 9; ++b) {
        __m512i free = _mm512_andnot_si512(_mm512_or_si512(me.marks[b], other.marks[b]), all(FULL));
        cells[b] = _mm512_maskz_mov_epi16(_mm512_test_epi16_mask(lanes.open, all(1 << b)), free);
        sizes[b] = _mm512_popcnt_epi16(cells[b]);
        total = _mm512_add_epi16(total, sizes[b]);
    }
    __m512i place = _mm512_mulhi_epu16(next_random(lanes.random), total);
    __m512i set = _mm512_setzero_si512(), k = set, board = set;
    __mmask32 here[9];
#pragma GCC unroll 9
    for (int b = 0; b < 9; ++b) {
        here[b] = _mm512_cmplt_epu16_mask(place, sizes[b]);   // below zero it wraps, and is never here again
        set = _mm512_mask_mov_epi16(set, here[b], cells[b]);
        k = _mm512_mask_mov_epi16(k, here[b], place);
        board = _mm512_mask_mov_epi16(board, here[b], all(1 << b));
        place = _mm512_sub_epi16(place, sizes[b]);
    }
    __m512i cell = kth_cell(set, k);
    __m512i mine = _mm512_setzero_si512();
#pragma GCC unroll 9
    for (int b = 0; b < 9; ++b) {
        me.marks[b] = _mm512_mask_add_epi16(me.marks[b], here[b], me.marks[b], cell);   // the cell is free
        mine = _mm512_mask_mov_epi16(mine, here[b], me.marks[b]);
    }
    __mmask32 line = lines(mine, table);
    __mmask32 full = _mm512_cmpeq_epi16_mask(set, cell);
    me.won = _mm512_or_si512(me.won, _mm512_maskz_mov_epi16(line, board));
    lanes.drawn = _mm512_or_si512(lanes.drawn, _mm512_maskz_mov_epi16(full & ~line, board));
    __m512i dead = _mm512_or_si512(_mm512_or_si512(me.won, other.won), lanes.drawn);
    __m512i live = _mm512_andnot_si512(dead, all(FULL));
    lanes.open = _mm512_mask_mov_epi16(live, _mm512_test_epi16_mask(cell, live), cell);
    __m512i shared = rules.drawn_counts_for_both ? lanes.drawn : _mm512_setzero_si512();
    __mmask32 mine_line = lines(_mm512_or_si512(me.won, shared), table);
    __mmask32 their_line = lines(_mm512_or_si512(other.won, shared), table);
    return {mine_line | their_line | _mm512_testn_epi16_mask(live, live), mine_line, their_line};
}

// Where both sides have a line the lines are counted, and where neither has one, boards may be.
NINEFOLD_512 Ended judge(const Lanes& lanes, int phase, Rules rules, Ended ended) {
    const Lanes::Player &me = lanes.players[phase], &other = lanes.players[phase ^ 1];
    Ended judged = {ended.over, ended.won & ~ended.lost, ended.lost & ~ended.won};
    if (rules.boards_break_ties) {
        __mmask32 neither = ended.over & ~(ended.won | ended.lost);
        __m512i mine = _mm512_popcnt_epi16(me.won), theirs = _mm512_popcnt_epi16(other.won);
        judged.won |= neither & _mm512_cmpgt_epu16_mask(mine, theirs);
        judged.lost |= neither & _mm512_cmplt_epu16_mask(mine, theirs);
    }
    if (__mmask32 both = ended.over & ended.won & ended.lost) {
        alignas(64) uint16_t mine[LANES], theirs[LANES];
        _mm512_store_si512(mine, _mm512_or_si512(me.won, lanes.drawn));
        _mm512_store_si512(theirs, _mm512_or_si512(other.won, lanes.drawn));
        for (; both; both &= both - 1) {
            int lane = __builtin_ctz(both), more = count_lines(mine[lane]) - count_lines(theirs[lane]);
            judged.won |= static_cast<__mmask32>(more > 0) << lane;
            judged.lost |= static_cast<__mmask32>(more < 0) << lane;
        }
    }
    return judged;
}

// The start position in every lane, for games whose first move is made in phase 0.
NINEFOLD_512 void fill(Lanes& lanes, const Position& start) {
    for (int side = 0; side < 2; ++side) {
        Lanes::Player& player = lanes.players[side != start.turn];
        for (int b = 0; b < 9; ++b) player.marks[b] = all(start.marks[side][b]);
        player.won = all(start.won[side]);
    }
    lanes.drawn = all(start.drawn);
    lanes.open = all(static_cast<int>(start.open_boards()));
}

// Begins new games in some lanes, with the first move in a phase.
NINEFOLD_512 void restart(Lanes& lanes, __mmask32 some, int phase, const Lanes& start, const uint32_t* streams) {
    for (int first = 0; first < 2; ++first) {
        Lanes::Player& player = lanes.players[first ^ phase];
#pragma GCC unroll 9
        for (int b = 0; b < 9; ++b)
            player.marks[b] = _mm512_mask_mov_epi16(player.marks[b], some, start.players[first].marks[b]);
        player.won = _mm512_mask_mov_epi16(player.won, some, start.players[first].won);
    }
    lanes.drawn = _mm512_mask_mov_epi16(lanes.drawn, some, start.drawn);
    lanes.open = _mm512_mask_mov_epi16(lanes.open, some, start.open);
    for (int half = 0; half < 2; ++half)
        lanes.random[half] = _mm512_mask_load_epi32(lanes.random[half], static_cast<__mmask16>(some >> 16 * half), streams + 16 * half);
    lanes.began_in_phase_1 = phase ? lanes.began_in_phase_1 | some : lanes.began_in_phase_1 & ~some;
}

// The games still to be played, dealt to lanes.
struct Dealer {
    uint64_t seed, next, end;
    alignas(64) uint32_t streams[LANES];

    // New streams for as many of the lanes as there are games; says which have got one.
    __mmask32 deal(__mmask32 lanes) {
        __mmask32 dealt = 0;
        for (; lanes && next < end; lanes &= lanes - 1) {
            int lane = __builtin_ctz(lanes);
            streams[lane] = Stream(seed, next++).state;
            dealt |= 1u << lane;
        }
        return dealt;
    }
};

template <int phase>
NINEFOLD_512 __mmask32 play_phase(Lanes& lanes, __mmask32 busy, const Lanes& start, bool x_starts, Rules rules, Dealer& dealer,
                                  Tally& tally, __m512i table) {
    tally.plies += static_cast<uint64_t>(__builtin_popcount(busy));
    Ended ended = step<phase>(lanes, rules, table);
    ended.over &= busy;
    if (!ended.over) return busy;
    ended = judge(lanes, phase, rules, ended);
    __mmask32 by_first = phase ? lanes.began_in_phase_1 : ~lanes.began_in_phase_1;   // the mover began this game
    __mmask32 by_x = x_starts ? by_first : ~by_first;
    auto x = static_cast<uint64_t>(__builtin_popcount(ended.over & ((ended.won & by_x) | (ended.lost & ~by_x))));
    auto o = static_cast<uint64_t>(__builtin_popcount(ended.over & ((ended.won & ~by_x) | (ended.lost & by_x))));
    tally.x += x;
    tally.o += o;
    tally.drawn += static_cast<uint64_t>(__builtin_popcount(ended.over)) - x - o;
    __mmask32 dealt = dealer.deal(ended.over);
    restart(lanes, dealt, phase ^ 1, start, dealer.streams);
    return busy & ~(ended.over & ~dealt);
}

}  // namespace

__attribute__((target("avx512f,avx512bw,avx512vl,avx512bitalg,bmi2")))
Tally playouts_avx512(const Position& start, Rules rules, uint64_t seed, uint64_t first, uint64_t count) {
    Tally tally;
    Lanes origin{};
    fill(origin, start);
    Lanes lanes = origin;
    Dealer dealer{seed, first, first + count, {}};
    const __m512i table = line_table();
    __mmask32 busy = dealer.deal(~0u);
    restart(lanes, busy, 0, origin, dealer.streams);
    while (busy) {
        busy = play_phase<0>(lanes, busy, origin, start.turn == 0, rules, dealer, tally, table);
        busy = play_phase<1>(lanes, busy, origin, start.turn == 0, rules, dealer, tally, table);
    }
    return tally;
}

}  // namespace ninefold

#else

namespace ninefold {

bool has_avx512() { return false; }

Tally playouts_avx512(const Position& start, Rules rules, uint64_t seed, uint64_t first, uint64_t count) {
    return playouts_scalar(start, rules, seed, first, count);
}

}  // namespace ninefold

#endif
