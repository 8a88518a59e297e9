// Which moves to try first. Compiled with the search, so everything here is private to its file.
#pragma once

#include <algorithm>
#include <cstdlib>

#include "evaluate.hpp"
#include "moves.hpp"

namespace ninefold {

constexpr int MAX_PLY = MOVES + 2;

namespace {

// The moves of a position with what the evaluation says of each for who plays it; the most promising are picked first.
struct RankedMoves {
    MoveList list;
    int values[MOVES], scores[MOVES];

    int pick(int from) {
        int best = from;
        for (int i = from + 1; i < list.size; ++i)
            if (scores[i] > scores[best]) best = i;
        std::swap(scores[from], scores[best]);
        std::swap(values[from], values[best]);
        std::swap(list.moves[from], list.moves[best]);
        return list.moves[from];
    }
};

// Remembers which moves cut the search short elsewhere, and which were tried before them in vain.
class Ordering {
public:
    // The move that was best before goes first; then what cuts elsewhere and what looks good.
    template <Evaluation E>
    RankedMoves rank(const E& evaluate, const Position& position, Rules rules, int known, int ply) const {
        RankedMoves ranked;
        ranked.list = moves_of(position);
        const typename E::Node node = evaluate.node(position, rules);
        for (int i = 0; i < ranked.list.size; ++i) {
            int move = ranked.list.moves[i];
            ranked.values[i] = -evaluate.child(node, move / 9, move % 9, sent_to(position, move / 9, move % 9));
            int score = history_[position.turn][move] + 2 * ranked.values[i];
            if (move == killers_[ply][0] || move == killers_[ply][1]) score += KILLER;
            ranked.scores[i] = move == known ? KNOWN : score;
        }
        return ranked;
    }

    // Of the moves tried at a position the last one cut the search short.
    void reward_last(int side, const RankedMoves& tried, int last, int depth, int ply) {
        uint8_t move = tried.list.moves[last];
        if (killers_[ply][0] != move) {
            killers_[ply][1] = killers_[ply][0];
            killers_[ply][0] = move;
        }
        int bonus = std::min(8 * depth * depth, MOST / 8);
        nudge(history_[side][move], bonus);
        for (int i = 0; i < last; ++i) nudge(history_[side][tried.list.moves[i]], -bonus);
    }

private:
    static constexpr int MOST = 8192, KILLER = 3000, KNOWN = 1 << 28;

    uint8_t killers_[MAX_PLY][2] = {};
    int history_[2][MOVES] = {};   // within +-MOST

    static void nudge(int& history, int by) { history += by - history * std::abs(by) / MOST; }
};

}  // namespace

}  // namespace ninefold
