// The learned evaluation: a small network over the patterns of the nine boards, in integers. Every processor computes
// the same values. ninefold/train/network.py says what it is made of, and has the reference.
#pragma once

#include <algorithm>
#include <memory>

#if defined(__AVX2__)
#include <immintrin.h>
#endif

#include "eval/evaluation.hpp"
#include "eval/fillings.hpp"

namespace ninefold {

class NetworkEval {
public:
    static constexpr int WIDTH = 64, WEIGHTS = 31'594;

    struct alignas(64) Row {
        int16_t numbers[WIDTH];
    };

    struct Node {
        Row sums;             // of the rows of all boards, as the opponent of the side to move sees them
        uint16_t filling[9];  // of each board, with the opponent's marks as the first kind
        uint16_t state[9];    // of each board
        int live;             // boards
    };

    // Makes the rows of all states from the weights: WEIGHTS numbers in the order of the file. The scale is the value
    // of a logit.
    NetworkEval(const int16_t* weights, int scale);

    [[gnu::always_inline]] Node prepare(const Position& position, Rules) const {
        Node node;
        const int next = position.turn ^ 1;
        node.sums = bias_;
        node.live = 0;
        for (int b = 0; b < 9; ++b) {
            node.filling[b] = filling_of(position.marks[next][b], position.marks[next ^ 1][b]);
            node.state[b] = state_[node.filling[b]];
            node.live += node.state[b] < LIVE_STATES;
            add(node.sums, row(b, node.state[b]));
        }
        return node;
    }

    [[gnu::always_inline]] int evaluate_child(const Node& node, int board, int cell, int next_board) const {
        const unsigned state = state_[node.filling[board] + 2 * POWER_OF_3[cell]];
        const int live = node.live - (state >= LIVE_STATES);
        const Row& sent_state =
            next_board == ANY_BOARD ? NO_ROW : sent_states_[next_board == board ? state : node.state[next_board]];
        const int total = weigh(node.sums, row(board, node.state[board]), row(board, state), sent_[next_board],
                                sent_state, output_[live]);
        return value(total, live);
    }

    // The value of a position for its side to move. The search knows only children.
    int evaluate(const Position& position) const;

private:
    static constexpr int LIVE_STATES = 11'093, STATES = LIVE_STATES + 3;
    static constexpr int CLIP = 255, VALUE_SHIFT = 22, BIAS_UNIT = 1 << 10;
    static const Row NO_ROW;

    std::unique_ptr<Row[]> rows_, sent_states_;
    Row bias_, sent_[10], output_[10];
    int output_bias_[10];
    int scale_;
    uint16_t state_[FILLINGS];

    [[gnu::always_inline]] const Row& row(int board, unsigned state) const {
        return rows_[static_cast<size_t>(board) * STATES + state];
    }

    [[gnu::always_inline]] int value(int total, int live) const {
        int64_t scaled = (int64_t{total} + output_bias_[live] * BIAS_UNIT) * scale_ >> VALUE_SHIFT;
        return static_cast<int>(std::clamp<int64_t>(scaled, 1 - EVAL_LIMIT, EVAL_LIMIT - 1)) | 1;
    }

    void make_states();
    void make_rows(const int16_t* weights);

#if defined(__AVX2__)
    [[gnu::always_inline]] static __m256i load(const Row& row, int part) {
        return _mm256_load_si256(reinterpret_cast<const __m256i*>(row.numbers) + part);
    }

    [[gnu::always_inline]] static void add(Row& sums, const Row& row) {
        for (int part = 0; part < WIDTH / 16; ++part)
            _mm256_store_si256(reinterpret_cast<__m256i*>(sums.numbers) + part,
                               _mm256_add_epi16(load(sums, part), load(row, part)));
    }

    // The weighted sum of the squared and clipped numbers of an accumulator: sums - before + after + sent + sent_state.
    [[gnu::always_inline]] static int weigh(const Row& sums, const Row& before, const Row& after, const Row& sent,
                                            const Row& sent_state, const Row& weights) {
        const __m256i zero = _mm256_setzero_si256(), clip = _mm256_set1_epi16(CLIP);
        __m256i total = zero;
        for (int part = 0; part < WIDTH / 16; ++part) {
            __m256i sum = _mm256_add_epi16(_mm256_sub_epi16(load(sums, part), load(before, part)), load(after, part));
            sum = _mm256_add_epi16(sum, _mm256_add_epi16(load(sent, part), load(sent_state, part)));
            sum = _mm256_min_epi16(_mm256_max_epi16(sum, zero), clip);
            // The product with a weight of 8 bits fits into 16 bits.
            total = _mm256_add_epi32(total, _mm256_madd_epi16(_mm256_mullo_epi16(sum, load(weights, part)), sum));
        }
        __m128i half = _mm_add_epi32(_mm256_castsi256_si128(total), _mm256_extracti128_si256(total, 1));
        half = _mm_add_epi32(half, _mm_shuffle_epi32(half, 0x4e));
        half = _mm_add_epi32(half, _mm_shuffle_epi32(half, 0xb1));
        return _mm_cvtsi128_si32(half);
    }
#else
    [[gnu::always_inline]] static void add(Row& sums, const Row& row) {
        for (int i = 0; i < WIDTH; ++i) sums.numbers[i] = static_cast<int16_t>(sums.numbers[i] + row.numbers[i]);
    }

    [[gnu::always_inline]] static int weigh(const Row& sums, const Row& before, const Row& after, const Row& sent,
                                            const Row& sent_state, const Row& weights) {
        int total = 0;
        for (int i = 0; i < WIDTH; ++i) {
            int sum = sums.numbers[i] - before.numbers[i] + after.numbers[i] + sent.numbers[i] + sent_state.numbers[i];
            sum = std::clamp(sum, 0, CLIP);
            total += sum * weights.numbers[i] * sum;
        }
        return total;
    }
#endif
};

inline constexpr NetworkEval::Row NetworkEval::NO_ROW = {};

}  // namespace ninefold
