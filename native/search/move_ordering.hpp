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

// A move with its static eval, for the side that makes it, and its score for the ordering, packed into one word: the
// best of several moves is the largest word.
class ScoredMove {
public:
    ScoredMove() = default;
    ScoredMove(int move, int static_eval, int score)
        : word_(int64_t{score} * (int64_t{1} << 32) + static_cast<uint16_t>(static_eval) * 256 + move) {}

    int move() const { return static_cast<uint8_t>(word_); }
    int static_eval() const { return static_cast<int16_t>(word_ >> 8); }
    bool operator>(ScoredMove other) const { return word_ > other.word_; }

private:
    int64_t word_;
};

struct ScoredMoves {
    ScoredMove moves[MOVE_COUNT];
    int size = 0;

    // Brings the best of the moves from an index on to that index, and returns it.
    ScoredMove pick(int from) {
        ScoredMove best = moves[from];
        int index = from;
        for (int i = from + 1; i < size; ++i) {
            index = moves[i] > best ? i : index;
            best = moves[i] > best ? moves[i] : best;
        }
        moves[index] = moves[from];
        return moves[from] = best;
    }

    // The largest static eval of the moves from an index on.
    int best_static_eval(int from) const {
        int best = -EVAL_LIMIT;
        for (int i = from; i < size; ++i) best = std::max(best, moves[i].static_eval());
        return best;
    }
};

class MoveOrdering {
public:
    // Adds the TT move alone: it often causes a cutoff, and then the others need no static eval.
    template <Evaluation E>
    void add_tt_move(const E& eval, typename E::Node& node, const Position& position, int tt_move,
                     ScoredMoves& moves) const {
        const int board = tt_move / 9, cell = tt_move % 9;
        eval.choose_board(node, board);
        const int static_eval = -eval.evaluate_child(node, board, cell, next_board(position, board, cell));
        moves.moves[moves.size++] = {tt_move, static_eval, 0};
    }

    // Adds the moves other than the TT move.
    template <Evaluation E>
    [[gnu::noinline]] void add_moves(const E& eval, typename E::Node& node, const Position& position, int tt_move,
                                     int ply, ScoredMoves& moves) const {
        const int* history = history_[position.turn];
        int size = moves.size;
        for (unsigned boards = position.open_boards(); boards; boards &= boards - 1) {
            const int board = __builtin_ctz(boards);
            eval.choose_board(node, board);
            for (unsigned cells = position.free_cells(board); cells; cells &= cells - 1) {
                const int cell = __builtin_ctz(cells), move = board * 9 + cell;
                if (move == tt_move) continue;
                const int static_eval = -eval.evaluate_child(node, board, cell, next_board(position, board, cell));
                int score = history[move] + EVAL_WEIGHT * static_eval;
                if (move == killers_[ply][0] || move == killers_[ply][1]) score += KILLER_BONUS;
                moves.moves[size++] = {move, static_eval, score};
            }
        }
        moves.size = size;
    }

    // After a beta cutoff: rewards the move that caused it and punishes the moves that were tried before it.
    void update_after_cutoff(int side, const ScoredMoves& moves, int cutoff, int depth, int ply) {
        const auto move = static_cast<uint8_t>(moves.moves[cutoff].move());
        if (killers_[ply][0] != move) {
            killers_[ply][1] = killers_[ply][0];
            killers_[ply][0] = move;
        }
        int bonus = std::min(8 * depth * depth, MAX_HISTORY / 8);
        update_history(history_[side][move], bonus);
        for (int i = 0; i < cutoff; ++i) update_history(history_[side][moves.moves[i].move()], -bonus);
    }

private:
    static constexpr int MAX_HISTORY = 8192, EVAL_WEIGHT = 5, KILLER_BONUS = 3000;

    uint8_t killers_[MAX_PLY][2] = {};
    int history_[2][MOVE_COUNT] = {};  // within +-MAX_HISTORY

    // History gravity: large values grow less.
    static void update_history(int& history, int bonus) { history += bonus - history * std::abs(bonus) / MAX_HISTORY; }
};

}  // namespace

}  // namespace ninefold
