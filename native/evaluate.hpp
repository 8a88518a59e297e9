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
concept Evaluation = requires(const E e, const Position& position, Rules rules, const typename E::Node& node, int board, unsigned marks) {
    { e.node(position, rules) } -> std::same_as<typename E::Node>;
    { e.value(node, board) } -> std::same_as<int>;                  // of the position itself: the board it must play in
    { e.child(node, board, marks, marks, board) } -> std::same_as<int>;   // a board's new marks, where the opponent is sent
};

// The chance of each side to win a small board, by its marks, when random players fill it and take a line they can
// take; then the expected lines of boards, those of one side less those of the other.
class ByHand {
public:
    struct Node {
        float x[9], o[9];               // the chance of each side to own a board
        float rest_x[9], rest_o[9];     // summed over the lines through a board: the chance of its other two
        uint16_t state[9];
        float lines;                    // expected, of X less of O
        int turn;
        bool both;
    };

    ByHand();

    [[gnu::always_inline]] Node node(const Position& position, Rules rules) const {
        Node node;
        node.turn = position.turn;
        node.both = rules.drawn_counts_for_both;
        for (int b = 0; b < 9; ++b) {
            node.state[b] = state(position.marks[0][b], position.marks[1][b]);
            Chances chances = own(node.state[b], NOBODY, node.both);
            node.x[b] = chances.x;
            node.o[b] = chances.o;
            node.rest_x[b] = node.rest_o[b] = 0;
        }
        node.lines = 0;
        for (auto [a, b, c] : BIG_LINES) {
            add_line(node.x, node.rest_x, a, b, c);
            add_line(node.o, node.rest_o, a, b, c);
            node.lines += node.x[a] * node.x[b] * node.x[c] - node.o[a] * node.o[b] * node.o[c];
        }
        return node;
    }

    [[gnu::always_inline]] int value(const Node& node, int sent) const {
        float lines = node.lines;
        if (sent != ANY) {
            Chances there = own(node.state[sent], 1 + node.turn, node.both);
            lines += (there.x - node.x[sent]) * node.rest_x[sent] - (there.o - node.o[sent]) * node.rest_o[sent];
        }
        return finish(lines, node.turn, sent);
    }

    [[gnu::always_inline]] int child(const Node& node, int board, unsigned x, unsigned o, int sent) const {
        int next = node.turn ^ 1;
        Chances here = own(state(x, o), sent == board ? 1 + next : NOBODY, node.both);
        float dx = here.x - node.x[board], d_o = here.o - node.o[board];
        float lines = node.lines + dx * node.rest_x[board] - d_o * node.rest_o[board];
        if (sent != ANY && sent != board) {
            Chances there = own(node.state[sent], 1 + next, node.both);
            float ex = there.x - node.x[sent], eo = there.o - node.o[sent];
            int third = THIRD[board][sent];   // both boards change: what their common line, if any, gains over the sum
            lines += ex * (node.rest_x[sent] + dx * (third < 0 ? 0 : node.x[third])) -
                     eo * (node.rest_o[sent] + d_o * (third < 0 ? 0 : node.o[third]));
        }
        return finish(lines, next, sent);
    }

private:
    static constexpr float SCALE = 2000, FREE_CHOICE = 0.05f;
    static constexpr int NOBODY = 0;        // who moves next on a board: nobody knows, 1 X, 2 O
    static constexpr int STATES = 19'683;   // 3 ** 9
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

    struct Chances {
        float x, o;
    };

    std::vector<Chances> chances_[3];   // by who moves next
    uint16_t ternary_[512];

    [[gnu::always_inline]] static void add_line(const float* chance, float* rest, int a, int b, int c) {
        rest[a] += chance[b] * chance[c];
        rest[b] += chance[a] * chance[c];
        rest[c] += chance[a] * chance[b];
    }

    [[gnu::always_inline]] uint16_t state(unsigned x, unsigned o) const {
        return static_cast<uint16_t>(ternary_[x] + 2 * ternary_[o]);
    }

    // A board that is not the opponent's is one's own where drawn boards count for both.
    [[gnu::always_inline]] Chances own(uint16_t state, int next, bool both) const {
        Chances won = chances_[next][state];
        return both ? Chances{1 - won.o, 1 - won.x} : won;
    }

    [[gnu::always_inline]] static int finish(float lines, int turn, int sent) {
        float score = (turn == 0 ? lines : -lines) + (sent == ANY ? FREE_CHOICE : 0);
        return static_cast<int>(score * SCALE) | 1;
    }
};

inline constexpr ByHand::Thirds ByHand::THIRD;

}  // namespace ninefold
