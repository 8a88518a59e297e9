// Iterative deepening alpha-beta. Compiled once for each kind of processor, so everything here is private to its file.
#pragma once

#include <atomic>
#include <chrono>
#include <concepts>
#include <cstring>

#include "keys.hpp"
#include "ordering.hpp"
#include "transposition.hpp"

namespace ninefold {

constexpr int WIN = 30'000;   // won now; WIN - n is won in n plies
constexpr int PROVEN = WIN - 200;

struct RootLine {
    int move = MOVES;
    int value = 0;
    bool proven = false;   // the value is exact: a forced win, loss or draw
    int length = 0;
    uint8_t variation[MAX_PLY] = {};
};

struct Limits {
    double seconds = 0;    // 0 for none of these
    uint64_t nodes = 0;
    int depth = 0;
};

// What the threads of one search share.
struct Task {
    Position root;
    Rules rules;
    Limits limits;
    int wanted;                        // how many moves are to be ranked
    Transpositions& table;
    const ByHand& evaluate;
    std::chrono::steady_clock::time_point begun;
    std::atomic<bool> stop{false};
    std::atomic<uint64_t> nodes{0};
};

struct Report {
    int depth = 0;
    int size = 0;
    RootLine lines[MOVES];

    bool all_proven() const {
        for (int i = 0; i < size; ++i)
            if (!lines[i].proven) return false;
        return size > 0;
    }
};

using Reporter = void (*)(void* to, const Report& report);

namespace {

// How many plies less a late move is looked at: more for later moves and for deeper searches.
struct Reductions {
    uint8_t plies[MAX_PLY][MOVES] = {};

    constexpr Reductions() {
        double logs[MAX_PLY] = {};
        for (int n = 2; n < MAX_PLY; ++n) logs[n] = logs[n - 1] + step(n);
        for (int depth = 3; depth < MAX_PLY; ++depth)
            for (int i = 4; i < MOVES; ++i) plies[depth][i] = static_cast<uint8_t>(std::min(depth - 2, static_cast<int>(0.3 + 0.5 * logs[depth] * logs[i])));
    }

    // The logarithm of n / (n - 1), by its series: the same on every machine.
    static constexpr double step(int n) {
        double z = 1.0 / (2 * n - 1), sum = 0, power = z;
        for (int k = 1; k < 20; k += 2, power *= z * z) sum += 2 * power / k;
        return sum;
    }
};
constexpr Reductions LATE;

template <Evaluation E>
class Worker {
public:
    Worker(Task& task, const E& evaluate, int number) : task_(task), evaluate_(evaluate), rules_(task.rules), number_(number) {}

    // Deepens until a limit or the truth is reached; reports every finished depth, and what was found in an unfinished one.
    void run(Reporter report, void* to) {
        int deepest = remaining(task_.root);
        if (task_.limits.depth) deepest = std::min(task_.limits.depth, deepest);
        MoveList root = moves_of(task_.root);
        Report found;
        for (int depth = std::min(deepest, 2 + (number_ & 1)); depth <= deepest; ++depth) {
            horizon_ = false;
            bool finished = search_root(root, depth, found);
            if (finished) found.depth = depth;
            for (int i = 0; i < found.size; ++i)
                found.lines[i].proven = (finished && !horizon_) || std::abs(found.lines[i].value) >= PROVEN;
            report(to, found);
            limited_ = true;
            if (!finished || found.all_proven()) break;
        }
        flush_nodes();
    }

private:
    // So far ahead, for every ply to go, that the search need not look; and what is ahead of nothing.
    static constexpr int AHEAD = 250, UNKNOWN = -EVAL_LIMIT;

    Task& task_;
    const E& evaluate_;
    Rules rules_;
    int number_;
    bool limited_ = false;         // limits count once every move has been looked at
    bool horizon_ = false;         // whether a position was judged instead of played out
    uint64_t nodes_ = 0, flushed_ = 0;
    Ordering ordering_;
    int lengths_[MAX_PLY + 1] = {};
    uint8_t variations_[MAX_PLY + 1][MAX_PLY] = {};

    // The most plies the game can still take.
    static int remaining(const Position& position) {
        int cells = 0;
        for (unsigned boards = ~position.dead() & FULL; boards; boards &= boards - 1)
            cells += __builtin_popcount(position.free_cells(__builtin_ctz(boards)));
        return cells;
    }

    // Whether the game can outlast so many plies.
    static bool outlasts(const Position& position, int depth) {
        int cells = 0;
        for (unsigned boards = ~position.dead() & FULL; boards && cells <= depth; boards &= boards - 1)
            cells += __builtin_popcount(position.free_cells(__builtin_ctz(boards)));
        return cells > depth;
    }

    void flush_nodes() {
        task_.nodes.fetch_add(nodes_ - flushed_, std::memory_order_relaxed);
        flushed_ = nodes_;
    }

    bool stopped() {
        if (nodes_ - flushed_ >= 4096) check_limits();
        return task_.stop.load(std::memory_order_relaxed);
    }

    void check_limits() {
        flush_nodes();
        const Limits& limits = task_.limits;
        if (limited_ && limits.seconds > 0 && std::chrono::duration<double>(std::chrono::steady_clock::now() - task_.begun).count() >= limits.seconds)
            task_.stop = true;
    }

    // Node limits are exact, so that they give the same game on every machine.
    bool out_of_nodes() {
        if (limited_ && task_.limits.nodes && nodes_ >= task_.limits.nodes) task_.stop = true;
        return stopped();
    }

    // The wanted number of best moves at a depth; false when it was stopped before it was done.
    bool search_root(MoveList& root, int depth, Report& found) {
        Report now;
        int wanted = std::min(task_.wanted, root.size);
        for (int rank = 0; rank < wanted; ++rank) {
            int best = -WIN - 1, place = rank;
            for (int i = rank; i < root.size; ++i) {
                int value = search_root_move(root.moves[i], depth, best, i > rank);
                if (task_.stop) return keep_partial(now, found, rank, best, root, place);
                if (value <= best) continue;
                best = value;
                place = i;
                RootLine& line = now.lines[rank];
                line.move = root.moves[i];
                line.value = value;
                line.length = 1 + lengths_[1];
                line.variation[0] = root.moves[i];
                std::memcpy(line.variation + 1, variations_[1], static_cast<size_t>(lengths_[1]));
            }
            // The best move goes to the front; the order of the others stays.
            uint8_t move = root.moves[place];
            std::memmove(root.moves + rank + 1, root.moves + rank, static_cast<size_t>(place - rank));
            root.moves[rank] = move;
        }
        now.size = wanted;
        found = now;
        return true;
    }

    // Stopped in the middle of a depth: a better first move that was found by then is still a better move. That the first
    // one loses says nothing of the others.
    bool keep_partial(const Report& now, Report& found, int rank, int best, const MoveList& root, int place) {
        if (found.size == 0) {   // not even one ply was finished: any legal move is better than none
            found.size = 1;
            found.lines[0].move = best > -WIN ? root.moves[place] : root.moves[0];
            found.lines[0].variation[0] = static_cast<uint8_t>(found.lines[0].move);
            found.lines[0].length = 1;
        } else if (rank == 0 && best > -PROVEN && task_.wanted == 1) {
            found.lines[0] = now.lines[0];
        }
        return false;
    }

    int search_root_move(int move, int depth, int best, bool narrow) {
        Position after = task_.root;
        bool died = after.play(move / 9, move % 9);
        uint64_t key = key_of(after);
        if (narrow && best > -WIN) {
            int value = -search(after, key, died, depth - 1, -best - 1, -best, 1, UNKNOWN);
            if (value <= best || task_.stop) return value;
        }
        return -search(after, key, died, depth - 1, -WIN, best <= -WIN ? WIN : -best, 1, UNKNOWN);
    }

    // looks: what the evaluation says of the position.
    int search(const Position& position, uint64_t key, bool died, int depth, int alpha, int beta, int ply, int looks) {
        lengths_[ply] = 0;
        ++nodes_;
        if (died && position.ended(rules_)) return value_of_end(position, ply);
        if (out_of_nodes()) return 0;
        if (depth <= 1) return search_frontier(position, alpha, beta, ply);
        Finding known = task_.table.find(key);
        bool narrow = beta - alpha == 1;
        if (narrow && answers(known, depth, alpha, beta, ply)) {
            int value = from_table(known.value, ply);
            // What was kept may have been judged at a horizon of its own, unless it looked as far as the end.
            horizon_ = horizon_ || (std::abs(value) < PROVEN && outlasts(position, known.depth));
            return value;
        }
        bool beyond = outlasts(position, depth);
        if (narrow && beyond && depth <= 4 && looks - AHEAD * depth >= beta && beta > -PROVEN) {
            horizon_ = true;
            return looks;
        }
        return search_moves(position, key, known.move, depth, alpha, beta, ply, beyond);
    }

    // Whether what is known of a position settles a search of it: it was searched as deeply, or a forced win is known.
    static bool answers(const Finding& known, int depth, int alpha, int beta, int ply) {
        if (known.bound == Bound::none) return false;
        int value = from_table(known.value, ply);
        bool above = known.bound != Bound::upper && value >= beta, below = known.bound != Bound::lower && value <= alpha;
        if (known.depth >= depth) return above || below;
        return (above && value >= PROVEN) || (below && value <= -PROVEN);
    }

    // One ply before the horizon the children are valued without being made, unless their board dies.
    int search_frontier(const Position& position, int alpha, int beta, int ply) {
        const typename E::Node node = evaluate_.node(position, rules_);
        const unsigned dead = position.dead();
        const int side = position.turn;
        int best = -WIN - 1;
        for (unsigned boards = position.open_boards(); boards; boards &= boards - 1) {
            int board = __builtin_ctz(boards);
            const unsigned mine = position.marks[side][board], theirs = position.marks[side ^ 1][board];
            for (unsigned cells = position.free_cells(board); cells; cells &= cells - 1) {
                int cell = __builtin_ctz(cells), value;
                unsigned marks = mine | 1u << cell;
                bool dies = has_line(marks) || (marks | theirs) == FULL;
                ++nodes_;
                if (!dies || !ends(position, board, cell, ply, value)) {
                    horizon_ = true;
                    value = -evaluate_.child(node, board, cell, (dead | static_cast<unsigned>(dies) << board) >> cell & 1 ? ANY : cell);
                }
                if (value <= best) continue;
                best = value;
                if (value <= alpha) continue;
                alpha = value;
                variations_[ply][0] = static_cast<uint8_t>(board * 9 + cell);
                lengths_[ply] = 1;
                if (alpha >= beta) return best;
            }
        }
        return best;
    }

    // Whether a move that kills its board ends the game, and the value of that for who plays it.
    bool ends(Position position, int board, int cell, int ply, int& value) const {
        position.play(board, cell);
        if (!position.ended(rules_)) return false;
        value = -value_of_end(position, ply + 1);
        return true;
    }

    int value_of_end(const Position& position, int ply) const {
        int result = position.result(rules_);
        return (position.turn ? -result : result) * (WIN - ply);
    }

    int search_moves(const Position& position, uint64_t key, int known, int depth, int alpha, int beta, int ply, bool beyond) {
        // The table is far away: what will be asked is fetched one move ahead. The frontier asks nothing.
        const bool asks = depth > 2;
        if (asks && known != MOVES) task_.table.prefetch(key_after(position, key, known));
        RankedMoves moves = ordering_.rank(evaluate_, position, rules_, known, ply);
        int best = -WIN - 1, best_move = MOVES, floor = alpha;
        for (int i = 0; i < moves.list.size; ++i) {
            int move = asks && i ? moves.list.moves[i] : moves.pick(i), looks = -moves.values[i];
            Position after = position;
            bool died = after.play(move / 9, move % 9);
            uint64_t next = key_after(position, key, move);
            if (asks && i == 0) task_.table.prefetch(next);
            if (asks && i + 1 < moves.list.size) task_.table.prefetch(key_after(position, key, moves.pick(i + 1)));
            int value;
            if (i == 0) value = -search(after, next, died, depth - 1, -beta, -alpha, ply + 1, looks);
            else {
                // Late moves are looked at less deeply, but never where the search could reach the end: proofs stay proofs.
                int less = beyond && !died ? LATE.plies[depth][i] : 0;
                value = -search(after, next, died, depth - 1 - less, -alpha - 1, -alpha, ply + 1, looks);
                if (less && value > alpha) value = -search(after, next, died, depth - 1, -alpha - 1, -alpha, ply + 1, looks);
                if (value > alpha && value < beta) value = -search(after, next, died, depth - 1, -beta, -alpha, ply + 1, looks);
            }
            if (task_.stop.load(std::memory_order_relaxed)) return 0;
            if (value <= best) continue;
            best = value;
            best_move = move;
            if (value <= alpha) continue;
            alpha = value;
            extend_variation(ply, move);
            if (alpha >= beta) {
                ordering_.reward_last(position.turn, moves, i, depth, ply);
                break;
            }
        }
        Bound bound = best >= beta ? Bound::lower : best > floor ? Bound::exact : Bound::upper;
        task_.table.keep(key, {to_table(best, ply), depth, best_move, bound});
        return best;
    }

    void extend_variation(int ply, int move) {
        variations_[ply][0] = static_cast<uint8_t>(move);
        std::memcpy(variations_[ply] + 1, variations_[ply + 1], static_cast<size_t>(lengths_[ply + 1]));
        lengths_[ply] = lengths_[ply + 1] + 1;
    }

    // In the table a forced win counts from its position, in the search from the root.
    static int to_table(int value, int ply) { return value >= PROVEN ? value + ply : value <= -PROVEN ? value - ply : value; }
    static int from_table(int value, int ply) { return value >= PROVEN ? value - ply : value <= -PROVEN ? value + ply : value; }
};

}  // namespace

}  // namespace ninefold
