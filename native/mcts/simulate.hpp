// Monte Carlo tree search: plain UCT with uniformly random games, from a new tree for every move.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>

#include "mcts/random_game.hpp"
#include "mcts/tree.hpp"

namespace ninefold {

namespace {

// The natural logarithm of a count, by operations that give the same value on every machine.
inline float log_of(uint32_t count) {
    int exponent = std::bit_width(count);
    float mantissa = static_cast<float>(count) / static_cast<float>(uint64_t{1} << exponent);  // 0.5 to 1
    float s = (mantissa - 0.75f) / (mantissa + 0.75f), square = s * s;                         // |s| is 0.2 at most
    float series = s * (2 + square * (2.0f / 3 + square * (2.0f / 5 + square * (2.0f / 7))));
    return std::max(0.0f, static_cast<float>(exponent) * 0.693147181f - 0.287682072f + series);  // ln 2, ln 0.75
}

// The upper confidence bounds of children: mean + C * sqrt(ln N / n), where N is the visits of their node and n those
// of the child. Divided once, and computed for several children at a time: this is half of the time that the tree
// takes.
#if !defined(__clang__)
[[gnu::optimize("tree-vectorize")]]
#endif
[[gnu::noinline]]
void confidence_bounds(const MctsNode* children, int count, float scale, float* bounds) {
#if defined(__clang__)
#pragma clang loop vectorize(enable)
#endif
    for (int i = 0; i < count; ++i) {
        auto visits = static_cast<float>(static_cast<int32_t>(children[i].visits));
        bounds[i] = (static_cast<float>(children[i].total) + scale * std::sqrt(visits)) / visits;
    }
}

// The child with the highest bound; of equal ones, the first that was tried. All children have been visited.
inline MctsNode& best_child(MctsTree& tree, const MctsNode& node, float exploration) {
    float bounds[MOVE_COUNT];
    MctsNode* children = tree.children(node);
    confidence_bounds(children, node.tried, exploration * std::sqrt(log_of(node.visits)), bounds);
    int best = 0;
    float highest = bounds[0];
    for (int i = 1; i < node.tried; ++i)
        if (bounds[i] > highest) highest = bounds[i], best = i;
    return children[best];
}

// A legal move without a child, each equally likely.
inline int untried_move(MctsTree& tree, const MctsNode& node, Position position, RandomStream& stream) {
    const MctsNode* children = tree.children(node);
    for (int i = 0; i < node.tried; ++i) {  // cells of tried moves count as taken here
        int board = children[i].move / 9, cell = children[i].move % 9;
        position.marks[0][board] = static_cast<uint16_t>(position.marks[0][board] | 1 << cell);
    }
    BoardAndCell move = random_move(position, stream);
    return move.board * 9 + move.cell;
}

// One simulation: down the tree to a new node or to the end of the game, a random game from there, and its result back
// up.
inline void run_simulation(MctsSearch& search, uint64_t number) {
    MctsTree& tree = search.tree;
    Position position = search.position;
    RandomStream stream(search.seed, number);
    MctsNode* path[MOVE_COUNT + 1];
    path[0] = &tree.root();
    int depth = 0;
    bool ended = false, is_new = false;
    while (!ended && !is_new) {
        MctsNode& node = *path[depth];
        is_new = node.tried < count_moves(position);
        MctsNode& child = is_new ? tree.add_child(node, untried_move(tree, node, position, stream))
                                 : best_child(tree, node, search.exploration);
        path[++depth] = &child;
        tree.prefetch_children(child);
        ended = position.play(child.move / 9, child.move % 9) && position.ended(search.rules);
    }
    int result = ended ? position.result(search.rules) : RandomGame(position, search.rules, stream).play();
    int side = search.position.turn;
    ++path[0]->visits;
    for (int ply = 1; ply <= depth; ++ply, side ^= 1) {
        ++path[ply]->visits;
        path[ply]->total += side ? -result : result;
    }
}

void simulate(MctsSearch& search, uint64_t first, uint64_t count) {
    for (uint64_t number = first; number < first + count; ++number) run_simulation(search, number);
}

}  // namespace

}  // namespace ninefold
