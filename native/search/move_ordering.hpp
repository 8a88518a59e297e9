// Move ordering: the TT move, killer moves, the history heuristic and the static eval.
// Compiled with the search for several processors, so everything here is private to its file.
#pragma once

#include <algorithm>
#include <cstdlib>

#include "eval/evaluation.hpp"
#include "movegen.hpp"
#include "search/score.hpp"

namespace ninefold {

namespace {

// The moves of a position with the static eval of each, for the side that makes it, and its score for the ordering.
struct ScoredMoves {
    MoveList list;
    int static_evals[MOVE_COUNT], scores[MOVE_COUNT];

    // Brings the best of the moves from an index on to that index, and returns it.
    int pick(int from) {
        int best = from;
        for (int i = from + 1; i < list.size; ++i)
            if (scores[i] > scores[best]) best = i;
        std::swap(scores[from], scores[best]);
        std::swap(static_evals[from], static_evals[best]);
        std::swap(list.moves[from], list.moves[best]);
        return list.moves[from];
    }
};

class MoveOrdering {
public:
    template <Evaluation E>
    ScoredMoves score_moves(const E& eval, const Position& position, Rules rules, int tt_move, int ply) const {
        ScoredMoves moves;
        typename E::Node node = eval.prepare(position, rules);
        const int* history = history_[position.turn];
        int size = 0;
        for (unsigned boards = position.open_boards(); boards; boards &= boards - 1) {
            const int board = __builtin_ctz(boards);
            eval.choose_board(node, board);
            for (unsigned cells = position.free_cells(board); cells; cells &= cells - 1, ++size) {
                const int cell = __builtin_ctz(cells), move = board * 9 + cell;
                const int static_eval = -eval.evaluate_child(node, board, cell, next_board(position, board, cell));
                int score = history[move] + EVAL_WEIGHT * static_eval;
                if (move == killers_[ply][0] || move == killers_[ply][1]) score += KILLER_BONUS;
                moves.list.moves[size] = static_cast<uint8_t>(move);
                moves.static_evals[size] = static_eval;
                moves.scores[size] = move == tt_move ? TT_MOVE_SCORE : score;
            }
        }
        moves.list.size = size;
        return moves;
    }

    // After a beta cutoff: rewards the move that caused it and punishes the moves that were tried before it.
    void update_after_cutoff(int side, const ScoredMoves& moves, int cutoff, int depth, int ply) {
        uint8_t move = moves.list.moves[cutoff];
        if (killers_[ply][0] != move) {
            killers_[ply][1] = killers_[ply][0];
            killers_[ply][0] = move;
        }
        int bonus = std::min(8 * depth * depth, MAX_HISTORY / 8);
        update_history(history_[side][move], bonus);
        for (int i = 0; i < cutoff; ++i) update_history(history_[side][moves.list.moves[i]], -bonus);
    }

private:
    static constexpr int MAX_HISTORY = 8192, EVAL_WEIGHT = 5, KILLER_BONUS = 3000, TT_MOVE_SCORE = 1 << 28;

    uint8_t killers_[MAX_PLY][2] = {};
    int history_[2][MOVE_COUNT] = {};  // within +-MAX_HISTORY

    // History gravity: large values grow less.
    static void update_history(int& history, int bonus) { history += bonus - history * std::abs(bonus) / MAX_HISTORY; }
};

}  // namespace

}  // namespace ninefold
