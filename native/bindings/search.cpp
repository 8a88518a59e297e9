// The search for Python.
#include <nanobind/stl/string.h>
#include <unistd.h>

#include <exception>
#include <new>

#include "bindings/bindings.hpp"
#include "bindings/network.hpp"
#include "dispatch.hpp"
#include "search/engine.hpp"

using namespace ninefold;

namespace {

nb::dict to_dict(const PvLine& line) {
    nb::list pv;
    for (int ply = 0; ply < line.length; ++ply) pv.append(static_cast<int>(line.pv[ply]));
    nb::dict dict;
    dict["move"] = line.move;
    dict["score"] = line.score;
    dict["proven"] = line.proven;
    dict["pv"] = pv;
    return dict;
}

nb::dict to_dict(const SearchInfo& info) {
    nb::list lines;
    for (int i = 0; i < info.root_moves.size; ++i) lines.append(to_dict(info.root_moves.lines[i]));
    nb::dict dict;
    dict["depth"] = info.root_moves.depth;
    dict["nodes"] = info.nodes;
    dict["seconds"] = info.seconds;
    dict["cpu_seconds"] = info.cpu_seconds;
    dict["lines"] = lines;
    return dict;
}

void check_clock(double clock, double increment) {
    if (!(clock >= 0 && clock <= 1e6 && increment >= 0 && increment <= 1e6))
        refuse("A clock has 0 (no clock) to 1,000,000 seconds, and its increment too.");
}

class Searcher {
public:
    Searcher(int64_t bytes, int threads) : engine_(check_bytes(bytes), check_threads(threads)) {}

    nb::dict search(const NativePosition& self, double seconds, uint64_t nodes, int depth, int multi_pv,
                    const Network* network, nb::object listener, double cpu_seconds, double clock, double increment,
                    bool clock_by_cpu) {
        check_not_ended(self);
        if (!(seconds >= 0 && seconds <= 1e6)) refuse("Seconds are 0 (no limit) to 1,000,000.");
        if (!(cpu_seconds >= 0 && cpu_seconds <= 1e6))
            refuse("Seconds of the processor are 0 (no limit) to 1,000,000.");
        check_clock(clock, increment);
        if (depth < 0 || depth > MOVE_COUNT) refuse("A depth is 0 (no limit) to 81.");
        if (multi_pv < 1 || multi_pv > MOVE_COUNT) refuse("The number of ranked moves is 1 to 81.");
        nb::gil_scoped_release release;
        std::exception_ptr failure;
        auto on_info = [&](const SearchInfo& info) {
            nb::gil_scoped_acquire acquire;
            try {
                if (PyErr_CheckSignals()) throw nb::python_error();
                return listener.is_none() || nb::cast<bool>(listener(to_dict(info)));
            } catch (...) {
                failure = std::current_exception();
                return false;
            }
        };
        const SearchLimits limits{seconds, nodes, depth, cpu_seconds, {clock, increment, clock_by_cpu}};
        SearchInfo info =
            engine_.search(self.position, self.rules, limits, multi_pv, network ? network->eval() : nullptr, on_info);
        nb::gil_scoped_acquire acquire;
        if (failure) std::rethrow_exception(failure);
        return to_dict(info);
    }

    void clear() { engine_.clear(); }
    size_t bytes() const { return engine_.bytes(); }

private:
    Engine engine_;

    static size_t check_bytes(int64_t bytes) {
        if (bytes < 1024 || bytes > (int64_t{1} << 40)) refuse("The memory of an engine is 1 KiB to 1 TiB.");
        // Every page is touched at once: memory that the machine does not have would end the process.
        int64_t pages = sysconf(_SC_AVPHYS_PAGES), page = sysconf(_SC_PAGE_SIZE);
        if (pages > 0 && page > 0 && bytes > (int64_t{1} << 20) && bytes / page >= pages) throw std::bad_alloc();
        return static_cast<size_t>(bytes);
    }

    static int check_threads(int threads) {
        if (threads < 1 || threads > 256) refuse("An engine has 1 to 256 threads.");
        return threads;
    }
};

}  // namespace

void bind_search(nb::module_& m) {
    nb::class_<Network>(m, "Network")
        .def(nb::init<nb::bytes, int>(), nb::arg("weights"), nb::arg("scale"))
        .def("evaluate", &Network::evaluate, nb::arg("position"))
        .def("evaluate_moves", &Network::evaluate_moves, nb::arg("position"), nb::arg("processor") = "");
    nb::class_<Searcher>(m, "Searcher")
        .def(nb::init<int64_t, int>(), nb::arg("bytes"), nb::arg("threads"))
        .def("search", &Searcher::search, nb::arg("position"), nb::arg("seconds"), nb::arg("nodes"), nb::arg("depth"),
             nb::arg("multi_pv"), nb::arg("network").none(), nb::arg("listener").none(), nb::arg("cpu_seconds") = 0.0,
             nb::arg("clock") = 0.0, nb::arg("increment") = 0.0, nb::arg("clock_by_cpu") = false)
        .def("clear", &Searcher::clear)
        .def_prop_ro("bytes", &Searcher::bytes);
    nb::class_<TimeManager>(m, "TimeManager")
        .def(
            "__init__",
            [](TimeManager* self, double clock, double increment, int free_cells) {
                check_clock(clock, increment);
                if (free_cells < 0 || free_cells > MOVE_COUNT) refuse("There are 0 to 81 free cells.");
                new (self) TimeManager({clock, increment}, free_cells);
            },
            nb::arg("clock"), nb::arg("increment"), nb::arg("free_cells"))
        .def(
            "should_stop",
            [](TimeManager& self, int move, int score, double effort, double elapsed) {
                if (score < -WIN || score > WIN) refuse("A score is at most a win.");
                return self.should_stop({move, score, effort}, elapsed);
            },
            nb::arg("move"), nb::arg("score"), nb::arg("effort"), nb::arg("elapsed"))
        .def_prop_ro("optimum", &TimeManager::optimum)
        .def_prop_ro("maximum", &TimeManager::maximum);
    m.def("processors", [] {
        nb::list names;
        for (const CpuKernels* kernels : runnable_kernels())
            if (kernels) names.append(kernels->name);
        return names;
    });
    m.attr("WIN") = WIN;
    m.attr("WIN_IN_MAX_PLY") = WIN_IN_MAX_PLY;
    m.attr("LINE_VALUE") = LINE_VALUE;
}
