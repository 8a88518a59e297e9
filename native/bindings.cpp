// The only files that know Python are this one and bindings_batch.cpp. Everything from there is checked before the core
// sees it.
#include <unistd.h>

#include <nanobind/nanobind.h>
#include <nanobind/stl/function.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <stdexcept>

#include "bindings.hpp"
#include "engine.hpp"

using namespace ninefold;

namespace {

using Marks = std::vector<int>;
using Counts = std::tuple<uint64_t, uint64_t, uint64_t, uint64_t>;

struct State {
    Position position;
    Rules rules;
};

State make_state(const Marks& x, const Marks& o, int board, int turn, bool both, bool boards) {
    if (x.size() != 9 || o.size() != 9) refuse("A position has nine boards.");
    if (board < 0 || board > ANY) refuse("The board to play in is 0 to 8, or 9 for any.");
    if (turn != 0 && turn != 1) refuse("The side to move is 0 (X) or 1 (O).");
    State state{{}, {both, boards}};
    Position& position = state.position;
    for (int b = 0; b < 9; ++b) {
        auto i = static_cast<size_t>(b);
        if (x[i] < 0 || o[i] < 0 || x[i] > FULL || o[i] > FULL || (x[i] & o[i])) refuse("A board's marks are two disjoint sets of nine cells.");
        position.marks[0][b] = static_cast<uint16_t>(x[i]);
        position.marks[1][b] = static_cast<uint16_t>(o[i]);
        bool x_line = has_line(static_cast<unsigned>(x[i])), o_line = has_line(static_cast<unsigned>(o[i]));
        if (x_line && o_line) refuse("A board has a line of X and a line of O.");
        position.won[0] = static_cast<uint16_t>(position.won[0] | x_line << b);
        position.won[1] = static_cast<uint16_t>(position.won[1] | o_line << b);
        if (!x_line && !o_line && (x[i] | o[i]) == FULL) position.drawn = static_cast<uint16_t>(position.drawn | 1 << b);
    }
    if (board != ANY && position.dead() >> board & 1) refuse("The board to play in is dead.");
    position.board = static_cast<uint8_t>(board);
    position.turn = static_cast<uint8_t>(turn);
    return state;
}

void check_going(const State& state) {
    if (state.position.ended(state.rules)) refuse("The game has ended.");
}

std::vector<int> moves(const State& state) {
    if (state.position.ended(state.rules)) return {};
    MoveList list = moves_of(state.position);
    return {list.begin(), list.end()};
}

State play(State state, int move) {
    for (int legal : moves(state))
        if (legal == move) {
            state.position.play(move / 9, move % 9);
            return state;
        }
    refuse("That move is not legal here.");
}

uint64_t count_sequences(const State& state, int depth) {
    if (depth < 0 || depth > 12) refuse("A depth is 0 to 12.");
    if (depth > 0 && state.position.ended(state.rules)) return 0;
    nb::gil_scoped_release release;
    return kernels().perft(state.position, state.rules, depth);
}

// Random games; "processor" names what plays them: auto, avx512, or the scalar code.
Counts playouts(const State& state, uint64_t count, uint64_t seed, uint64_t first, const std::string& processor) {
    check_going(state);
    if (first + count < first) refuse("There are not so many game numbers.");
    if (processor != "auto" && processor != "scalar" && processor != "avx512") refuse("A processor is auto, scalar or avx512.");
    if (processor == "avx512" && !has_avx512()) refuse("This machine has no AVX-512.");
    bool wide = processor == "avx512" || (processor == "auto" && has_avx512());
    constexpr uint64_t piece = 1 << 18;   // between pieces Ctrl-C is heard
    Tally sum;
    for (uint64_t done = 0; done < count; done += piece) {
        uint64_t size = std::min(piece, count - done);
        {
            nb::gil_scoped_release release;
            auto play = wide ? playouts_avx512 : kernels().playouts;
            Tally tally = play(state.position, state.rules, seed, first + done, size);
            sum.x += tally.x, sum.drawn += tally.drawn, sum.o += tally.o, sum.plies += tally.plies;
        }
        if (PyErr_CheckSignals()) throw nb::python_error();
    }
    return {sum.x, sum.drawn, sum.o, sum.plies};
}

// The moves of one random game: what playouts would play under this number.
std::vector<int> random_game(const State& state, uint64_t seed, uint64_t game) {
    check_going(state);
    Position position = state.position;
    Stream stream(seed, game);
    std::vector<int> played;
    do {
        Choice choice = random_move(position, stream);
        played.push_back(choice.board * 9 + choice.cell);
        position.play(choice.board, choice.cell);
    } while (!position.ended(state.rules));
    return played;
}

nb::dict told(const Progress& progress) {
    nb::list lines;
    for (int i = 0; i < progress.report.size; ++i) {
        const RootLine& line = progress.report.lines[i];
        nb::list variation;
        for (int ply = 0; ply < line.length; ++ply) variation.append(static_cast<int>(line.variation[ply]));
        nb::dict one;
        one["move"] = line.move;
        one["value"] = line.value;
        one["proven"] = line.proven;
        one["variation"] = variation;
        lines.append(one);
    }
    nb::dict all;
    all["depth"] = progress.report.depth;
    all["nodes"] = progress.nodes;
    all["seconds"] = progress.seconds;
    all["lines"] = lines;
    return all;
}

class Searcher {
public:
    Searcher(int64_t bytes, int threads) : engine_(check_bytes(bytes), check_threads(threads)) {}

    nb::dict search(const State& state, double seconds, uint64_t nodes, int depth, int wanted, nb::object listener) {
        check_going(state);
        if (!(seconds >= 0 && seconds <= 1e6)) refuse("Seconds are 0 (no limit) to 1,000,000.");
        if (depth < 0 || depth > MOVES) refuse("A depth is 0 (no limit) to 81.");
        if (wanted < 1 || wanted > MOVES) refuse("The moves to be ranked are 1 to 81.");
        nb::gil_scoped_release release;
        std::exception_ptr failure;
        Progress last = engine_.search(state.position, state.rules, {seconds, nodes, depth}, wanted, [&](const Progress& progress) {
            nb::gil_scoped_acquire acquire;
            try {
                if (PyErr_CheckSignals()) throw nb::python_error();
                return listener.is_none() || nb::cast<bool>(listener(told(progress)));
            } catch (...) {
                failure = std::current_exception();
                return false;
            }
        });
        nb::gil_scoped_acquire acquire;
        if (failure) std::rethrow_exception(failure);
        return told(last);
    }

    void forget() { engine_.forget(); }
    size_t bytes() const { return engine_.bytes(); }

private:
    Engine engine_;

    static size_t check_bytes(int64_t bytes) {
        if (bytes < 1024 || bytes > (int64_t{1} << 40)) refuse("The memory of an engine is 1 KiB to 1 TiB.");
        // Every page is touched at once: what the machine does not have would end the process, not raise an error.
        int64_t pages = sysconf(_SC_AVPHYS_PAGES), page = sysconf(_SC_PAGE_SIZE);
        if (pages > 0 && page > 0 && bytes > (int64_t{1} << 20) && bytes / page >= pages) refuse("The machine has not so much memory free.");
        return static_cast<size_t>(bytes);
    }

    static int check_threads(int threads) {
        if (threads < 1 || threads > 256) refuse("An engine has 1 to 256 threads.");
        return threads;
    }
};

}  // namespace

NB_MODULE(_native, m) {
    nb::class_<State>(m, "State")
        .def("__init__", [](State* self, const Marks& x, const Marks& o, int board, int turn, bool both, bool boards) {
            new (self) State(make_state(x, o, board, turn, both, boards));
        }, nb::arg("x"), nb::arg("o"), nb::arg("board"), nb::arg("turn"), nb::arg("drawn_counts_for_both"), nb::arg("boards_break_ties"))
        .def("moves", &moves)
        .def("play", &play, nb::arg("move"))
        .def("ended", [](const State& state) { return state.position.ended(state.rules); })
        .def("result", [](const State& state) {
            if (!state.position.ended(state.rules)) refuse("The game goes on.");
            return state.position.result(state.rules);
        })
        .def("marks", [](const State& state) {
            const auto& marks = state.position.marks;
            return std::pair(std::vector<int>(marks[0], marks[0] + 9), std::vector<int>(marks[1], marks[1] + 9));
        })
        .def_prop_ro("board", [](const State& state) { return static_cast<int>(state.position.board); })
        .def_prop_ro("turn", [](const State& state) { return static_cast<int>(state.position.turn); });
    nb::class_<Searcher>(m, "Searcher")
        .def(nb::init<int64_t, int>(), nb::arg("bytes"), nb::arg("threads"))
        .def("search", &Searcher::search, nb::arg("state"), nb::arg("seconds"), nb::arg("nodes"), nb::arg("depth"), nb::arg("wanted"),
             nb::arg("listener").none())
        .def("forget", &Searcher::forget)
        .def_prop_ro("bytes", &Searcher::bytes);
    bind_batches(m);
    m.def("perft", &count_sequences, nb::arg("state"), nb::arg("depth"));
    m.def("playouts", &playouts, nb::arg("state"), nb::arg("count"), nb::arg("seed"), nb::arg("first"), nb::arg("processor"));
    m.def("random_game", &random_game, nb::arg("state"), nb::arg("seed"), nb::arg("game"));
    m.def("processor", [] { return std::string(kernels().name) + (has_avx512() ? "+avx512" : ""); });
    m.attr("WIN") = WIN;
    m.attr("PROVEN") = PROVEN;
}
