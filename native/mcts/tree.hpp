// The tree of a Monte Carlo tree search: 16 bytes a node, in one piece of memory whose size follows from the
// simulations.
#pragma once

#include <cstdlib>
#include <memory>
#include <new>

#if defined(__linux__)
#include <sys/mman.h>
#endif

#include "rules.hpp"

namespace ninefold {

constexpr uint64_t MOST_SIMULATIONS = 100'000'000;  // sums of results fit into 32 bits, and node numbers too

struct MctsNode {
    uint32_t visits;
    int32_t total;      // the results of its simulations, each -1, 0 or 1, for the side that made the move into it
    uint32_t children;  // the number of its first child; the others follow
    uint8_t tried;      // how many children it has
    uint8_t room;       // how many children fit where they are
    uint8_t move;
};
static_assert(sizeof(MctsNode) == 16);

class MctsTree {
public:
    // Memory for this number of simulations. The system provides it as it is used.
    explicit MctsTree(uint64_t simulations) : nodes_(allocate(bytes(simulations))) { nodes_.get()[0] = {}; }

    // Children have room for 3, then 9, 27 and 81, each time in a new place: for n children at most 120 / 28 n nodes
    // are taken, the places that were left included. A simulation adds one child at most.
    static constexpr uint64_t bytes(uint64_t simulations) { return (2 + simulations * 120 / 28) * sizeof(MctsNode); }

    [[gnu::always_inline]] MctsNode& root() { return nodes_.get()[0]; }
    [[gnu::always_inline]] MctsNode* children(const MctsNode& node) { return nodes_.get() + node.children; }

    // Has the first children fetched while the move into their node is made; nine of them fill up to three cache lines.
    [[gnu::always_inline]] void prefetch_children(const MctsNode& node) {
        for (int i = 0; i < 9; i += 4) __builtin_prefetch(children(node) + i);
    }

    [[gnu::always_inline]] MctsNode& add_child(MctsNode& node, int move) {
        if (node.tried == node.room) make_room(node);
        MctsNode& child = children(node)[node.tried++];
        child = {};
        child.move = static_cast<uint8_t>(move);
        return child;
    }

private:
    struct Free {
        void operator()(MctsNode* nodes) const { std::free(nodes); }
    };

    std::unique_ptr<MctsNode, Free> nodes_;
    uint32_t used_ = 1;

    [[gnu::always_inline]] void make_room(MctsNode& node) {
        const MctsNode* old = children(node);
        node.room = static_cast<uint8_t>(node.room ? node.room * 3 : 3);
        node.children = used_;
        used_ += node.room;
        for (int i = 0; i < node.tried; ++i) children(node)[i] = old[i];
    }

    // Nodes are read at random: with large pages, where the system has them, addresses are translated faster.
    static MctsNode* allocate(uint64_t bytes) {
        constexpr uint64_t page = uint64_t{1} << 21;
        if (bytes < page) return checked(std::malloc(bytes));
        bytes = (bytes + page - 1) / page * page;
        MctsNode* nodes = checked(std::aligned_alloc(page, bytes));
#if defined(__linux__)
        madvise(nodes, bytes, MADV_HUGEPAGE);
#endif
        return nodes;
    }

    static MctsNode* checked(void* memory) {
        if (!memory) throw std::bad_alloc();
        return static_cast<MctsNode*>(memory);
    }
};

struct MctsSearch {
    Position position;
    Rules rules;
    uint64_t seed;
    float exploration;  // C of the UCB formula
    MctsTree tree;
};

}  // namespace ninefold
