// The engine for WebAssembly: the rules and the search behind a C interface. There is one position, one transposition
// table and one network; JavaScript reads and writes them in memory. static/offline/core.js is the other side.
#include <memory>

#include "perft.hpp"
#include "search/worker.hpp"

#define NINEFOLD_EXPORT(name) [[clang::export_name(name)]]

using namespace ninefold;

// What JavaScript brings. A search asks it now and then whether to stop, and tells it when it has finished an
// iteration.
extern "C" {
[[clang::import_module("ninefold"), clang::import_name("should_stop")]] int ask_should_stop();
[[clang::import_module("ninefold"), clang::import_name("iteration")]] void tell_iteration();
}

namespace {

// Why a game has ended, in the order of OUTCOME_REASONS in core.js.
enum EndReason { GOES_ON, LINES, EQUAL_LINES, BOARDS, FULL };
// Why marks are no position, in the order of POSITION_ERRORS in core.js.
enum PositionError { NO_ERROR, NOT_A_SET, TWO_LINES, DEAD_BOARD, NOT_A_SIDE };

struct Core {
    Position position{};
    Rules rules{};
    uint8_t moves[MOVE_COUNT] = {};
    int16_t weights[NetworkEval::WEIGHTS] = {};
    RootMoves root_moves;
    double nodes = 0, seconds = 0;  // of the last search
    HandCraftedEval eval;
    std::unique_ptr<NetworkEval> network;
    std::unique_ptr<TranspositionTable> tt;
};

Core& core() {
    static Core only;
    return only;
}

void keep_iteration(void*, const RootMoves& root_moves) {
    core().root_moves = root_moves;
    tell_iteration();
}

}  // namespace

extern "C" {

NINEFOLD_EXPORT("position_address") Position* position_address() { return &core().position; }
NINEFOLD_EXPORT("moves_address") uint8_t* moves_address() { return core().moves; }
NINEFOLD_EXPORT("weights_address") int16_t* weights_address() { return core().weights; }
NINEFOLD_EXPORT("root_moves_address") RootMoves* root_moves_address() { return &core().root_moves; }

NINEFOLD_EXPORT("set_rules") void set_rules(int both, int boards) { core().rules = {both != 0, boards != 0}; }

NINEFOLD_EXPORT("start") void start(int first) {
    core().position = {};
    core().position.board = ANY_BOARD;
    core().position.turn = static_cast<uint8_t>(first & 1);
}

// Completes a position whose marks, board and turn were written: finds its dead boards. Returns a PositionError.
NINEFOLD_EXPORT("complete_position") int complete_position() {
    Position& position = core().position;
    position.won[0] = position.won[1] = position.drawn = 0;
    for (int b = 0; b < 9; ++b) {
        const unsigned x = position.marks[0][b], o = position.marks[1][b];
        if (x > FULL_BOARD || o > FULL_BOARD || (x & o)) return NOT_A_SET;
        if (has_line(x) && has_line(o)) return TWO_LINES;
        const unsigned bit = 1u << b;
        if (has_line(x)) position.won[0] = static_cast<uint16_t>(position.won[0] | bit);
        else if (has_line(o)) position.won[1] = static_cast<uint16_t>(position.won[1] | bit);
        else if ((x | o) == FULL_BOARD) position.drawn = static_cast<uint16_t>(position.drawn | bit);
    }
    if (position.turn > 1) return NOT_A_SIDE;
    if (position.board > ANY_BOARD) return DEAD_BOARD;
    return position.board != ANY_BOARD && position.dead() >> position.board & 1 ? DEAD_BOARD : NO_ERROR;
}

// Writes the legal moves and returns their number.
NINEFOLD_EXPORT("moves") int moves() {
    if (core().position.ended(core().rules)) return 0;
    const MoveList list = generate_moves(core().position);
    std::memcpy(core().moves, list.moves, static_cast<size_t>(list.size));
    return list.size;
}

// Makes a move and returns 1, or returns 0 and changes nothing if it is not legal.
NINEFOLD_EXPORT("play") int play(int move) {
    if (move < 0 || move >= MOVE_COUNT || core().position.ended(core().rules)) return 0;
    if (!is_legal(core().position, move)) return 0;
    core().position.play(move / 9, move % 9);
    return 1;
}

// The boards that may be played, as a set.
NINEFOLD_EXPORT("open_boards") unsigned open_boards() {
    return core().position.ended(core().rules) ? 0 : core().position.open_boards();
}

NINEFOLD_EXPORT("end_reason") int end_reason() {
    const Position& position = core().position;
    const Rules rules = core().rules;
    if (!position.ended(rules)) return GOES_ON;
    const int x = count_lines(position.scoring_boards(0, rules)), o = count_lines(position.scoring_boards(1, rules));
    if (x != o) return LINES;
    if (x) return EQUAL_LINES;
    return position.result(rules) ? BOARDS : FULL;
}

// The result of an ended game: 1 if X has won, -1 if O has won, 0 if it is drawn.
NINEFOLD_EXPORT("result") int result() { return core().position.result(core().rules); }

// The boards that count for a side on the big board, as a set.
NINEFOLD_EXPORT("scoring_boards") unsigned scoring_boards(int side) {
    return core().position.scoring_boards(side & 1, core().rules);
}

NINEFOLD_EXPORT("perft") double run_perft(int depth) {
    if (depth > 0 && core().position.ended(core().rules)) return 0;
    return static_cast<double>(perft(core().position, core().rules, depth));
}

// Makes the network of the weights that were written; a scale of 0 removes the network.
NINEFOLD_EXPORT("make_network") void make_network(int scale) {
    core().network.reset();
    if (scale > 0) core().network = std::make_unique<NetworkEval>(core().weights, scale);
}

// Makes an empty transposition table of at most so many bytes.
NINEFOLD_EXPORT("make_table") void make_table(uint32_t bytes) {
    if (core().tt && core().tt->bytes() <= bytes && bytes < 2 * core().tt->bytes()) return core().tt->clear();
    core().tt.reset();
    core().tt = std::make_unique<TranspositionTable>(bytes);
}

// Searches a position that has not ended, until a limit (0 for none) is reached or all scores are proven.
NINEFOLD_EXPORT("search") void search(double nodes, int depth, double seconds, int multi_pv, int use_network) {
    Core& engine = core();
    engine.root_moves = {};
    engine.tt->new_search();
    const SearchLimits limits{seconds, static_cast<uint64_t>(nodes), depth};
    SharedSearch shared{engine.position,
                        engine.rules,
                        limits,
                        multi_pv,
                        *engine.tt,
                        engine.eval,
                        use_network ? engine.network.get() : nullptr,
                        std::chrono::steady_clock::now()};
    shared.should_stop = [] { return ask_should_stop() != 0; };
    if (shared.network) Worker<NetworkEval>(shared, *shared.network, 0).run(keep_iteration, nullptr);
    else Worker<HandCraftedEval>(shared, shared.eval, 0).run(keep_iteration, nullptr);
    engine.nodes = static_cast<double>(shared.nodes.load());
    engine.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - shared.started).count();
}

NINEFOLD_EXPORT("searched_nodes") double searched_nodes() { return core().nodes; }
NINEFOLD_EXPORT("searched_seconds") double searched_seconds() { return core().seconds; }

}  // extern "C"
