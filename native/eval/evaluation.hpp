// What the search needs of a static evaluation. It takes any class of this shape.
#pragma once

#include <concepts>

#include "rules.hpp"

namespace ninefold {

constexpr int EVAL_LIMIT = 20'000;  // static evals are within +-EVAL_LIMIT

// A Node holds what is computed once for all children of a position. The static eval of a child is for its side to
// move, and never 0: a score of 0 is a proven draw.
template <typename E>
concept Evaluation = requires(const E e, const Position& position, Rules rules, typename E::Node& node, int number) {
    { e.prepare(position, rules) } -> std::same_as<typename E::Node>;
    // The board of the children that are evaluated next.
    { e.choose_board(node, /* board */ number) } -> std::same_as<void>;
    // After a mark on a cell of a board, which sends the opponent to the next board.
    { e.evaluate_child(node, /* board */ number, /* cell */ number, /* next_board */ number) } -> std::same_as<int>;
};

}  // namespace ninefold
