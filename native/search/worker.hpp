// One thread of the search: iterative deepening, principal variation search (PVS) with a transposition table, late move
// reductions (LMR) and futility pruning.
// Compiled once for each kind of processor, so everything here is private to its file.
#pragma once

#include <cstring>

#include "search/move_ordering.hpp"
#include "search/reductions.hpp"
#include "search/search.hpp"
#include "search/threats.hpp"
#include "search/zobrist.hpp"

namespace ninefold {

namespace {

template <Evaluation E>
class Worker {
public:
    Worker(SharedSearch& shared, const E& eval, int thread)
        : shared_(shared),
          eval_(eval),
          rules_(shared.rules),
          thread_(thread),
          nodes_between_checks_(has_clock() ? NODES_BETWEEN_CHECKS_ON_A_CLOCK : NODES_BETWEEN_CHECKS),
          time_(shared.limits.clock, max_plies_left(shared.root)) {}

    // Iterative deepening until a limit is reached or all scores are proven. Threads of odd number start one ply
    // deeper.
    void run(IterationCallback callback, void* context) {
        cpu_started_ = thread_cpu_seconds();
        int max_depth = max_plies_left(shared_.root);
        if (shared_.limits.depth) max_depth = std::min(shared_.limits.depth, max_depth);
        MoveList moves = generate_moves(shared_.root);
        RootMoves best;
        for (int depth = std::min(max_depth, 2 + (thread_ & 1)); depth <= max_depth; ++depth) {
            used_static_eval_ = false;
            bool finished = search_root(moves, depth, best);
            if (finished) best.depth = depth;
            for (int i = 0; i < best.size; ++i)
                best.lines[i].proven = (finished && !used_static_eval_) || is_decisive(best.lines[i].score);
            callback(context, best);
            limits_apply_ = true;
            if (!finished || best.all_proven() || (has_clock() && should_stop_early(best))) break;
        }
        flush_nodes();
    }

private:
    // Reverse futility pruning: by how much a static eval must exceed beta, for every ply of depth left.
    static constexpr int REVERSE_FUTILITY_MARGIN = 250, REVERSE_FUTILITY_MAX_DEPTH = 4;
    // Futility pruning: by how much the static eval after a move may be below alpha, for every ply left after the move.
    static constexpr int FUTILITY_MARGIN = 50, FUTILITY_MAX_DEPTH = 12;
    // A lookup takes longer than searching a node this close to the horizon, where one in twenty causes a cutoff.
    static constexpr int TT_MIN_DEPTH = 3;
    static constexpr int NO_STATIC_EVAL = -EVAL_LIMIT;
    static constexpr uint64_t NODES_BETWEEN_CHECKS = 4096, NODES_BETWEEN_CHECKS_ON_A_CLOCK = 1024;

    SharedSearch& shared_;
    const E& eval_;
    Rules rules_;
    int thread_;
    bool limits_apply_ = false;      // not before every root move has been searched once
    bool used_static_eval_ = false;  // if not, the search has seen the end of every line: its scores are exact
    uint64_t nodes_ = 0, flushed_nodes_ = 0;
    double cpu_started_ = 0;
    uint64_t nodes_between_checks_;
    TimeManager time_;
    double best_move_effort_ = 0;  // the share of the nodes of the last iteration that were below its best move
    MoveOrdering ordering_;
    int pv_length_[MAX_PLY + 1] = {};  // triangular PV table
    uint8_t pv_[MAX_PLY + 1][MAX_PLY] = {};

    // The most plies that the game can still take.
    static int max_plies_left(const Position& position) {
        int cells = 0;
        for (unsigned boards = ~position.dead() & FULL_BOARD; boards; boards &= boards - 1)
            cells += __builtin_popcount(position.free_cells(__builtin_ctz(boards)));
        return cells;
    }

    // True if the game can take more plies than this.
    static bool can_outlast(const Position& position, int plies) {
        int cells = 0;
        for (unsigned boards = ~position.dead() & FULL_BOARD; boards && cells <= plies; boards &= boards - 1)
            cells += __builtin_popcount(position.free_cells(__builtin_ctz(boards)));
        return cells > plies;
    }

    void flush_nodes() {
        shared_.nodes.fetch_add(nodes_ - flushed_nodes_, std::memory_order_relaxed);
        flushed_nodes_ = nodes_;
    }

    // Node limits are exact, so that they give the same game on every machine; the clock is looked at now and then.
    bool should_stop() {
        if (limits_apply_ && shared_.limits.nodes && nodes_ >= shared_.limits.nodes) shared_.stop = true;
        if (nodes_ - flushed_nodes_ >= nodes_between_checks_) check_clock();
        return shared_.stop.load(std::memory_order_relaxed);
    }

    void check_clock() {
        flush_nodes();
        std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - shared_.started;
        double limit = shared_.limits.seconds;
        if (limits_apply_ && limit > 0 && elapsed.count() >= limit) shared_.stop = true;
        double cpu_limit = shared_.limits.cpu_seconds;
        if (limits_apply_ && cpu_limit > 0 && thread_cpu_seconds() - cpu_started_ >= cpu_limit) shared_.stop = true;
        if (limits_apply_ && has_clock() && clock_elapsed() >= time_.maximum()) shared_.stop = true;
        if (shared_.should_stop && shared_.should_stop()) shared_.stop = true;
    }

    bool has_clock() const { return shared_.limits.clock.seconds > 0; }

    double clock_elapsed() const {
        if (shared_.limits.clock.by_cpu) return thread_cpu_seconds() - cpu_started_;
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - shared_.started).count();
    }

    // The first thread decides for all whether a clock is worth another iteration. A forced move needs none.
    bool should_stop_early(const RootMoves& best) {
        if (thread_) return false;
        if (generate_moves(shared_.root).size == 1) return true;
        return time_.should_stop({best.lines[0].move, best.lines[0].score, best_move_effort_}, clock_elapsed());
    }

    // MultiPV: finds the best root moves at a depth, one after the other. Returns false if it was stopped before.
    bool search_root(MoveList& moves, int depth, RootMoves& best) {
        RootMoves now;
        int multi_pv = std::min(shared_.multi_pv, moves.size);
        for (int rank = 0; rank < multi_pv; ++rank) {
            int best_score = -INFINITE_SCORE, best_index = rank;
            const uint64_t nodes_before = nodes_;
            uint64_t best_nodes = 0;
            for (int i = rank; i < moves.size; ++i) {
                const uint64_t nodes_before_move = nodes_;
                int score = search_root_move(moves.moves[i], depth, best_score, i > rank);
                if (shared_.stop) {
                    keep_partial_iteration(now, best, rank, best_score, moves, best_index);
                    return false;
                }
                if (score <= best_score) continue;
                best_score = score;
                best_index = i;
                best_nodes = nodes_ - nodes_before_move;
                PvLine& line = now.lines[rank];
                line.move = moves.moves[i];
                line.score = score;
                line.length = 1 + pv_length_[1];
                line.pv[0] = moves.moves[i];
                std::memcpy(line.pv + 1, pv_[1], static_cast<size_t>(pv_length_[1]));
            }
            if (rank == 0)
                best_move_effort_ = static_cast<double>(best_nodes) / static_cast<double>(nodes_ - nodes_before);
            // The best move goes to the front for the next iteration; the order of the others stays.
            uint8_t move = moves.moves[best_index];
            std::memmove(moves.moves + rank + 1, moves.moves + rank, static_cast<size_t>(best_index - rank));
            moves.moves[rank] = move;
        }
        now.size = multi_pv;
        best = now;
        return true;
    }

    // A better first move that was found before the search was stopped is still a better move. But a loss is not kept:
    // the other moves have not been searched at this depth.
    void keep_partial_iteration(const RootMoves& now, RootMoves& best, int rank, int best_score, const MoveList& moves,
                                int best_index) {
        if (best.size == 0) {  // not even the first iteration was finished: any legal move is better than none
            best.size = 1;
            best.lines[0].move = best_score > -WIN ? moves.moves[best_index] : moves.moves[0];
            best.lines[0].pv[0] = static_cast<uint8_t>(best.lines[0].move);
            best.lines[0].length = 1;
        } else if (rank == 0 && best_score > -WIN_IN_MAX_PLY && shared_.multi_pv == 1) {
            best.lines[0] = now.lines[0];
        }
    }

    // PVS at the root: a zero-window search first, unless this is the first move.
    int search_root_move(int move, int depth, int best_score, bool zero_window) {
        Position after = shared_.root;
        bool died = after.play(move / 9, move % 9);
        uint64_t key = zobrist_key(after);
        if (zero_window && best_score > -WIN) {
            int score = -search(after, key, died, depth - 1, -best_score - 1, -best_score, 1, NO_STATIC_EVAL);
            if (score <= best_score || shared_.stop) return score;
        }
        int beta = best_score <= -WIN ? WIN : -best_score;
        return -search(after, key, died, depth - 1, -WIN, beta, 1, NO_STATIC_EVAL);
    }

    // Searches a position that a move has led to; died: that move has won or filled its board.
    int search(const Position& position, uint64_t key, bool died, int depth, int alpha, int beta, int ply,
               int static_eval) {
        pv_length_[ply] = 0;
        ++nodes_;

        // Step 1. End of the game
        if (died && position.ended(rules_)) return score_of_end(position, ply);

        // Step 2. Limits
        if (should_stop()) return 0;

        // Step 3. A move that wins at once
        int winning = winning_move(position, rules_);
        if (winning != MOVE_COUNT) {
            pv_[ply][0] = static_cast<uint8_t>(winning);
            pv_length_[ply] = 1;
            return win_in(ply + 1);
        }

        // Step 4. Frontier node: one ply before the horizon
        if (depth <= 1) return search_frontier(position, alpha, beta, ply);

        // Step 5. Transposition table lookup
        const bool pv_node = beta - alpha > 1;
        TTEntry entry;
        if (depth >= TT_MIN_DEPTH) entry = shared_.tt.probe(key);
        if (!pv_node && causes_cutoff(entry, depth, alpha, beta, ply)) {
            int score = score_from_tt(entry.score, ply);
            // The stored score may come from a static eval, unless that search could see the end of the game.
            used_static_eval_ = used_static_eval_ || (!is_decisive(score) && can_outlast(position, entry.depth));
            return score;
        }

        // Step 6. Reverse futility pruning, never where the search could see the end of the game: proofs stay proofs
        const bool end_out_of_reach = can_outlast(position, depth);
        if (!pv_node && end_out_of_reach && depth <= REVERSE_FUTILITY_MAX_DEPTH &&
            static_eval - REVERSE_FUTILITY_MARGIN * depth >= beta && !is_loss(beta)) {
            used_static_eval_ = true;
            return static_eval;
        }
        const int tt_move = is_legal(position, entry.move) ? entry.move : MOVE_COUNT;
        return search_moves(position, key, tt_move, depth, alpha, beta, ply, end_out_of_reach);
    }

    // True if an entry settles the search of its position: it was searched as deeply, or is a forced win or loss.
    static bool causes_cutoff(const TTEntry& entry, int depth, int alpha, int beta, int ply) {
        if (entry.bound == Bound::none) return false;
        int score = score_from_tt(entry.score, ply);
        bool fails_high = entry.bound != Bound::upper && score >= beta;
        bool fails_low = entry.bound != Bound::lower && score <= alpha;
        if (entry.depth >= depth) return fails_high || fails_low;
        return (fails_high && is_win(score)) || (fails_low && is_loss(score));
    }

    int search_moves(const Position& position, uint64_t key, int tt_move, int depth, int alpha, int beta, int ply,
                     bool end_out_of_reach) {
        // The TT entries of the next moves are prefetched one move ahead.
        const bool prefetches = depth > TT_MIN_DEPTH;
        if (prefetches && tt_move != MOVE_COUNT) shared_.tt.prefetch(zobrist_key_after(position, key, tt_move));

        // Step 7. Move ordering: the TT move first, the others when it has not caused a cutoff
        ScoredMoves moves;
        typename E::Node node = eval_.prepare(position, rules_);
        if (tt_move != MOVE_COUNT) ordering_.add_tt_move(eval_, node, position, tt_move, moves);
        else ordering_.add_moves(eval_, node, position, tt_move, ply, moves);
        int best_score = -INFINITE_SCORE, best_move = MOVE_COUNT;
        const int original_alpha = alpha;
        // Below a proven win every move is too weak: then only a faster win is looked for, and nothing is pruned.
        const bool can_prune = beta - alpha == 1 && end_out_of_reach && depth <= FUTILITY_MAX_DEPTH && !is_win(alpha);
        const int margin = FUTILITY_MARGIN * (depth - 1);
        int picked = 0;  // the number of moves that are in their place
        for (int i = 0;; ++i) {
            if (i == 1 && tt_move != MOVE_COUNT) ordering_.add_moves(eval_, node, position, tt_move, ply, moves);
            if (i == moves.size) break;
            if (picked == i) moves.pick(picked++);
            const int move = moves.moves[i].move(), static_eval = moves.moves[i].static_eval();

            // Step 8. Futility pruning of all moves but the first, with the same care for proofs
            if (i && can_prune && static_eval + margin <= alpha && !is_loss(best_score)) {
                used_static_eval_ = true;
                const int most = moves.best_static_eval(i) + margin;
                best_score = std::max(best_score, most <= alpha ? most : static_eval + margin);
                if (most <= alpha) break;
                continue;
            }

            // Step 9. Make the move
            Position after = position;
            bool died = after.play(move / 9, move % 9);
            uint64_t next_key = zobrist_key_after(position, key, move);
            if (prefetches && i == 0) shared_.tt.prefetch(next_key);
            if (prefetches && picked < moves.size)
                shared_.tt.prefetch(zobrist_key_after(position, key, moves.pick(picked++).move()));
            auto search_child = [&](int child_depth, int child_alpha, int child_beta) {
                return -search(after, next_key, died, child_depth, child_alpha, child_beta, ply + 1, -static_eval);
            };
            int score;
            if (i == 0) {
                // Step 10. PVS: the first move with the full window
                score = search_child(depth - 1, -beta, -alpha);
            } else {
                // Step 11. Late move reductions, never where the search could see the end: proofs stay proofs
                int reduction = end_out_of_reach && !died ? LMR_TABLE.plies[depth][i] : 0;
                score = search_child(depth - 1 - reduction, -alpha - 1, -alpha);
                // Step 12. PVS: a zero-window search at full depth, then a re-search with the full window
                if (reduction && score > alpha) score = search_child(depth - 1, -alpha - 1, -alpha);
                if (score > alpha && score < beta) score = search_child(depth - 1, -beta, -alpha);
            }
            if (shared_.stop.load(std::memory_order_relaxed)) return 0;

            // Step 13. A new best move, which may raise alpha
            if (score <= best_score) continue;
            best_score = score;
            best_move = move;
            if (score <= alpha) continue;
            alpha = score;
            update_pv(ply, move);

            // Step 14. Beta cutoff
            if (alpha >= beta) {
                ordering_.update_after_cutoff(position.turn, moves, i, depth, ply);
                break;
            }
        }

        // Step 15. Transposition table store
        Bound bound = best_score >= beta ? Bound::lower : best_score > original_alpha ? Bound::exact : Bound::upper;
        if (depth >= TT_MIN_DEPTH) shared_.tt.store(key, {score_to_tt(best_score, ply), depth, best_move, bound});
        return best_score;
    }

    // The children are scored by their static eval without being made, unless their board dies. Those in which the
    // opponent wins at once are losses.
    int search_frontier(const Position& position, int alpha, int beta, int ply) {
        typename E::Node node = eval_.prepare(position, rules_);
        const unsigned dead = position.dead();
        const Threats threats(position, rules_);
        const int side = position.turn;
        int best_score = -INFINITE_SCORE;
        for (unsigned boards = position.open_boards(); boards; boards &= boards - 1) {
            int board = __builtin_ctz(boards);
            eval_.choose_board(node, board);
            const unsigned mine = position.marks[side][board], theirs = position.marks[side ^ 1][board];
            for (unsigned cells = position.free_cells(board); cells; cells &= cells - 1) {
                int cell = __builtin_ctz(cells), score;
                unsigned marks = mine | 1u << cell;
                bool dies = has_line(marks) || (marks | theirs) == FULL_BOARD;
                ++nodes_;
                if (!dies || !ends_game(position, board, cell, ply, score)) {
                    unsigned dead_after = dead | static_cast<unsigned>(dies) << board;
                    int next = dead_after >> cell & 1 ? ANY_BOARD : cell;
                    if (threats.punish(board, cell, next, dies)) {
                        score = -win_in(ply + 2);
                    } else {
                        used_static_eval_ = true;
                        score = -eval_.evaluate_child(node, board, cell, next);
                    }
                }
                if (score <= best_score) continue;
                best_score = score;
                if (score <= alpha) continue;
                alpha = score;
                pv_[ply][0] = static_cast<uint8_t>(board * 9 + cell);
                pv_length_[ply] = 1;
                if (alpha >= beta) return best_score;
            }
        }
        return best_score;
    }

    // True if a move that kills its board ends the game; then score is its score for the side that makes it.
    bool ends_game(Position position, int board, int cell, int ply, int& score) const {
        position.play(board, cell);
        if (!position.ended(rules_)) return false;
        score = -score_of_end(position, ply + 1);
        return true;
    }

    int score_of_end(const Position& position, int ply) const {
        int result = position.result(rules_);
        return (position.turn ? -result : result) * win_in(ply);
    }

    void update_pv(int ply, int move) {
        pv_[ply][0] = static_cast<uint8_t>(move);
        std::memcpy(pv_[ply] + 1, pv_[ply + 1], static_cast<size_t>(pv_length_[ply + 1]));
        pv_length_[ply] = pv_length_[ply + 1] + 1;
    }
};

}  // namespace

}  // namespace ninefold
