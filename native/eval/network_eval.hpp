// The learned evaluation: a small network over the patterns of the nine boards, in integers. Every processor computes
// the same values. ninefold/train/network.py says what it is made of, and has the reference.
#pragma once

#include <algorithm>
#include <memory>

#include "eval/accumulator.hpp"
#include "eval/evaluation.hpp"
#include "eval/fillings.hpp"

namespace ninefold {

class NetworkEval {
public:
    static constexpr int WIDTH = NETWORK_WIDTH, WEIGHTS = 31'594;
    using Row = NetworkRow;

    struct Node {
        Row rest;   // the sum of the rows of all boards but one, as the opponent of the side to move sees them
        int board;  // that one, where the next mark goes; ANY_BOARD: no row is left out yet
        int live;   // boards
        uint16_t filling[9];  // of each board, with the opponent's marks as the first kind
        uint16_t state[9];    // of each board
    };

    // Makes the rows of all states from the weights: WEIGHTS numbers in the order of the file. The scale is the value
    // of a logit.
    NetworkEval(const int16_t* weights, int scale);

    [[gnu::always_inline]] Node prepare(const Position& position, Rules) const {
        Node node;
        const int next = position.turn ^ 1;
        Accumulator sums(bias_);
        node.board = position.board;
        node.live = 0;
        for (int b = 0; b < 9; ++b) {
            node.filling[b] = filling_of(position.marks[next][b], position.marks[next ^ 1][b]);
            node.state[b] = state_[node.filling[b]];
            node.live += node.state[b] < LIVE_STATES;
            sums.add(b == node.board ? NO_ROW : row(b, node.state[b]));
        }
        sums.store(node.rest);
        return node;
    }

    [[gnu::always_inline]] void choose_board(Node& node, int board) const {
        if (node.board == board) return;
        Accumulator sums(node.rest);
        if (node.board != ANY_BOARD) sums.add(row(node.board, node.state[node.board]));
        sums.subtract(row(board, node.state[board]));
        sums.store(node.rest);
        node.board = board;
    }

    [[gnu::always_inline]] int evaluate_child(const Node& node, int board, int cell, int next_board) const {
        const unsigned state = state_[node.filling[board] + 2 * POWER_OF_3[cell]];
        const int live = node.live - (state >= LIVE_STATES);
        const Row& sent_state =
            next_board == ANY_BOARD ? NO_ROW : sent_states_[next_board == board ? state : node.state[next_board]];
        Accumulator sums(node.rest);
        sums.add(row(board, state));
        sums.add(sent_[next_board]);
        sums.add(sent_state);
        return value(sums.weigh(output_[live]), live);
    }

    // The value of a position for its side to move. The search knows only children.
    int evaluate(const Position& position) const;

private:
    static constexpr int LIVE_STATES = 11'093, STATES = LIVE_STATES + 3;
    static constexpr int VALUE_SHIFT = 22, BIAS_UNIT = 1 << 10;
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
        const int64_t scaled = (int64_t{total} + output_bias_[live] * BIAS_UNIT) * scale_ >> VALUE_SHIFT;
        return std::clamp(static_cast<int>(scaled), 1 - EVAL_LIMIT, EVAL_LIMIT - 1) | 1;
    }

    void make_states();
    void make_rows(const int16_t* weights);
};

inline constexpr NetworkEval::Row NetworkEval::NO_ROW = {};

}  // namespace ninefold
