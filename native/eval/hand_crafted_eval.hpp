// The hand-crafted evaluation: expected lines of won boards, and a tempo bonus for the side to move.
#pragma once

#include <cstddef>
#include <vector>

#include "eval/evaluation.hpp"
#include "eval/fillings.hpp"

namespace ninefold {

// The engine's unit of value: the score of one more line of boards to be expected.
constexpr int LINE_VALUE = 2400;

struct Chances {
    float x, o;
};

// The chance of each side to own a small board, by who moves next on it.
struct BoardChances {
    Chances by_mover[3];
};

// Three terms. The chance of each side to own a small board is looked up by its marks: as if both sides filled it at
// random, but often took or blocked a line. From these chances follow the expected lines of boards of each side. The
// tempo bonus is what it is worth to move next: on the board one is sent to, or on the best board of a free choice.
class HandCraftedEval {
public:
    static constexpr float FREE_CHOICE_BONUS = 0.02f;
    // How much of the gain of moving next on a board is real.
    static constexpr float SENT_TEMPO = 0.5f, FREE_CHOICE_TEMPO = 0.85f;

    struct Node {
        float x[9], o[9];            // the chance of each side to own a board
        float rest_x[9], rest_o[9];  // summed over the lines through a board: the chance of the other two boards
        float gain_x[9], gain_o[9];  // the change of the chances when the opponent is sent to a board
        float lines;                 // expected lines of X less those of O
        mutable float best, second;  // the opponent's gain on the two best boards of a free choice
        mutable int best_board;      // UNKNOWN until a move gives a free choice
        uint16_t board_index[9];     // of each board in the table of chances
        int turn;
        const BoardChances* chances;
    };

    HandCraftedEval();

    [[gnu::always_inline]] Node prepare(const Position& position, Rules rules) const {
        Node node;
        const int next = position.turn ^ 1;
        node.turn = position.turn;
        node.chances = chances_[rules.drawn_counts_for_both].data();
        for (int b = 0; b < 9; ++b) {
            node.board_index[b] = filling_of(position.marks[0][b], position.marks[1][b]);
            const BoardChances& chances = node.chances[node.board_index[b]];
            node.x[b] = chances.by_mover[UNKNOWN_MOVER].x;
            node.o[b] = chances.by_mover[UNKNOWN_MOVER].o;
            node.gain_x[b] = SENT_TEMPO * (chances.by_mover[1 + next].x - node.x[b]);
            node.gain_o[b] = SENT_TEMPO * (chances.by_mover[1 + next].o - node.o[b]);
        }
        node.lines = (sum_lines(node.x, node.rest_x) - sum_lines(node.o, node.rest_o)) / 3;
        node.best_board = UNKNOWN;
        return node;
    }

    [[gnu::always_inline]] void choose_board(Node&, int) const {}

    [[gnu::always_inline]] int evaluate_child(const Node& node, int board, int cell, int next_board) const {
        const int next = node.turn ^ 1;
        const BoardChances& chances = node.chances[node.board_index[board] + (POWER_OF_3[cell] << node.turn)];
        const Chances here = chances.by_mover[UNKNOWN_MOVER];
        const float delta_x = here.x - node.x[board], delta_o = here.o - node.o[board];
        float lines = node.lines + delta_x * node.rest_x[board] - delta_o * node.rest_o[board];
        float free_choice = 0;
        if (next_board == ANY_BOARD) {
            if (node.best_board == UNKNOWN) find_best_boards(node);
            free_choice = FREE_CHOICE_BONUS + (node.best_board == board ? node.second : node.best);
        } else if (next_board == board) {
            const Chances there = chances.by_mover[1 + next];
            lines += SENT_TEMPO * ((there.x - here.x) * node.rest_x[board] - (there.o - here.o) * node.rest_o[board]);
        } else {
            // Both boards change: what their common line, if there is one, gains over the sum of the two changes.
            const int third = THIRD_BOARD[board][next_board];
            lines += node.gain_x[next_board] * (node.rest_x[next_board] + delta_x * (third < 0 ? 0 : node.x[third])) -
                     node.gain_o[next_board] * (node.rest_o[next_board] + delta_o * (third < 0 ? 0 : node.o[third]));
        }
        return static_cast<int>(((next ? -lines : lines) + free_choice) * LINE_VALUE) | 1;
    }

private:
    static constexpr int UNKNOWN = -1;
    static constexpr int UNKNOWN_MOVER = 0;  // who moves next on a board: 0 unknown, 1 X, 2 O
    static constexpr int LINES[8][3] = {{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {0, 3, 6},
                                        {1, 4, 7}, {2, 5, 8}, {0, 4, 8}, {2, 4, 6}};

    // The board that makes a line with two others, or -1.
    struct ThirdBoardTable {
        int8_t third[9][9];
        constexpr ThirdBoardTable() : third{} {
            for (auto& row : third)
                for (auto& board : row) board = -1;
            for (auto [a, b, c] : LINES) {
                third[a][b] = third[b][a] = static_cast<int8_t>(c);
                third[a][c] = third[c][a] = static_cast<int8_t>(b);
                third[b][c] = third[c][b] = static_cast<int8_t>(a);
            }
        }
        constexpr const int8_t* operator[](int board) const { return third[board]; }
    };
    static const ThirdBoardTable THIRD_BOARD;

    std::vector<BoardChances> chances_[2];  // where drawn boards count for nobody, and where they count for both

    // Returns three times the expected lines of one side.
    [[gnu::always_inline]] static float sum_lines(const float* chance, float* rest) {
        for (int b = 0; b < 9; ++b) rest[b] = 0;
        for (auto [a, b, c] : LINES) {
            rest[a] += chance[b] * chance[c];
            rest[b] += chance[a] * chance[c];
            rest[c] += chance[a] * chance[b];
        }
        float sum = 0;
        for (int b = 0; b < 9; ++b) sum += chance[b] * rest[b];
        return sum;
    }

    static void find_best_boards(const Node& node) {
        const float sign = (node.turn ? 1 : -1) * FREE_CHOICE_TEMPO / SENT_TEMPO;
        node.best = node.second = 0;
        node.best_board = ANY_BOARD;
        for (int b = 0; b < 9; ++b) {
            float gain = sign * (node.gain_x[b] * node.rest_x[b] - node.gain_o[b] * node.rest_o[b]);
            float less = gain < node.best ? gain : node.best;
            node.second = less > node.second ? less : node.second;
            node.best_board = gain > node.best ? b : node.best_board;
            node.best = gain > node.best ? gain : node.best;
        }
    }
};

inline constexpr HandCraftedEval::ThirdBoardTable HandCraftedEval::THIRD_BOARD;

}  // namespace ninefold
