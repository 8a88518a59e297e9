// Playouts of thirty-two games at once in sixteen-bit lanes; a lane whose game has ended starts the next one.
#include "cpu_features.hpp"
#include "playout/playout.hpp"

#if defined(__x86_64__)
#if !defined(__clang__)
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"  // GCC's own header makes undefined registers on purpose
#endif
#include <immintrin.h>

namespace ninefold {

bool has_avx512() { return cpu_features().avx512_bitalg; }

#define NINEFOLD_512 __attribute__((target("avx512f,avx512bw,avx512vl,avx512bitalg,bmi2"), always_inline)) inline

namespace {

constexpr int LANES = 32;
constexpr int PAIRS_OF_PLIES = 4;  // between two looks for ended games

// Constants stand in memory: made anew from general registers, as a compiler would, they cost more than the loads.
struct alignas(64) Constants {
    uint16_t bit[9][LANES], lines[LANES], row[3][LANES], first_two_rows[LANES], full[LANES], one[LANES], fifteen[LANES];
    uint32_t multiplier[LANES / 2];

    constexpr Constants() : bit{}, lines{}, row{}, first_two_rows{}, full{}, one{}, fifteen{}, multiplier{} {
        for (int lane = 0; lane < LANES; ++lane) {
            for (int b = 0; b < 9; ++b) bit[b][lane] = static_cast<uint16_t>(1 << b);
            for (int r = 0; r < 3; ++r) row[r][lane] = static_cast<uint16_t>(7 << 3 * r);
            first_two_rows[lane] = 0x3f, full[lane] = FULL_BOARD, one[lane] = 1, fifteen[lane] = 15;
            multiplier[lane / 2] = 0x9e3779b1u;
        }
        for (unsigned cells = 0; cells < 512; ++cells)
            lines[cells >> 4] = static_cast<uint16_t>(lines[cells >> 4] | has_line(cells) << (cells & 15));
    }
};
constexpr Constants CONSTANTS;

NINEFOLD_512 __m512i all(unsigned value) { return _mm512_set1_epi16(static_cast<short>(value)); }
NINEFOLD_512 __m512i load(const void* words) { return _mm512_load_si512(words); }

// Both players' marks and boards in every lane. All lanes are in step: a game begins with players[0] and on an even
// ply.
struct Lanes {
    struct Player {
        __m512i marks[9], won;
    } players[2];
    __m512i drawn, sent;  // sent: the board where the next mark must go; none for a free choice
    __m512i random[2];    // the streams of the even lanes and of the odd ones
};

// Lanes whose set of cells holds a line: the 512 bits of the table stand in one register.
NINEFOLD_512 __mmask32 lines(__m512i cells, const Constants& c) {
    __m512i word = _mm512_permutexvar_epi16(_mm512_srli_epi16(cells, 4), load(c.lines));
    return _mm512_test_epi16_mask(word, _mm512_sllv_epi16(load(c.one), _mm512_and_si512(cells, load(c.fifteen))));
}

struct Random {
    __m512i upper, lower;  // sixteen bits a lane each
};

NINEFOLD_512 Random next_random(__m512i (&states)[2], const Constants& c) {
    __m512i products[2];
    for (int half = 0; half < 2; ++half) {
        __m512i s = states[half];
        s = _mm512_xor_si512(s, _mm512_slli_epi32(s, 13));
        s = _mm512_xor_si512(s, _mm512_srli_epi32(s, 17));
        s = _mm512_xor_si512(s, _mm512_slli_epi32(s, 5));
        states[half] = s;
        products[half] = _mm512_mullo_epi32(s, load(c.multiplier));
    }
    return {_mm512_mask_mov_epi16(_mm512_srli_epi32(products[0], 16), 0xaaaaaaaa, products[1]),
            _mm512_mask_mov_epi16(products[0], 0xaaaaaaaa, _mm512_slli_epi32(products[1], 16))};
}

// The k-th cell of every set, as a bit: first its row, then its place in the row.
NINEFOLD_512 __m512i kth_cell(__m512i cells, __m512i k, const Constants& c) {
    __m512i first = _mm512_popcnt_epi16(_mm512_and_si512(cells, load(c.row[0])));
    __m512i first_two = _mm512_popcnt_epi16(_mm512_and_si512(cells, load(c.first_two_rows)));
    __mmask32 past_first = _mm512_cmpge_epu16_mask(k, first), past_two = _mm512_cmpge_epu16_mask(k, first_two);
    __m512i row = _mm512_mask_mov_epi16(load(c.row[0]), past_first, load(c.row[1]));
    row = _mm512_mask_mov_epi16(row, past_two, load(c.row[2]));
    __m512i before = _mm512_mask_mov_epi16(_mm512_maskz_mov_epi16(past_first, first), past_two, first_two);
    k = _mm512_sub_epi16(k, before);
    cells = _mm512_and_si512(cells, row);
    __mmask32 one = _mm512_test_epi16_mask(k, k), two = _mm512_cmpgt_epu16_mask(k, load(c.one));
    const __m512i less = _mm512_set1_epi32(-1);
    cells = _mm512_mask_mov_epi16(cells, one, _mm512_and_si512(cells, _mm512_add_epi16(cells, less)));
    cells = _mm512_mask_mov_epi16(cells, two, _mm512_and_si512(cells, _mm512_add_epi16(cells, less)));
    return _mm512_andnot_si512(_mm512_add_epi16(cells, less), cells);
}

// Neither the one player's nor the other's.
NINEFOLD_512 __m512i free_cells(const Lanes& lanes, int b, const Constants& c) {
    return _mm512_ternarylogic_epi32(lanes.players[0].marks[b], lanes.players[1].marks[b], load(c.full), 0x02);
}

// One ply in every lane whose game is not over; returns the lanes that are over after it. The mover's marks fill a dead
// board.
template <int phase, bool both>
NINEFOLD_512 __mmask32 step(Lanes& lanes, __mmask32 over, const Constants& c) {
    Lanes::Player &me = lanes.players[phase], &other = lanes.players[phase ^ 1];
    Random random = next_random(lanes.random, c);
    __m512i upto[9];  // how many free cells there are on a board and those before it
#pragma GCC unroll 9
    for (int b = 0; b < 9; ++b) {
        __m512i size = _mm512_popcnt_epi16(free_cells(lanes, b, c));
        upto[b] = b ? _mm512_add_epi16(upto[b - 1], size) : size;
    }
    __m512i place = _mm512_mulhi_epu16(random.upper, upto[8]), board = load(c.bit[8]);
#pragma GCC unroll 9
    for (int b = 7; b >= 0; --b)
        board = _mm512_mask_mov_epi16(board, _mm512_cmplt_epu16_mask(place, upto[b]), load(c.bit[b]));
    board = _mm512_mask_mov_epi16(board, _mm512_test_epi16_mask(lanes.sent, lanes.sent), lanes.sent);
    board = _mm512_maskz_mov_epi16(static_cast<__mmask32>(~over), board);
    __m512i set = _mm512_setzero_si512(), mine = set;
    __mmask32 here[9];
#pragma GCC unroll 9
    for (int b = 0; b < 9; ++b) {
        here[b] = _mm512_test_epi16_mask(board, load(c.bit[b]));
        set = _mm512_mask_mov_epi16(set, here[b], free_cells(lanes, b, c));
        mine = _mm512_mask_mov_epi16(mine, here[b], me.marks[b]);
    }
    __m512i cell = kth_cell(set, _mm512_mulhi_epu16(random.lower, _mm512_popcnt_epi16(set)), c);
    mine = _mm512_or_si512(mine, cell);
    __mmask32 line = lines(mine, c), full = _mm512_cmpeq_epi16_mask(set, cell);
    mine = _mm512_mask_mov_epi16(mine, line | full, load(c.full));
#pragma GCC unroll 9
    for (int b = 0; b < 9; ++b) me.marks[b] = _mm512_mask_mov_epi16(me.marks[b], here[b], mine);
    me.won = _mm512_or_si512(me.won, _mm512_maskz_mov_epi16(line, board));
    lanes.drawn = _mm512_or_si512(lanes.drawn, _mm512_maskz_mov_epi16(full & ~line, board));
    __m512i live = _mm512_andnot_si512(_mm512_ternarylogic_epi32(me.won, other.won, lanes.drawn, 0xfe), load(c.full));
    lanes.sent = _mm512_and_si512(cell, live);
    over |= _mm512_testn_epi16_mask(live, live) | lines(both ? _mm512_or_si512(me.won, lanes.drawn) : me.won, c);
    if (both) over |= lines(_mm512_or_si512(other.won, lanes.drawn), c);
    return over;
}

// Counts the results of the games in some lanes. Where both sides have a line the lines are counted, and where neither
// has one, boards may be.
template <bool both>
NINEFOLD_512 void count_results(const Lanes& lanes, __mmask32 some, Rules rules, bool x_starts, PlayoutCounts& counts,
                                const Constants& c) {
    const __m512i first = lanes.players[0].won, second = lanes.players[1].won;
    __m512i shared = both ? lanes.drawn : _mm512_setzero_si512();
    __m512i scoring[2] = {_mm512_or_si512(first, shared), _mm512_or_si512(second, shared)};
    __mmask32 has[2] = {lines(scoring[0], c), lines(scoring[1], c)};
    __mmask32 won = has[0] & ~has[1], lost = has[1] & ~has[0];
    if (rules.boards_break_ties) {
        __mmask32 neither = ~(has[0] | has[1]);
        __m512i mine = _mm512_popcnt_epi16(first), theirs = _mm512_popcnt_epi16(second);
        won |= neither & _mm512_cmpgt_epu16_mask(mine, theirs);
        lost |= neither & _mm512_cmplt_epu16_mask(mine, theirs);
    }
    if (__mmask32 tied = some & has[0] & has[1]) {
        alignas(64) uint16_t mine[LANES], theirs[LANES];
        _mm512_store_si512(mine, scoring[0]);
        _mm512_store_si512(theirs, scoring[1]);
        for (; tied; tied &= tied - 1) {
            int lane = __builtin_ctz(tied), more = count_lines(mine[lane]) - count_lines(theirs[lane]);
            won |= static_cast<__mmask32>(more > 0) << lane;
            lost |= static_cast<__mmask32>(more < 0) << lane;
        }
    }
    auto wins = static_cast<uint64_t>(__builtin_popcount(some & won)),
         losses = static_cast<uint64_t>(__builtin_popcount(some & lost));
    counts.x += x_starts ? wins : losses;
    counts.o += x_starts ? losses : wins;
    counts.drawn += static_cast<uint64_t>(__builtin_popcount(some)) - wins - losses;
}

// The start position in every lane.
NINEFOLD_512 void fill(Lanes& lanes, const Position& start) {
    for (int side = 0; side < 2; ++side) {
        Lanes::Player& player = lanes.players[side != start.turn];
        for (int b = 0; b < 9; ++b) player.marks[b] = all(start.dead() >> b & 1 ? FULL_BOARD : start.marks[side][b]);
        player.won = all(start.won[side]);
    }
    lanes.drawn = all(start.drawn);
    lanes.sent = all(start.board == ANY_BOARD ? 0u : 1u << start.board);
}

// Begins new games in some lanes.
NINEFOLD_512 void restart(Lanes& lanes, __mmask32 some, const Lanes& start, const uint32_t (&streams)[2][LANES / 2]) {
    for (int side = 0; side < 2; ++side) {
        Lanes::Player& player = lanes.players[side];
#pragma GCC unroll 9
        for (int b = 0; b < 9; ++b)
            player.marks[b] = _mm512_mask_mov_epi16(player.marks[b], some, start.players[side].marks[b]);
        player.won = _mm512_mask_mov_epi16(player.won, some, start.players[side].won);
    }
    lanes.drawn = _mm512_mask_mov_epi16(lanes.drawn, some, start.drawn);
    lanes.sent = _mm512_mask_mov_epi16(lanes.sent, some, start.sent);
    for (int odd = 0; odd < 2; ++odd) {
        auto which = static_cast<__mmask16>(_pext_u32(some, odd ? 0xaaaaaaaa : 0x55555555));
        lanes.random[odd] = _mm512_mask_load_epi32(lanes.random[odd], which, streams[odd]);
    }
}

// The games still to be played, dealt to lanes.
struct Dealer {
    uint64_t seed, next, end;
    alignas(64) uint32_t streams[2][LANES / 2];  // of the even lanes, and of the odd ones

    // New streams for as many of the lanes as there are games left; returns the lanes that got one.
    __mmask32 deal(__mmask32 lanes) {
        __mmask32 dealt = 0;
        for (; lanes && next < end; lanes &= lanes - 1) {
            int lane = __builtin_ctz(lanes);
            streams[lane & 1][lane >> 1] = RandomStream(seed, next++).state;
            dealt |= 1u << lane;
        }
        return dealt;
    }
};

// Ended games wait for their successors a few plies; that costs less than looking after each.
template <bool both>
NINEFOLD_512 PlayoutCounts play_all(const Position& start, Rules rules, uint64_t seed, uint64_t first, uint64_t count) {
    const Constants* constants = &CONSTANTS;
    asm("" : "+r"(constants));  // or the compiler would see their values and make them anew
    const Constants& c = *constants;
    PlayoutCounts counts;
    Lanes origin{};
    fill(origin, start);
    Lanes lanes = origin;
    Dealer dealer{seed, first, first + count, {}};
    __mmask32 busy = dealer.deal(~0u);
    restart(lanes, busy, origin, dealer.streams);
    while (busy) {
        __mmask32 over = ~busy;
        for (int pair = 0; pair < PAIRS_OF_PLIES; ++pair) {
            counts.plies += static_cast<uint64_t>(__builtin_popcount(~over));
            over = step<0, both>(lanes, over, c);
            counts.plies += static_cast<uint64_t>(__builtin_popcount(~over));
            over = step<1, both>(lanes, over, c);
        }
        over &= busy;
        count_results<both>(lanes, over, rules, start.turn == 0, counts, c);
        __mmask32 dealt = dealer.deal(over);
        restart(lanes, dealt, origin, dealer.streams);
        busy &= ~over | dealt;
    }
    return counts;
}

}  // namespace

__attribute__((target("avx512f,avx512bw,avx512vl,avx512bitalg,bmi2"))) PlayoutCounts
playouts_avx512(const Position& start, Rules rules, uint64_t seed, uint64_t first, uint64_t count) {
    return rules.drawn_counts_for_both ? play_all<true>(start, rules, seed, first, count)
                                       : play_all<false>(start, rules, seed, first, count);
}

}  // namespace ninefold

#else

namespace ninefold {

bool has_avx512() { return false; }

PlayoutCounts playouts_avx512(const Position& start, Rules rules, uint64_t seed, uint64_t first, uint64_t count) {
    return playouts_scalar(start, rules, seed, first, count);
}

}  // namespace ninefold

#endif
