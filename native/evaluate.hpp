// What a position is worth when the search can see no further. A search takes any class of this shape.
#pragma once

#include <concepts>
#include <cstddef>
#include <vector>

#include "squared.hpp"

namespace ninefold {

constexpr int EVAL_LIMIT = 20'000;

// A Node is what is prepared once for all the children of a position. Values are for the side to move where they are
// asked for, never 0 (a draw is proven or it is none), within +-EVAL_LIMIT.
template <typename E>
concept Evaluation = requires(const E e, const Position& position, Rules rules, const typename E::Node& node, int number) {
    { e.node(position, rules) } -> std::same_as<typename E::Node>;
    { e.child(node, number, number, number) } -> std::same_as<int>;   // after a mark on a board's cell: where the opponent is sent
};

struct Chances {
    float x, o;
};

// The chances of a small board, by who moves next on it.
struct Owned {
    Chances by[3];
};

// The chance of each side to own a small board, by its marks, when players fill it who often take or block a line; then
// the expected lines of boards, those of one side less those of the other; then what moving next is worth, on the board
// one is sent to or on the best one of a free choice.
class ByHand {
public:
    static constexpr float SCALE = 2400, FREE_CHOICE = 0.02f;
    static constexpr float SENT = 0.5f, CHOSEN = 0.85f;   // how much of the gain of moving next on a board is real

    struct Node {
        float x[9], o[9];               // the chance of each side to own a board
        float rest_x[9], rest_o[9];     // summed over the lines through a board: the chance of its other two
        float gain_x[9], gain_o[9];     // what the chances change by when the opponent is sent to a board
        float lines;                    // expected, of X less of O
        mutable float best, second;     // what the opponent gains on the best boards of a free choice
        mutable int best_board;         // UNKNOWN until a move gives one
        uint16_t state[9];
        int turn;
        const Owned* chances;
    };

    ByHand();

    [[gnu::always_inline]] Node node(const Position& position, Rules rules) const {
        Node node;
        const int next = position.turn ^ 1;
        node.turn = position.turn;
        node.chances = chances_[rules.drawn_counts_for_both].data();
        for (int b = 0; b < 9; ++b) {
            node.state[b] = state(position.marks[0][b], position.marks[1][b]);
            const Owned& owned = node.chances[node.state[b]];
            node.x[b] = owned.by[NOBODY].x;
            node.o[b] = owned.by[NOBODY].o;
            node.gain_x[b] = SENT * (owned.by[1 + next].x - node.x[b]);
            node.gain_o[b] = SENT * (owned.by[1 + next].o - node.o[b]);
        }
        node.lines = (add_lines(node.x, node.rest_x) - add_lines(node.o, node.rest_o)) / 3;
        node.best_board = UNKNOWN;
        return node;
    }

    [[gnu::always_inline]] int child(const Node& node, int board, int cell, int sent) const {
        const int next = node.turn ^ 1;
        const Owned& owned = node.chances[node.state[board] + (POWER[cell] << node.turn)];
        const Chances here = owned.by[NOBODY];
        const float dx = here.x - node.x[board], d_o = here.o - node.o[board];
        float lines = node.lines + dx * node.rest_x[board] - d_o * node.rest_o[board];
        float free = 0;
        if (sent == ANY) {
            if (node.best_board == UNKNOWN) find_best(node);
            free = FREE_CHOICE + (node.best_board == board ? node.second : node.best);
        } else if (sent == board) {
            const Chances there = owned.by[1 + next];
            lines += SENT * ((there.x - here.x) * node.rest_x[board] - (there.o - here.o) * node.rest_o[board]);
        } else {
            const int third = THIRD[board][sent];   // both boards change: what their common line, if any, gains over the sum
            lines += node.gain_x[sent] * (node.rest_x[sent] + dx * (third < 0 ? 0 : node.x[third])) -
                     node.gain_o[sent] * (node.rest_o[sent] + d_o * (third < 0 ? 0 : node.o[third]));
        }
        return static_cast<int>(((next ? -lines : lines) + free) * SCALE) | 1;
    }

private:
    static constexpr int UNKNOWN = -1;
    static constexpr int NOBODY = 0;                      // who moves next on a board: nobody knows, 1 X, 2 O
    static constexpr int STATES = 19'683;                 // 3 ** 9
    static constexpr int POWER[9] = {1, 3, 9, 27, 81, 243, 729, 2187, 6561};
    static constexpr int BIG_LINES[8][3] = {{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {0, 3, 6}, {1, 4, 7}, {2, 5, 8}, {0, 4, 8}, {2, 4, 6}};

    // The board that makes a line with two others, or -1.
    struct Thirds {
        int8_t of[9][9];
        constexpr Thirds() : of{} {
            for (auto& row : of)
                for (auto& board : row) board = -1;
            for (auto [a, b, c] : BIG_LINES) {
                of[a][b] = of[b][a] = static_cast<int8_t>(c);
                of[a][c] = of[c][a] = static_cast<int8_t>(b);
                of[b][c] = of[c][b] = static_cast<int8_t>(a);
            }
        }
        constexpr const int8_t* operator[](int board) const { return of[board]; }
    };
    static const Thirds THIRD;

    std::vector<Owned> chances_[2];   // where drawn boards count for nobody, and for both
    uint16_t ternary_[512];

    [[gnu::always_inline]] uint16_t state(unsigned x, unsigned o) const {
        return static_cast<uint16_t>(ternary_[x] + 2 * ternary_[o]);
    }

    // Three times the expected lines of one side.
    [[gnu::always_inline]] static float add_lines(const float* chance, float* rest) {
        for (int b = 0; b < 9; ++b) rest[b] = 0;
        for (auto [a, b, c] : BIG_LINES) {
            rest[a] += chance[b] * chance[c];
            rest[b] += chance[a] * chance[c];
            rest[c] += chance[a] * chance[b];
        }
        float sum = 0;
        for (int b = 0; b < 9; ++b) sum += chance[b] * rest[b];
        return sum;
    }

    static void find_best(const Node& node) {
        const float sign = (node.turn ? 1 : -1) * CHOSEN / SENT;
        node.best = node.second = 0;
        node.best_board = ANY;
        for (int b = 0; b < 9; ++b) {
            float gain = sign * (node.gain_x[b] * node.rest_x[b] - node.gain_o[b] * node.rest_o[b]);
            float less = gain < node.best ? gain : node.best;
            node.second = less > node.second ? less : node.second;
            node.best_board = gain > node.best ? b : node.best_board;
            node.best = gain > node.best ? gain : node.best;
        }
    }
};

inline constexpr ByHand::Thirds ByHand::THIRD;

}  // namespace ninefold
